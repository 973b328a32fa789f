import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Example } from "../support/examples";
import type { Bench } from "../support/node-red/on-each-node-red";
import { reaching } from "../support/node-red/reaching";
import { waitFor } from "../support/wait-for";

/** Runs one example in a real Node-RED and asserts what it does. */
export type ExampleCheck = (bench: Bench, example: Example) => Promise<void>;

/** What the examples for receiving must do, by file name. */
export const RECEIVING_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "10 - Auto-reply": async (bench, example) => {
    const { nodeRed, simulator, statuses } = bench;
    const account = example.id("messaging-account");
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
      const [answered] = await reaching(bench, example.id("Reply accepted"));
      assert.match(answered?.msg.payload, reply);
      assert.equal(answered?.msg.event.kind, "inbound");
      assert.equal(answered?.msg.event.simulated, true);
      const last = (await simulator.messages(account)).at(-1);
      assert.deepEqual([last?.operation, last?.recipients], ["whatsapp-text", [sender]]);
      assert.match(last?.content ?? "", reply);
      return answered;
    };
    for (const [button, sender, reply] of replies) {
      await nodeRed.clearRecording();
      await nodeRed.inject(example.id(button));
      const answered = await answeredWith(sender, reply);
      assert.deepEqual(
        answered?.msg.event.optOut,
        sender === BEN ? { change: "stop", scope: "all", number: "999560004" } : undefined,
      );
    }
    await statuses.waitFor(example.id("Messages from people"), ({ text }) =>
      `${text}`.startsWith("SIMULATED · 2 received"),
    );
    assert.equal((await simulator.messages(account)).length, 4, "two templates, two replies, and no more");

    await nodeRed.clearRecording();
    await nodeRed.inject(example.id("Greet Ben, who wants no more"));
    const [held] = await reaching(bench, example.id("Template not sent"));
    assert.deepEqual([held?.msg.result.outcome, held?.msg.result.statusName], ["rejected", "OPTED_OUT"]);
    assert.deepEqual(held?.msg.result.recipients, ["999560004"]);
    assert.equal((await simulator.messages(account)).length, 4, "nothing was sent to Ben again");

    await nodeRed.clearRecording();
    const start = { channel: "whatsapp", sender: BEN, text: "Start!" };
    await nodeRed.request("POST", `/messaging-account/${account}/simulator/write`, start);
    const answered = await answeredWith(BEN, /^Welcome back, .+! You get messages again\.$/);
    assert.deepEqual(answered?.msg.event.optOut, { change: "start", number: "999560004" });
    await nodeRed.clearRecording();
    await nodeRed.inject(example.id("Greet Ben, who wants no more"));
    await reaching(bench, example.id("Template accepted"));
    await answeredWith(BEN, /^You will not hear from us again/);
  },

  "11 - Two-way with media download": async (bench, example) => {
    const { nodeRed } = bench;
    await nodeRed.inject(example.id("Write to one who sends a picture"));
    const [file] = await reaching(bench, example.id("The file"));
    const { type, size } = file?.msg.result.file ?? {};
    assert.match(type, /^image\//);
    const bytes = Buffer.from(file?.msg.payload.data);
    assert.equal(bytes.length, size);
    const [thanked] = await reaching(bench, example.id("Reply accepted"));
    assert.match(thanked?.msg.payload, new RegExp(`: ${size} bytes of ${type} have arrived\\.$`));
    await nodeRed.clearRecording();
    await nodeRed.inject(example.id("Write to one who sends words"));
    const [words] = await reaching(bench, example.id("Reply accepted"));
    assert.equal(words?.msg.payload, "Thank you for writing: Yes, please");
  },

  "12 - Match status to send": async (bench, example) => {
    const { nodeRed } = bench;
    const fates: readonly [button: string, fate: string][] = [
      ["Order 1 arrives", "order 1: delivered"],
      ["Order 2 fails", "order 2: failed"],
      ["Order 3, connection lost", "order 3: delivered"],
    ];
    for (const [button, fate] of fates) {
      await nodeRed.clearRecording();
      await nodeRed.inject(example.id(button));
      const [matched] = await reaching(bench, example.id("Final outcome"));
      assert.equal(matched?.msg.payload, fate);
    }
    // Its answer was lost: it is unknown, or sent where its status was quicker.
    const [third] = await reaching(bench, example.id("What becomes of it?"));
    assert.match(third?.msg.result.outcome, /^(?:sent|unknown)$/);
    await nodeRed.clearRecording();
    await nodeRed.inject(example.id("Order 4, no status message"));
    await reaching(bench, example.id("Accepted"));
    const [open] = await reaching(bench, example.id("Still open"));
    assert.equal(open?.msg.payload, "order 4 to +999030004");
  },

  "13 - Acknowledge after the database write": async (bench, example) => {
    const { nodeRed, simulator, statuses } = bench;
    const folder = join(nodeRed.folder, "messages-received");
    const account = example.id("messaging-account");
    const written = async (): Promise<{ key: string; from: string; text: string }[]> =>
      Promise.all(
        (await readdir(folder))
          .sort()
          .map(async (file) => JSON.parse(await readFile(join(folder, file), "utf8"))),
      );
    const acknowledged = (count: number) =>
      waitFor(`${count} acknowledged deliveries`, async () => {
        const done = (await simulator.deliveries(account)).filter(({ state }) => state === "acknowledged");
        return done.length === count && done;
      });

    await nodeRed.inject(example.id("Simulate an inbound message"));
    const [plain] = await acknowledged(1);
    assert.equal(plain?.attempts.length, 1);
    const [first, ...none] = await written();
    assert.deepEqual([first?.from, first?.text, none], ["+999560001", "Yes, please", []]);

    await nodeRed.clearRecording();
    await nodeRed.inject(example.id("Break the disk"));
    await nodeRed.inject(example.id("Simulate an inbound message"));
    const [failed] = await reaching(bench, example.id("Write failed"));
    assert.match(failed?.msg.error.message, /EISDIR/);
    const [, again] = await acknowledged(2);
    assert.deepEqual(
      again?.attempts.map(({ httpStatus }) => httpStatus),
      [503, 200],
    );
    assert.equal((await written()).length, 2, "each message once");
    const runs = await reaching(bench, example.id("Prepare the file"), 2);
    assert.equal(new Set(runs.map(({ msg }) => msg.event.key)).size, 1);
    await statuses.waitFor(example.id("Failed: again, please"), ({ text }) => text === "1 to be redelivered");
    await statuses.waitFor(example.id("Written: acknowledge"), ({ text }) => text === "2 acknowledged");
  },

  "14 - Delivery reports of an SMS": async (bench, example) => {
    const { nodeRed } = bench;
    await nodeRed.inject(example.id("Send the offer"));
    const [summary, ...more] = await reaching(bench, example.id("All reports are in"));
    assert.deepEqual(more, []);
    assert.deepEqual(summary?.msg.payload, {
      delivered: 3,
      failed: 2,
      failedNumbers: ["+999030101", "+999030103"],
      open: [],
    });
    const [under] = await reaching(bench, example.id("Other"));
    assert.equal(under?.msg.payload.deliveryReportMessageStatus, "undelivered");
    const failed = await reaching(bench, example.id("Why it failed"), 2);
    assert.deepEqual(failed.map(({ msg }) => msg.wait.status).sort(), ["expired", "rejected"]);
  },
};
