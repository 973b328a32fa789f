import assert from "node:assert/strict";
import type { ExampleCheck, ExampleRun } from "../../support/node-red/example-run";
import { waitFor } from "../../support/wait-for";
import { waitBriefly } from "./wait-briefly";

/** Presses a button and gives the end that each of so many people reached, as "number: end". */
async function endsOf(run: ExampleRun, button: string, ends: readonly string[], people: number) {
  const names = new Map(ends.map((end) => [run.id(end), end]));
  await run.press(button);
  const reached = await waitFor(`the ends of ${people} people`, async () => {
    const { messages } = await run.nodeRed.recording();
    const ended = messages.filter(({ to }) => names.has(to));
    return ended.length >= people && ended;
  });
  return reached.map(({ to, msg }) => `${msg.to}: ${names.get(to)}`).sort();
}

/** Asserts that the service accepted so many messages, and no two by the same channel to the same number. */
async function assertOncePerChannel(run: ExampleRun, count: number): Promise<void> {
  const sent = (await run.taken()).map(({ channel, recipients }) => `${channel} ${recipients.join()}`);
  assert.deepEqual([sent.length, new Set(sent).size], [count, count], sent.join(", "));
}

/** What the examples that wait for deliveries and replies must do, by file name. */
export const WAITING_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "05 - WhatsApp, else SMS": async (run) => {
    const within = waitBriefly("999030004");
    await run.deploy({ "WhatsApp delivered?": within, "SMS delivered?": within });
    const ends = ["Got it by WhatsApp", "Got it by SMS", "Got nothing"];
    assert.deepEqual(await endsOf(run, "Send to five people", ends, 5), [
      "+999004013: Got nothing",
      "+999004029: Got it by SMS",
      "+999030002: Got it by SMS",
      "+999030004: Got nothing",
      "+999555000001: Got it by WhatsApp",
    ]);
    await run.reaching("Practice told", 2);
  },

  "19 - RCS, else WhatsApp, else SMS when not delivered": async (run) => {
    const within = waitBriefly("999030004");
    const withinByRcs = waitBriefly("999030004", "999030005");
    await run.deploy({
      "RCS delivered?": withinByRcs,
      "WhatsApp delivered?": within,
      "SMS delivered?": within,
    });
    const ends = ["RCS", "WhatsApp", "SMS", "no channel"].map((channel) => `Got it by ${channel}`);
    assert.deepEqual(await endsOf(run, "Send to five people", ends, 5), [
      "+999004029: Got it by SMS",
      "+999030002: Got it by SMS",
      "+999030004: Got it by no channel",
      "+999030005: Got it by WhatsApp",
      "+999555000001: Got it by RCS",
    ]);
    await assertOncePerChannel(run, 10);
  },

  "24 - Assistant by a language model": async (run) => {
    const ADA = "+999560001";
    const [standIn] = run.example.flows.filter(({ type }) => type === "http in");
    const url = new URL(String(standIn?.url), run.nodeRed.url).href;
    await run.deploy({ "Ask the model": { url } });
    const lastBy = async (channel: string, node: string): Promise<string | undefined> => {
      await run.reaching(node);
      await run.nodeRed.clearRecording();
      return (await run.taken()).filter((each) => each.channel === channel).at(-1)?.content;
    };
    await run.press("Write to Ada");
    await run.reaching("Template accepted");
    assert.match(`${await lastBy("whatsapp", "Text accepted")}`, /^You wrote: Yes, please\. /);
    await run.write(ADA, "When are you open?", "whatsapp");
    assert.match(
      `${await lastBy("whatsapp", "Text accepted")}`,
      /^You wrote: When are you open\?\. Before that you wrote: Yes, please\. /,
    );
    await run.write(ADA, "HUMAN!", "whatsapp");
    assert.match(`${await lastBy("whatsapp", "Text accepted")}`, /^Thank you\. A person will answer you/);
    await run.write(ADA, "Are you there?", "whatsapp");
    assert.equal(await lastBy("sms", "Team told"), `${ADA} wrote by WhatsApp: Are you there?`);
    await run.write("+999555000003", "Hello", "whatsapp");
    assert.match(`${await lastBy("whatsapp", "Text accepted")}`, /^You wrote: Hello\. /);
  },
};

/** Example 20 without its digest: one person says no, one is silent, the next one is called and says yes. */
export const checkEscalation: ExampleCheck = async (run) => {
  const within = waitBriefly("999030004");
  await run.deploy({ "Reply to the SMS?": within, "Reply after the call?": within });
  await run.press("Pump 2 stops");
  const [taken] = await run.reaching("Taken");
  assert.equal(taken?.msg.payload, "Pump 2 has stopped. Cleo takes it.");
  const asked = (await run.taken()).map(
    ({ recipients, fields }) => `${recipients.join()} ${fields.messageType}`,
  );
  assert.equal(asked.length, 3);
  assert.match(asked.join(), /999560008 .*999030004 .*999560005 voice$/);
};
