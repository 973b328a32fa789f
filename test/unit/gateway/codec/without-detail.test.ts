import assert from "node:assert/strict";
import { judge, localVerdict, withoutDetail } from "../../../../lib/gateway/codec/verdict";
import { LOCAL_FAULTS, type LocalFault } from "../../../../lib/gateway/contract/local-outcomes";
import { getMeaning } from "../../../../lib/gateway/contract/outcome-texts";
import { OPERATIONS } from "../../../../lib/gateway/contract/operations";
import { STATUS_CODES } from "../../../../lib/shared/outcomes";

const SECRET = "Your code is 4711";

const answered = (operation: keyof typeof OPERATIONS, status: number, body: unknown) =>
  judge(
    OPERATIONS[operation],
    {
      response: {
        status,
        headers: { "content-type": "application/json" },
        body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      },
    } as never,
    false,
    0,
  );

describe("withoutDetail", () => {
  it("keeps only the meaning of every local error", () => {
    for (const fault of Object.keys(LOCAL_FAULTS) as LocalFault[]) {
      const verdict = localVerdict(fault, SECRET, 2);
      assert.match(verdict.statusMessage, /4711/);
      const { statusMessage, ...rest } = withoutDetail("sms-form", verdict);
      assert.equal(statusMessage, getMeaning(LOCAL_FAULTS[fault]));
      const { statusMessage: _, ...same } = verdict;
      assert.deepEqual(rest, same);
    }
  });

  it("keeps the meaning of a status code without the text of the service", () => {
    const row = STATUS_CODES.find(({ style, code }) => style === "oauth" && code === 4009);
    assert.ok(row);
    const said = answered("whatsapp-text", 400, { statusCode: 4009, statusMessage: SECRET });
    assert.match(said.statusMessage, /4711/);
    const verdict = withoutDetail("whatsapp-text", said);
    assert.equal(verdict.statusMessage, getMeaning(row));
    assert.deepEqual([verdict.statusCode, verdict.outcome], [said.statusCode, said.outcome]);
    for (const code of [4999, 5999]) {
      const unlisted = answered("whatsapp-text", 400, { statusCode: code, statusMessage: SECRET });
      assert.match(unlisted.statusMessage, /4711/);
      assert.doesNotMatch(JSON.stringify(withoutDetail("whatsapp-text", unlisted)), /4711/);
    }
  });

  it("keeps the meaning of an HTTP status without a code", () => {
    for (const status of [302, 403, 429, 503, 599]) {
      const verdict = withoutDetail("sms-form", answered("sms-form", status, SECRET));
      assert.doesNotMatch(verdict.statusMessage, /4711|HTTP/);
      assert.equal(verdict.httpStatus, status);
    }
  });
});
