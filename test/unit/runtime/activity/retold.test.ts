import assert from "node:assert/strict";
import type { Node, NodeAPI } from "node-red";
import { judge, localVerdict, type Verdict } from "../../../../lib/gateway/codec/verdict";
import { OPERATIONS } from "../../../../lib/gateway/contract/operations";
import { activityOf } from "../../../../lib/runtime/activity/activity-of";
import { NodeActivity } from "../../../../lib/runtime/activity/node-activity";
import { sendResult } from "../../../../lib/runtime/channels/send-result";
import { inLanguage, retold, say } from "../../../../lib/texts/say";
import type { EntryDetails } from "../../../../lib/shared/activity";

const OPERATION = "sms-json";

/** What a row unfolds to for somebody who reads German, although Node-RED speaks English. */
function inGerman(verdict: Verdict): Pick<EntryDetails, "reason" | "advice"> {
  const RED = { comms: { publish: () => {} }, settings: {}, events: {} } as unknown as NodeAPI;
  const context = {
    operation: OPERATION,
    recipients: ["+41791234567"],
    clientMessageId: null,
    parameter: null,
    test: false,
    simulated: false,
    transfer: null,
  } as const;
  new NodeActivity(RED, { id: "n1" } as Node, "a1").sent(sendResult(verdict, context));
  const log = activityOf(RED);
  const { epoch, entries } = log.watch();
  const details = inLanguage("de", () => log.details(epoch, entries[0]?.id ?? 0, true));
  return details ?? assert.fail("no entry");
}

describe("what a row of the activity unfolds to", () => {
  it("is in the language of who looks: code, fault, advice, and the detail behind it as it was", () => {
    const answer = (statusCode: number, statusMessage?: string): Verdict =>
      judge(
        OPERATIONS[OPERATION],
        {
          answer: {
            status: 200,
            headers: {},
            body: Buffer.from(JSON.stringify({ statusCode, statusMessage })),
          },
        },
        true,
        0,
      );
    const cases: readonly (() => Verdict)[] = [
      () => answer(2000),
      () => answer(4031),
      () => answer(4003, "no such sender"),
      () => localVerdict("CONNECT_FAILED", "ECONNREFUSED"),
      () => localVerdict("QUEUE_FULL"),
    ];
    for (const made of cases) {
      const { reason, advice } = inGerman(made());
      const { statusMessage, advice: then } = inLanguage("de", made);
      assert.deepEqual([reason, advice], [statusMessage, then]);
      assert.notEqual(reason, made().statusMessage);
    }
  });
});

describe("a sentence of earlier", () => {
  it("stays as it is where it says something else than its code", () => {
    for (const other of ["Nothing to do. (a) and more", "“Text” is missing.", ""]) {
      assert.equal(
        inLanguage("de", () => retold(other, () => say("record.advice.done"))),
        other,
      );
    }
  });
});
