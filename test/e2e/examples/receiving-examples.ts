import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExampleCheck } from "../../support/node-red/example-run";
import { waitFor } from "../../support/wait-for";

/** What the examples for receiving must do, by file name. */
export const RECEIVING_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "10 - Auto-reply": async (run) => {
    const { nodeRed } = run;
    const BEN = "+999560004";
    const replies: readonly [button: string, sender: string, reply: RegExp][] = [
      ["Greet Ada", "+999560001", /^Thank you, .+! We have noted your yes\.$/],
      [
        "Greet Ben, who wants no more",
        BEN,
        /^You will not hear from us again, .+\. To get messages again, write START\.$/,
      ],
    ];
    const answeredWith = async (sender: string, reply: RegExp) => {
      const [answered] = await run.reaching("Reply accepted");
      assert.match(answered?.msg.payload, reply);
      assert.equal(answered?.msg.event.kind, "inbound");
      assert.equal(answered?.msg.event.simulated, true);
      const last = (await run.taken()).at(-1);
      assert.deepEqual([last?.operation, last?.recipients], ["whatsapp-text", [sender]]);
      assert.match(last?.content ?? "", reply);
      return answered;
    };
    for (const [button, sender, reply] of replies) {
      await run.press(button);
      const answered = await answeredWith(sender, reply);
      assert.deepEqual(
        answered?.msg.event.optOut,
        sender === BEN ? { change: "stop", scope: "all", number: "999560004" } : undefined,
      );
    }
    await run.badge("Messages from people", ({ text }) => `${text}`.startsWith("SIMULATED · 2 received"));
    assert.equal((await run.taken()).length, 4, "two templates, two replies, and no more");

    await run.press("Greet Ben, who wants no more");
    const [held] = await run.reaching("Template not sent");
    assert.deepEqual([held?.msg.result.outcome, held?.msg.result.statusName], ["rejected", "OPTED_OUT"]);
    assert.deepEqual(held?.msg.result.recipients, ["999560004"]);
    assert.equal((await run.taken()).length, 4, "nothing was sent to Ben again");

    await nodeRed.clearRecording();
    await run.write(BEN, "Start!", "whatsapp");
    const answered = await answeredWith(BEN, /^Welcome back, .+! You get messages again\.$/);
    assert.deepEqual(answered?.msg.event.optOut, { change: "start", number: "999560004" });
    await run.press("Greet Ben, who wants no more");
    await run.reaching("Template accepted");
    await answeredWith(BEN, /^You will not hear from us again/);
  },

  "11 - Two-way with media download": async (run) => {
    await run.press("Write to one who sends a picture");
    const [file] = await run.reaching("The file");
    const { type, size } = file?.msg.result.file ?? {};
    assert.match(type, /^image\//);
    const bytes = Buffer.from(file?.msg.payload.data);
    assert.equal(bytes.length, size);
    const [thanked] = await run.reaching("Reply accepted");
    assert.match(thanked?.msg.payload, new RegExp(`: ${size} bytes of ${type} have arrived\\.$`));
    await run.press("Write to one who sends words");
    const [words] = await run.reaching("Reply accepted");
    assert.equal(words?.msg.payload, "Thank you for writing: Yes, please");
  },

  "12 - Match status to send": async (run) => {
    const fates: readonly [button: string, fate: string][] = [
      ["Order 1 arrives", "order 1: delivered"],
      ["Order 2 fails", "order 2: failed"],
      ["Order 3, connection lost", "order 3: delivered"],
    ];
    for (const [button, fate] of fates) {
      await run.press(button);
      const [matched] = await run.reaching("Final outcome");
      assert.equal(matched?.msg.payload, fate);
    }
    // Its answer was lost: it is unknown, or sent where its status was quicker.
    const [third] = await run.reaching("What becomes of it?");
    assert.match(third?.msg.result.outcome, /^(?:sent|unknown)$/);
    await run.press("Order 4, no status message");
    await run.reaching("Accepted");
    const [open] = await run.reaching("Still open");
    assert.equal(open?.msg.payload, "order 4 to +999030004");
  },

  "13 - Acknowledge after the database write": async (run) => {
    const { nodeRed, simulator } = run;
    const folder = join(nodeRed.folder, "messages-received");
    const written = async (): Promise<{ key: string; from: string; text: string }[]> =>
      Promise.all(
        (await readdir(folder))
          .sort()
          .map(async (file) => JSON.parse(await readFile(join(folder, file), "utf8"))),
      );
    const acknowledged = (count: number) =>
      waitFor(`${count} acknowledged deliveries`, async () => {
        const done = (await simulator.deliveries(run.account)).filter(
          ({ state }) => state === "acknowledged",
        );
        return done.length === count && done;
      });

    await run.press("Simulate an inbound message");
    const [plain] = await acknowledged(1);
    assert.equal(plain?.attempts.length, 1);
    const [first, ...none] = await written();
    assert.deepEqual([first?.from, first?.text, none], ["+999560001", "Yes, please", []]);

    await run.press("Break the disk");
    await run.press("Simulate an inbound message");
    const [failed] = await run.reaching("Write failed");
    assert.match(failed?.msg.error.message, /EISDIR/);
    const [, again] = await acknowledged(2);
    assert.deepEqual(
      again?.attempts.map(({ httpStatus }) => httpStatus),
      [503, 200],
    );
    assert.equal((await written()).length, 2, "each message once");
    const runs = await run.reaching("Prepare the file", 2);
    assert.equal(new Set(runs.map(({ msg }) => msg.event.key)).size, 1);
    await run.badge("Failed: again, please", ({ text }) => text === "1 to be redelivered");
    await run.badge("Written: acknowledge", ({ text }) => text === "2 acknowledged");
  },

  "14 - Delivery reports of an SMS": async (run) => {
    await run.press("Send the offer");
    const [summary, ...more] = await run.reaching("All reports are in");
    assert.deepEqual(more, []);
    assert.deepEqual(summary?.msg.payload, {
      delivered: 3,
      failed: 2,
      failedNumbers: ["+999030101", "+999030103"],
      open: [],
    });
    const [under] = await run.reaching("Other");
    assert.equal(under?.msg.payload.deliveryReportMessageStatus, "undelivered");
    const failed = await run.reaching("Why it failed", 2);
    assert.deepEqual(failed.map(({ msg }) => msg.wait.status).sort(), ["expired", "rejected"]);
  },
};
