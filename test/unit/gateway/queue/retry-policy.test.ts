import assert from "node:assert/strict";
import type { HttpAnswer } from "../../../../lib/gateway/http/exchange";
import { OPERATIONS } from "../../../../lib/gateway/contract/operations";
import { RETRY_DEFAULTS, retryDelay } from "../../../../lib/gateway/queue/retry-policy";
import { judge, localVerdict, type Verdict } from "../../../../lib/gateway/codec/verdict";
import { LOCAL_FAULTS, type LocalFault } from "../../../../lib/gateway/contract/local-outcomes";
import * as contract from "../../contract/contract-fixture";

const BOUNDS = { maxAttempts: 5, baseDelay: 500, maxDelay: 3_000, longestWait: 60_000 };
const ALMOST_ONE = 1 - Number.EPSILON;

function answered(style: "legacy" | "oauth", status: number, statusCode: number | null): Verdict {
  const body = Buffer.from(statusCode === null ? "<html>" : JSON.stringify({ statusCode }));
  const answer: HttpAnswer = { status, headers: {}, body };
  return judge(OPERATIONS[style === "legacy" ? "sms-json" : "whatsapp-text"], { answer }, false, 0);
}

type Row = readonly [what: string, verdict: Verdict, retried: boolean];

const CODES: ReadonlySet<number> = new Set(contract.retried.codes);
const STATUSES: ReadonlySet<number> = new Set(contract.retried.bareHttp);
const FAULTS: ReadonlySet<string> = new Set([
  "NAME_LOOKUP_FAILED",
  "CONNECT_FAILED",
  "CONNECT_TIMEOUT",
  "TLS_FAILED",
  "PROXY_FAILED",
  "TOKEN_UNAVAILABLE",
]);

const legacy = [...contract.legacyCodes.map(({ code }) => code), 2002, 4000, 4029, 5001, 6000, 0];
const statuses = Array.from({ length: 400 }, (_, at) => 200 + at);
const rows: readonly Row[] = [
  ...legacy.map((code): Row => [`legacy ${code}`, answered("legacy", 200, code), CODES.has(code)]),
  ...contract.oauthCodes.map(
    ({ code }): Row => [`oauth ${code}`, answered("oauth", code === 2000 ? 201 : 400, code), CODES.has(code)],
  ),
  ...statuses.map(
    (status): Row => [`HTTP ${status} alone`, answered("legacy", status, null), STATUSES.has(status)],
  ),
  ...(Object.keys(LOCAL_FAULTS) as LocalFault[]).map(
    (fault): Row => [fault, localVerdict(fault, "", 1), FAULTS.has(fault)],
  ),
];

describe("gateway retry policy", () => {
  it("repeats exactly what was certainly not sent and may succeed soon, until the attempts are used up", () => {
    for (const [what, verdict, retried] of rows) {
      for (let attempts = 1; attempts <= BOUNDS.maxAttempts + 1; attempts++) {
        const due = retried && attempts < BOUNDS.maxAttempts;
        const tried = { ...verdict, attempts };
        const ceiling = Math.min(3_000, 500 * 2 ** (attempts - 1));
        assert.equal(retryDelay(tried, BOUNDS, 0), due ? 0 : null, `${what}, attempt ${attempts}`);
        const longest = retryDelay(tried, BOUNDS, ALMOST_ONE);
        const asDue = due ? Number(longest) < ceiling && Number(longest) > ceiling * 0.999 : longest === null;
        assert.ok(asDue, `${what}, attempt ${attempts}: ${longest}`);
      }
    }
  });

  it("never repeats what has another outcome than retry-later, with any retry column and Retry-After", () => {
    for (const outcome of ["sent", "queued", "rejected", "denied", "unknown"] as const) {
      for (const retry of ["never", "reads", "back-off"] as const) {
        for (const retryAfter of [null, 0, 1_000]) {
          assert.equal(retryDelay({ outcome, retry, attempts: 1, retryAfter }, BOUNDS, 0), null);
        }
      }
    }
  });

  it("never repeats what its row says not to repeat", () => {
    for (const retry of ["never", "reads"] as const) {
      const verdict = { outcome: "retry-later", retry, attempts: 1, retryAfter: null } as const;
      assert.equal(retryDelay(verdict, BOUNDS, 0), null, retry);
    }
  });

  it("waits at least as long as asked, with jitter on top, and not at all where that is too long", () => {
    const busy = answered("legacy", 200, 5003);
    for (const retryAfter of [0, 1, 7_000, 60_000]) {
      assert.equal(retryDelay({ ...busy, retryAfter }, BOUNDS, 0), retryAfter);
      assert.equal(retryDelay({ ...busy, retryAfter }, BOUNDS, 0.5), retryAfter + 250);
    }
    for (const retryAfter of [60_001, 1e12, Number.POSITIVE_INFINITY]) {
      assert.equal(retryDelay({ ...busy, retryAfter }, BOUNDS, 0), null);
    }
  });

  it("uses the whole width of the jitter", () => {
    const tried = { ...answered("legacy", 200, 5003), attempts: 2 };
    const delays = [0, 0.25, 0.5, 0.75].map((random) => retryDelay(tried, BOUNDS, random));
    assert.deepEqual(delays, [0, 250, 500, 750]);
  });

  it("has the documented default bounds", () => {
    assert.deepEqual(RETRY_DEFAULTS, { ...BOUNDS, maxDelay: 30_000 });
    const late = { ...answered("legacy", 200, 5003), attempts: 19 };
    assert.ok(Number(retryDelay(late, { ...RETRY_DEFAULTS, maxAttempts: 20 }, ALMOST_ONE)) < 30_000);
  });
});
