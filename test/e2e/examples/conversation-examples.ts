import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { restart } from "../../support/node-red/restart";
import { waitFor } from "../../support/wait-for";
import type { ExampleCheck } from "../../support/node-red/example-run";

/** Of a node that waits: time for what is heard on a busy machine. */
const HEARD = { within: "6 s" };

const ADA = "+999560005";
const BEN = "+999560008";
const CLEO = "+999555000003";
const EVE = "+999030004";

/** Nothing is heard of RCS messages to this number, and nothing at all of messages to the other one. */
const OFF = "+999030005";
const NEVER = "+999030004";
/** Who gets the message of example 19 by which channel. */
const AT_THE_END = [
  "+999004029 by SMS",
  "+999030002 by SMS",
  `${NEVER} by no channel`,
  `${OFF} by WhatsApp`,
  "+999555000001 by RCS",
];
/** What the service accepts before and after the time for RCS is over. */
const BEFORE_THE_TIME = [
  "999004029 sms",
  "999030002 rcs",
  "999030002 sms",
  "999030002 whatsapp",
  "999030004 rcs",
  "999030005 rcs",
  "999555000001 rcs",
];
const AFTER_THE_TIME = ["999030004 sms", "999030004 whatsapp", "999030005 whatsapp"];

/** What the examples that wait for deliveries and replies must do, by file name. */
export const CONVERSATION_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "05 - WhatsApp, else SMS": async (run) => {
    const { nodeRed } = run;
    const ends = ["Got it by WhatsApp", "Got it by SMS", "Got nothing"];
    const ids = new Map(ends.map((end) => [run.id(end), end]));

    await run.deploy({ "WhatsApp delivered?": HEARD, "SMS delivered?": HEARD });
    await run.press("Send to five people");
    await run.reaching("Practice told", 2);
    const { messages } = await nodeRed.recording();
    const ended = messages.filter(({ to }) => ids.has(to)).map(({ to, msg }) => `${msg.to}: ${ids.get(to)}`);
    assert.deepEqual(ended.sort(), [
      "+999004013: Got nothing",
      "+999004029: Got it by SMS",
      "+999030002: Got it by SMS",
      `${NEVER}: Got nothing`,
      "+999555000001: Got it by WhatsApp",
    ]);

    const text = (name: string, order: string): string =>
      `Hello ${name}, your order ${order} is ready for collection.`;
    const missed = (who: string): string => `Neither WhatsApp nor SMS reached ${who}. Please call.`;
    const taken = (await run.taken()).map(
      ({ channel, recipients, content }) => `${recipients.join().replace("+", "")} ${channel}: ${content}`,
    );
    assert.deepEqual(
      taken.sort(),
      [
        `999004029 sms: ${text("Cleo", "4713")}`,
        `999030002 sms: ${text("Ben", "4712")}`,
        `999030002 whatsapp: ${text("Ben", "4712")}`,
        `999030004 sms: ${text("Eve", "4715")}`,
        `999030004 whatsapp: ${text("Eve", "4715")}`,
        `999555000001 whatsapp: ${text("Ada", "4711")}`,
        `999555000009 sms: ${missed("Dan (order 4714, +999 004 013)")}`,
        `999555000009 sms: ${missed("Eve (order 4715, +999 030 004)")}`,
      ].sort(),
    );
    assert.deepEqual(await run.seenAt("Practice not told"), []);
  },

  "18 - Appointment reminders with YES and NO": async (run) => {
    const { nodeRed } = run;
    const file = join(nodeRed.folder, "appointments", "answers.csv");
    /** Each line of the list without its last column, the time. */
    const lines = async (): Promise<string[]> =>
      (await readFile(file, "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/,\d{4}-\d\d-\d\dT[\d:.]+Z$/, ""));
    const list = async () => {
      await run.press("Show who confirmed");
      const [shown] = await run.reaching("The list");
      return shown?.msg.payload;
    };
    const rowOf = (name: string, phone: string, time: string) => ({ name, phone, day: "Monday", time });

    await run.press("Show who confirmed");
    const [none] = await run.reaching("No such file, or not written");
    assert.match(none?.msg.error.message, /ENOENT/);

    await run.press("Remind everybody");
    const wrong = await run.reaching("Not sent", 2);
    assert.deepEqual(
      wrong.map(({ msg }) => [msg.parts.index, msg.payload, msg.result.statusName]),
      [
        [3, rowOf("Dan", "12", "10:30"), "RECIPIENTS_INVALID"],
        [5, rowOf("Finn", "ask his mother", "11:30"), "RECIPIENTS_INVALID"],
      ],
    );
    const written = await run.reaching("Written", 2);
    assert.deepEqual(written.map(({ msg }) => [msg.to, msg.wait.word, msg.answer]).sort(), [
      [ADA, "YES", "confirmed"],
      [BEN, "NO", "cancelled"],
    ]);
    const taken = await run.taken();
    const textFor = (name: string, time: string): string =>
      `Hello ${name}, you have an appointment on Monday at ${time}. Will you come? Please answer YES or NO.`;
    assert.deepEqual(taken.map(({ recipients, content }) => [...recipients, content]).sort(), [
      [EVE.slice(1), textFor("Eve", "11:00")],
      [CLEO.slice(1), textFor("Cleo", "10:00")],
      [ADA.slice(1), textFor("Ada", "09:00")],
      [BEN.slice(1), textFor("Ben", "09:30")],
    ]);

    // Cleo and Eve have not answered.
    await restart(run.bench, "kill");
    await run.write(CLEO, "Can I come later?");
    const [other] = await run.reaching("Call back");
    assert.deepEqual(other?.msg.payload, rowOf("Cleo", "+999 555 000 003", "10:00"));
    assert.equal(other?.msg.wait.text, "Can I come later?");
    const [called, ...more] = await run.reaching("Written");
    assert.deepEqual([called?.msg.to, called?.msg.answer, more], [CLEO, "call back", []]);
    // Her question is over.
    await run.write(CLEO, "Yes!");
    await run.badge("YES or NO?", ({ text = "" }) => /1 late/.test(text));
    assert.deepEqual((await lines()).sort(), [
      "Ada,+999 560 005,Monday,09:00,confirmed",
      "Ben,+999 560 008,Monday,09:30,cancelled",
      "Cleo,+999 555 000 003,Monday,10:00,call back",
    ]);
    const answered = {
      confirmed: ["Ada, Monday 09:00"],
      cancelled: ["Ben, Monday 09:30"],
      "call back": ["Cleo, Monday 10:00"],
    };
    assert.deepEqual(await list(), { ...answered, "no answer": [] });

    // The last line of an appointment counts.
    await run.deploy({ "YES or NO?": HEARD });
    await run.press("Remind everybody");
    const asked = await run.reaching("Written", 4);
    assert.deepEqual(asked.map(({ msg }) => [msg.to, msg.answer]).sort(), [
      [EVE, "no answer"],
      [CLEO, "no answer"],
      [ADA, "confirmed"],
      [BEN, "cancelled"],
    ]);
    const second = { ...answered, "call back": [] };
    assert.deepEqual(await list(), { ...second, "no answer": ["Cleo, Monday 10:00", "Eve, Monday 11:00"] });
  },

  "19 - RCS, else WhatsApp, else SMS when not delivered": async (run) => {
    const { nodeRed, simulator } = run;
    const ends = ["RCS", "WhatsApp", "SMS", "no channel"];
    const others = { "WhatsApp delivered?": HEARD, "SMS delivered?": HEARD };
    /** Presses the button; gives what the messages went by that reached so many ends, by number, as far as it is known since the last restart. */
    const reachedBy = async (count: number) => {
      const ids = new Map(ends.map((end) => [run.id(`Got it by ${end}`), end]));
      const seen = await waitFor(`${count} people of whom it is known who got it`, async () => {
        const { messages } = await nodeRed.recording();
        const ended = messages.filter(({ to }) => ids.has(to));
        return ended.length >= count && ended;
      });
      return seen.map(({ to, msg }) => `${msg.to} by ${ids.get(to)}`).sort();
    };
    /** What the simulator took, once for each channel and number. */
    const taken = async () => {
      const messages = await run.taken();
      const all = messages.map(({ channel, recipients, content }) => {
        assert.equal(content, "Hello there, your order 4711 is ready for collection.");
        return `${recipients[0]?.replace("+", "")} ${channel}`;
      });
      assert.equal(new Set(all).size, all.length, "nobody gets it twice by the same channel");
      return all.sort();
    };

    await run.deploy({ "RCS delivered?": HEARD, ...others });
    await run.press("Send to five people");
    assert.deepEqual(await reachedBy(5), AT_THE_END);
    assert.deepEqual(await taken(), [...BEFORE_THE_TIME, ...AFTER_THE_TIME].sort());
    const next = (await run.seenAt("WhatsApp")).map(({ msg }) => msg.to);
    assert.deepEqual(next.at(-1), [OFF, NEVER], "those of whom nothing was heard go on together");

    // Ended while the RCS messages wait. When Node-RED runs again, the simulator does not know them any more.
    await simulator.reset(run.account);
    await run.deploy({ "RCS delivered?": { within: "25 s" }, ...others });
    await run.press("Send to five people");
    const before = AT_THE_END.filter((line) => !line.startsWith(OFF) && !line.startsWith(NEVER));
    assert.deepEqual(await reachedBy(3), before);
    assert.deepEqual(await taken(), BEFORE_THE_TIME);
    await restart(run.bench, "stop");
    assert.deepEqual(await reachedBy(2), [`${NEVER} by no channel`, `${OFF} by WhatsApp`]);
    assert.deepEqual(await taken(), AFTER_THE_TIME);
  },
};
