import assert from "node:assert/strict";
import { ASSUMED_PATHS } from "../../../../lib/shared/fields/account-defaults";
import { LIMITS } from "../../../../lib/shared/fields/limits";
import { OUTCOMES, STATUS_CODES } from "../../../../lib/shared/outcomes";
import { findBareStatus, LOCAL_FAULTS, unlistedCode } from "../../../../lib/gateway/contract/local-outcomes";
import { OPERATIONS } from "../../../../lib/gateway/contract/operations";
import * as contract from "../../contract/contract-fixture";

const sorted = <T>(values: Iterable<T>): T[] => [...values].sort();
const idsOf = (rows: Iterable<{ readonly id: string }>): string[] => sorted([...rows].map(({ id }) => id));
const namesOf = (rows: Iterable<{ readonly name: string }>): string[] => [...rows].map(({ name }) => name);
const statuses = Array.from({ length: 400 }, (_none, at) => 200 + at);

describe("gateway tables: status codes", () => {
  const facts = { legacy: contract.legacyCodes, oauth: contract.oauthCodes } as const;
  it("gives each code of the contract its name and outcome, and has no other code", () => {
    for (const style of ["legacy", "oauth"] as const) {
      const rows = STATUS_CODES.filter((row) => row.style === style);
      const found = rows.map(({ code, name, outcome }) => ({ code, name, outcome }));
      const wanted = facts[style].map(({ code, name, outcome }) => ({ code, name, outcome }));
      const byCode = (a: { code: number }, b: { code: number }): number => a.code - b.code;
      assert.deepEqual(found.sort(byCode), wanted.sort(byCode));
    }
  });

  it("rejects an unlisted 4xxx, and calls any other unlisted code unknown", () => {
    for (const [outcome, codes] of Object.entries({
      rejected: [4000, 4005, 4024, 4043, 4999],
      unknown: [2002, 0, 200, 3999, 5001, 6000, -4001, 40_010],
    })) {
      assert.deepEqual([...new Set(codes.map((code) => unlistedCode(code).outcome))], [outcome]);
    }
  });
});

describe("gateway tables: responses without a code", () => {
  it("gives each HTTP status of the contract its outcome when there is no code", () => {
    for (const { status, outcome } of contract.bareHttp) {
      assert.equal(findBareStatus(status).outcome, outcome, `HTTP ${status}`);
    }
  });

  it("reads every other 3xx, 4xx and 5xx by its range, and 2xx as unreadable", () => {
    const named = new Set(contract.bareHttp.map(({ status }) => status));
    for (const status of statuses.filter((each) => !named.has(each))) {
      const expected = ["unknown", "denied", "rejected", "unknown"][Math.floor(status / 100) - 2];
      assert.equal(findBareStatus(status).outcome, expected, `HTTP ${status}`);
    }
    assert.equal(findBareStatus(200).name, "ANSWER_UNREADABLE");
  });

  it("changes only a bare 503 by the account's setting", () => {
    for (const status of statuses) {
      const expected = status === 503 ? contract.bare503WhenNotAccepted : findBareStatus(status).outcome;
      assert.equal(findBareStatus(status, true).outcome, expected, `HTTP ${status}`);
    }
  });
});

describe("gateway tables: retry and throttle", () => {
  const unlisted = Array.from({ length: 10_000 }, (_none, code) => unlistedCode(code));
  const local = Object.values(LOCAL_FAULTS);

  it("repeats the codes and statuses of the contract, in both styles, and no other", () => {
    const retried: readonly number[] = contract.retried.codes;
    for (const { style, code, retry } of STATUS_CODES) {
      assert.equal(retry === "back-off", retried.includes(code), `${style} ${code}`);
    }
    assert.ok(unlisted.every(({ retry }) => retry !== "back-off"));
    const repeated = (refusedAt503: boolean): number[] =>
      statuses.filter((status) => findBareStatus(status, refusedAt503).retry === "back-off");
    assert.deepEqual(repeated(false), contract.retried.bareHttp);
    assert.deepEqual(repeated(true), [429, 503]);
  });

  it("throttles after the codes and statuses of the contract, in both styles, and no other", () => {
    const throttling: readonly number[] = contract.throttling.codes;
    for (const { style, code, throttle } of STATUS_CODES) {
      assert.equal(throttle, throttling.includes(code) ? "origin" : "none", `${style} ${code}`);
    }
    const throttled = statuses.filter((status) => findBareStatus(status).throttle === "origin");
    assert.deepEqual(throttled, contract.throttling.bareHttp);
    for (const { name, throttle } of [...local, ...unlisted]) {
      assert.equal(throttle, "none", name);
    }
  });

  it("retries only retry-later outcomes, and unknown ones of reads", () => {
    const bare = statuses.flatMap((status) => [findBareStatus(status), findBareStatus(status, true)]);
    for (const { name, outcome, retry } of [...STATUS_CODES, ...bare, ...unlisted, ...local]) {
      if (retry === "back-off" || retry === "reads") {
        assert.equal(outcome, retry === "back-off" ? "retry-later" : "unknown", name);
      } else if (retry !== "never") {
        assert.equal(outcome, "denied", name);
      }
    }
  });

  it("waits for the sign-in only after a refused sign-in", () => {
    const codes = STATUS_CODES.filter(({ retry }) => retry === "sign-in");
    assert.deepEqual(
      codes.map(({ style, code }) => `${style} ${code}`),
      ["legacy 4001", "legacy 4014", "legacy 4021", "legacy 4022", "oauth 4014"],
    );
    const waiting = statuses.map((status) => [status, findBareStatus(status).retry] as const);
    assert.deepEqual(
      waiting.filter(([, retry]) => retry.startsWith("sign-in")),
      [
        [401, "sign-in"],
        [403, "sign-in-twice"],
      ],
    );
    assert.deepEqual(namesOf(local.filter(({ retry }) => retry === "client")), ["TOKEN_REFUSED"]);
    assert.ok(unlisted.every(({ retry }) => !retry.startsWith("sign-in")));
  });

  it("retries local errors only when certainly nothing was sent", () => {
    const names =
      "NAME_LOOKUP_FAILED CONNECT_FAILED CONNECT_TIMEOUT TLS_FAILED PROXY_FAILED TOKEN_UNAVAILABLE";
    assert.deepEqual(namesOf(local.filter(({ retry }) => retry === "back-off")), names.split(" "));
  });
});

describe("gateway tables: outcomes and limits", () => {
  it("has the six outcomes, their ports and whether sending again is safe", () => {
    const rows = Object.values(OUTCOMES).map(({ outcome, portOf4, portOf6, failure, resend }) =>
      [outcome, portOf4 + 1, portOf6 + 1, failure, resend].join(" "),
    );
    assert.deepEqual(rows, [
      "sent 1 1 false no",
      "queued 1 2 false no",
      "rejected 2 3 true after-change",
      "denied 2 4 true after-change",
      "retry-later 3 5 true yes",
      "unknown 4 6 true check-first",
    ]);
  });

  it("has the contract's limits", () => {
    for (const [name, limit] of Object.entries(contract.limits)) {
      assert.equal(LIMITS[name as keyof typeof contract.limits], limit, name);
    }
    assert.deepEqual([LIMITS.msisdnDigitsMin, LIMITS.msisdnDigitsMax], [5, 15]);
  });
});

describe("gateway tables: operations", () => {
  const all = Object.values(OPERATIONS);

  it("has the contract's operations and no other", () => {
    assert.deepEqual(sorted(Object.keys(OPERATIONS)), idsOf(contract.operations));
  });

  const answers = { form: ["legacy-form"], json: ["json", "upload", "token"], binary: ["bytes"] };
  it("has the style, method, path, encodings, scope and recipients of each operation", () => {
    for (const fact of contract.operations) {
      const { style, auth, method, path, encoding, scope, recipients, effect, response } =
        OPERATIONS[fact.id];
      assert.deepEqual(
        { style, auth, method, path, encoding, scope, recipients, isRead: effect === "read" },
        {
          style: fact.style,
          auth: fact.authentication === "client-basic" ? "client" : fact.authentication,
          method: fact.method,
          path: fact.path,
          encoding: fact.requestEncoding,
          scope: fact.scope,
          recipients: fact.recipients && {
            field: fact.recipients.field,
            many: fact.recipients.count === "list",
            plus: fact.style === "oauth",
          },
          isRead: fact.effect !== "send",
        },
        fact.id,
      );
      assert.ok(answers[fact.answerEncoding].includes(response), response);
    }
  });

  it("lets the account change the paths that the contract does not show, and no other", () => {
    const changeable = all.filter(({ pathAssumed }) => pathAssumed);
    assert.deepEqual(idsOf(changeable), idsOf(contract.operations.filter(({ pathAssumed }) => pathAssumed)));
    assert.deepEqual(Object.fromEntries(changeable.map(({ id, path }) => [id, path])), ASSUMED_PATHS);
  });

  it("offers the prefix /rest for the two legacy paths without it", () => {
    const optional = all.filter(({ restPrefixOptional }) => restPrefixOptional);
    assert.deepEqual(idsOf(optional), ["attachment-create", "whatsapp-broadcast"]);
    for (const { path, restPrefixOptional } of all.filter(({ style }) => style === "legacy")) {
      assert.equal(path.startsWith("/rest/"), !restPrefixOptional, path);
    }
  });
});
