import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ExampleCheck } from "../../support/node-red/example-run";
import { waitFor } from "../../support/wait-for";
import { waitBriefly } from "./wait-briefly";

/** What the examples that receive must do, by file name. */
export const RECEIVING_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "10 - Auto-reply": async (run) => {
    const BEN = "+999560004";
    const replied = async (reply: RegExp): Promise<void> => {
      const [accepted] = await run.reaching("Reply accepted");
      assert.match(accepted?.msg.payload, reply);
    };
    await run.press("Greet Ada");
    await replied(/^Thank you, .+! We have noted your yes\.$/);
    await run.press("Greet Ben, who wants no more");
    await replied(/^You will not hear from us again, .+\. To get messages again, write START\.$/);
    await run.press("Greet Ben, who wants no more");
    const [refused] = await run.reaching("Template not sent");
    assert.equal(refused?.msg.result.statusName, "OPTED_OUT");
    await run.nodeRed.clearRecording();
    await run.write(BEN, "Start!", "whatsapp");
    await replied(/^Welcome back, .+! You get messages again\.$/);
    await run.press("Greet Ben, who wants no more");
    await run.reaching("Template accepted");
  },

  "11 - Two-way with media download": async (run) => {
    await run.press("Write to one who sends a picture");
    const [file] = await run.reaching("The file");
    const { type, size } = file?.msg.result.file ?? {};
    assert.equal(Buffer.from(file?.msg.payload.data).length, size);
    const [thanked] = await run.reaching("Reply accepted");
    assert.ok(thanked?.msg.payload.endsWith(`: ${size} bytes of ${type} have arrived.`));
    await run.press("Write to one who sends words");
    const [words] = await run.reaching("Reply accepted");
    assert.equal(words?.msg.payload, "Thank you for writing: Yes, please");
  },

  "12 - Match status to send": async (run) => {
    const fates: readonly (readonly [button: string, fate: string])[] = [
      ["Order 1 arrives", "order 1: delivered"],
      ["Order 2 fails", "order 2: failed"],
      ["Order 3, connection lost", "order 3: delivered"],
    ];
    await run.deploy({ "What becomes of it?": waitBriefly("999030004") });
    for (const [button, fate] of fates) {
      await run.press(button);
      const [matched] = await run.reaching("Final outcome");
      assert.equal(matched?.msg.payload, fate);
    }
    await run.press("Order 4, no status message");
    const [open] = await run.reaching("Still open");
    assert.equal(open?.msg.payload, "order 4 to +999030004");
  },

  "13 - Acknowledge after the database write": async (run) => {
    const acknowledged = (count: number) =>
      waitFor(`${count} acknowledged deliveries`, async () => {
        const deliveries = await run.simulator.deliveries(run.account);
        const done = deliveries.filter(({ state }) => state === "acknowledged");
        return done.length === count && done;
      });
    await run.press("Simulate an inbound message");
    await acknowledged(1);
    await run.press("Break the disk");
    await run.press("Simulate an inbound message");
    await run.reaching("Write failed");
    const [, again] = await acknowledged(2);
    assert.deepEqual(
      again?.attempts.map(({ httpStatus }) => httpStatus),
      [503, 200],
    );
    const files = await readdir(join(run.nodeRed.folder, "messages-received"));
    assert.equal(files.length, 2, "each message once");
  },
};
