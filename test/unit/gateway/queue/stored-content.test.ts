import assert from "node:assert/strict";
import { judge, localVerdict, type Verdict } from "../../../../lib/gateway/codec/verdict";
import { LOCAL_FAULTS, type LocalFault } from "../../../../lib/gateway/contract/local-outcomes";
import { OPERATIONS, type OperationId } from "../../../../lib/gateway/contract/operations";
import { answerOf, settledVerdict } from "../../../../lib/gateway/queue/stored-content";
import { STATUS_CODES } from "../../../../lib/shared/outcomes";

const answered = (operation: OperationId, status: number, body: object): Verdict =>
  judge(
    OPERATIONS[operation],
    { response: { status, headers: {}, body: Buffer.from(JSON.stringify(body)) } },
    true,
    0,
  );

/** As it is read again from the columns that it was stored in. */
const restored = (operation: string, verdict: Verdict): Verdict => {
  const { outcome, transferId, attempts } = verdict;
  return settledVerdict({
    operation,
    transferId,
    attempts,
    outcome,
    answer: answerOf(operation, verdict, false),
  });
};

describe("a stored answer", () => {
  const OPERATION = "sms-json" as OperationId;

  it("is the same verdict again, whatever the service said", () => {
    assert.ok(STATUS_CODES.length > 20);
    const sends = (Object.keys(OPERATIONS) as OperationId[]).filter((id) => OPERATIONS[id].effect === "send");
    for (const operation of sends) {
      for (const { code } of STATUS_CODES) {
        for (const more of [{}, { transferId: "t1" }, { statusMessage: "not what (it) says" }]) {
          const verdict = answered(operation, 200, { statusCode: code, ...more });
          const { clientMessageId: _, ...rest } = verdict;
          assert.deepEqual(
            restored(operation, verdict),
            { ...rest, clientMessageId: null },
            `${operation} ${code}`,
          );
        }
      }
      for (const status of [200, 400, 429, 500, 503]) {
        const verdict = answered(operation, status, {});
        assert.deepEqual(restored(operation, verdict), verdict);
      }
    }
  });

  it("is the same verdict again of every fault of this side, with and without a detail", () => {
    for (const fault of Object.keys(LOCAL_FAULTS) as LocalFault[]) {
      for (const verdict of [localVerdict(fault), localVerdict(fault, "a detail (of it)", 2)]) {
        assert.deepEqual(restored(OPERATION, verdict), verdict);
      }
    }
  });

  it("has no words that its code says again, and no number of a person", () => {
    const plain = answerOf(OPERATION, answered(OPERATION, 200, { statusCode: 2000 }), false);
    assert.deepEqual(JSON.parse(plain), { statusCode: 2000, httpStatus: 200 });
    const said = answered(OPERATION, 200, { statusCode: 4031, statusMessage: "41790000001 is not there" });
    const stored = answerOf(OPERATION, said, true);
    assert.match(stored, /•••01 is not there/);
    assert.ok(!stored.includes(said.advice) && stored.length < 150, stored);
  });
});
