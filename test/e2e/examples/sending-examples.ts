import assert from "node:assert/strict";
import type { ExampleCheck, ExampleRun } from "../../support/node-red/example-run";

/** Operations of the requests, but those for tokens, with their status codes. */
const sends = async (run: ExampleRun): Promise<readonly string[]> =>
  (await run.requests())
    .filter(({ operation }) => operation !== "token")
    .map(({ operation, statusCode }) => `${operation} ${statusCode}`);

/** What the examples that send must do, by file name. */
export const SENDING_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "02 - Send to a list from CSV and sum up with Join": async (run) => {
    await run.press("Start");
    const [report] = await run.leaving("Sum up");
    assert.deepEqual(report?.msg.payload, {
      requests: 3,
      accepted: 2404,
      sms: 2404,
      failed: 1,
      byOutcome: { queued: 2404, rejected: 1 },
      badNumbers: ["12"],
      simulated: true,
    });
    const sizes = (await run.taken()).map(({ recipients }) => recipients.length);
    assert.deepEqual(
      sizes.sort((a, b) => b - a),
      [1000, 1000, 404],
    );
  },

  "03 - Handle every outcome": async (run) => {
    const reactions: readonly (readonly [
      button: string,
      outcome: string,
      reaction: string,
      requests: number,
    ])[] = [
      ["Sent", "sent", "note the transfer id", 1],
      ["Queued", "queued", "wait for the report", 1],
      ["Rejected: on the blacklist", "rejected", "correct the message", 1],
      ["Denied: no SMS", "denied", "tell the administrator", 1],
      ["Unknown: connection lost", "unknown", "check before sending again", 1],
      ["Try again: limit used up", "retry-later", "give up", 3],
    ];
    for (const [button, outcome, reaction, requests] of reactions) {
      await run.simulator.reset(run.account);
      await run.press(button);
      const [emitted] = await run.leaving(reaction);
      assert.equal(emitted?.msg.result.outcome, outcome);
      assert.equal((await run.requests()).length, requests, outcome);
    }
    await run.press("Rejected, output without a wire");
    const [caught] = await run.leaving("Catch the failure");
    assert.equal(caught?.msg.error.source.id, run.id("Send, only success wired"));
  },

  "04 - WhatsApp text, template when the session has expired": async (run) => {
    await run.press("Wrote an hour ago");
    await run.reaching("Sent as text");
    await run.press("Has not written lately");
    await run.reaching("Sent as template");
    await run.press("Is on the blacklist");
    await run.reaching("Rejected for another reason");
    const wanted = [
      "whatsapp-text 2000",
      "whatsapp-text 4400",
      "whatsapp-template 2000",
      "whatsapp-text 4031",
    ];
    assert.deepEqual(await sends(run), wanted);
    assert.deepEqual(
      (await run.taken()).map(({ content }) => content),
      [
        "Hello Ada, your order 4711 is on the counter. See you soon!",
        "Hello Ada, your order 4711 is ready for collection.",
      ],
    );
  },

  "06 - Template from a CSV row": async (run) => {
    await run.press("Start");
    const [report] = await run.leaving("Sum up");
    assert.deepEqual(report?.msg.payload, { rows: 4, accepted: 3, byOutcome: { sent: 3, rejected: 1 } });
    const names = (await run.taken()).map(
      ({ content }) => /^Hello (\w+), your order \d+/.exec(`${content}`)?.[1],
    );
    assert.deepEqual(names.sort(), ["Ada", "Barbara", "Grace"]);
    const [bad] = await run.reaching("Row not sent");
    assert.deepEqual([bad?.msg.payload.name, bad?.msg.result.statusName], ["Alan", "FIELD_UNRESOLVED"]);
  },

  "07 - Upload a picture and send it": async (run) => {
    await run.press("A small picture");
    const [uploaded] = await run.leaving("Upload");
    await run.reaching("Accepted");
    assert.deepEqual(await sends(run), ["media-upload null", "whatsapp-media 2000"]);
    const [taken] = await run.taken();
    assert.equal(taken?.fields.mediaId, uploaded?.msg.mediaId);
    assert.equal(taken?.content, "Thank you for your visit!");
  },

  "08 - RCS card with replies": async (run) => {
    await run.press("Today's menu");
    await run.reaching("Accepted");
    const [taken] = await run.taken();
    assert.match(
      JSON.stringify(taken?.fields.rcsPayload),
      /"title":"Today's lunch".*"displayText":"Not today"/,
    );
    await run.control("simulator/tap", { transferId: taken?.transferId, suggestion: 0 });
    const [answer] = await run.leaving("Answers of people");
    assert.deepEqual([answer?.msg.text, answer?.msg.topic], ["Yes, please", "+999555000001"]);
  },

  "09 - Broadcast with an attachment": async (run) => {
    await run.press("A price list");
    const [attached] = await run.leaving("Attach");
    await run.reaching("Accepted");
    assert.deepEqual(await sends(run), ["attachment-create 2000", "whatsapp-broadcast 2000"]);
    const [taken] = await run.taken();
    assert.equal(taken?.fields.attachmentId, attached?.msg.attachmentId);
    assert.equal(taken?.recipients.length, 3);
  },
};
