import assert from "node:assert/strict";
import { ASSUMED_PATHS } from "../../../../lib/shared/fields/account-defaults";
import { LIMITS } from "../../../../lib/shared/fields/limits";
import { findStatusCode, OUTCOMES, STATUS_CODES } from "../../../../lib/shared/outcomes";
import { findBareStatus, LOCAL_FAULTS, unlistedCode } from "../../../../lib/gateway/contract/local-outcomes";
import { adviceOf, meaningOf } from "../../../../lib/gateway/contract/outcome-texts";
import { OPERATIONS } from "../../../../lib/gateway/contract/operations";
import * as contract from "../../contract/contract-fixture";

const sorted = <T>(values: Iterable<T>): T[] => [...values].sort();
const codesOf = (style: string): number[] =>
  sorted(STATUS_CODES.filter((row) => row.style === style).map(({ code }) => code));

describe("gateway tables: status codes", () => {
  it("has the contract's codes of each style, each once, and no other", () => {
    assert.deepEqual(codesOf("legacy"), sorted(contract.legacyCodes.map(({ code }) => code)));
    assert.deepEqual(codesOf("oauth"), sorted(contract.oauthCodes.map(({ code }) => code)));
  });

  for (const fact of contract.legacyCodes) {
    it(`legacy ${fact.code} has the contract's name, lists and outcome`, () => {
      const row = findStatusCode("legacy", fact.code);
      assert.equal(row?.name, fact.name);
      assert.equal(row?.outcome, fact.outcome);
      assert.deepEqual(sorted(row?.lists ?? []), sorted(fact.lists));
    });
  }

  for (const fact of contract.oauthCodes) {
    it(`oauth ${fact.code} has the contract's name, lists and outcome`, () => {
      const row = findStatusCode("oauth", fact.code);
      assert.equal(row?.name, fact.name);
      assert.equal(row?.outcome, fact.outcome);
      assert.deepEqual(sorted(row?.lists ?? []), sorted(fact.listedFor));
    });
  }

  it("gives 4028 a meaning of its own for each kind, and no other code", () => {
    for (const row of STATUS_CODES) {
      const narrowed = sorted(row.narrower ?? []);
      const expected = row.style === "oauth" && row.code === 4028 ? ["media", "rcs", "template", "text"] : [];
      assert.deepEqual(narrowed, expected, `${row.style} ${row.code}`);
    }
    const row = STATUS_CODES.find(({ style, code }) => style === "oauth" && code === 4028);
    assert.ok(row);
    const fact = contract.oauthCodes.find(({ code }) => code === 4028);
    for (const kind of ["text", "media", "template"] as const) {
      for (const word of fact?.keywordsByKind?.[kind] ?? ["missing in the fixture"]) {
        assert.match(meaningOf(row, kind), new RegExp(word, "i"), kind);
      }
    }
    assert.equal(new Set(row.narrower?.map((kind) => meaningOf(row, kind))).size, 4);
  });

  it("says of every code what it means and what to do", () => {
    for (const row of STATUS_CODES) {
      for (const text of [meaningOf(row), adviceOf(row)]) {
        assert.match(text, /^[A-Z].*\.$/s, row.text);
      }
    }
  });

  it("tells 4001 and 4034 apart by style", () => {
    assert.notEqual(findStatusCode("legacy", 4001)?.name, findStatusCode("oauth", 4001)?.name);
    assert.notEqual(findStatusCode("legacy", 4034)?.name, findStatusCode("oauth", 4034)?.name);
  });

  const unlisted = [
    ...[4000, 4005, 4006, 4007, 4024, 4042, 4043, 4999].map((code) => [code, "rejected"] as const),
    ...[2002, 2999, 0, 1, 200, 3999, 5001, 5002, 5999, 6000, -4001, 40_010].map(
      (code) => [code, "unknown"] as const,
    ),
  ];
  for (const [code, outcome] of unlisted) {
    it(`takes the unlisted ${code} for ${outcome}`, () => assert.equal(unlistedCode(code).outcome, outcome));
  }
});

describe("gateway tables: answers without a code", () => {
  for (const { status, outcome } of contract.bareHttp) {
    it(`HTTP ${status} alone is ${outcome}`, () => assert.equal(findBareStatus(status).outcome, outcome));
  }

  it("takes every other 3xx, 4xx and 5xx like its range, and 2xx for unreadable", () => {
    const named = new Set(contract.bareHttp.map(({ status }) => status));
    for (let status = 200; status < 600; status++) {
      if (!named.has(status)) {
        const expected = ["unknown", "denied", "rejected", "unknown"][Math.floor(status / 100) - 2];
        assert.equal(findBareStatus(status).outcome, expected, `HTTP ${status}`);
      }
    }
    assert.equal(findBareStatus(200).name, "ANSWER_UNREADABLE");
  });

  it("moves 503 alone by the account's choice, and nothing else", () => {
    for (let status = 200; status < 600; status++) {
      const expected = status === 503 ? contract.bare503WhenNotAccepted : findBareStatus(status).outcome;
      assert.equal(findBareStatus(status, true).outcome, expected, `HTTP ${status}`);
    }
  });
});

describe("gateway tables: retry and throttle", () => {
  const statuses = Array.from({ length: 400 }, (_none, at) => 200 + at);
  const unlisted = Array.from({ length: 10_000 }, (_none, code) => unlistedCode(code));

  it("repeats the codes and statuses of the contract, in both styles, and no other", () => {
    for (const { style, code, retry } of STATUS_CODES) {
      const listed = contract.retried.codes.some((each) => each === code);
      assert.equal(retry === "back-off", listed, `${style} ${code}`);
    }
    const repeated = statuses.filter((status) => findBareStatus(status).retry === "back-off");
    assert.deepEqual(repeated, contract.retried.bareHttp);
    assert.deepEqual(
      unlisted.filter(({ retry }) => retry === "back-off"),
      [],
    );
    const withSetting = statuses.filter((status) => findBareStatus(status, true).retry === "back-off");
    assert.deepEqual(withSetting, [429, 503]);
  });

  it("throttles after the codes and statuses of the contract, in both styles, and no other", () => {
    for (const { style, code, throttle } of STATUS_CODES) {
      const listed = contract.throttling.codes.some((each) => each === code);
      assert.equal(throttle, listed ? "origin" : "none", `${style} ${code}`);
    }
    const throttling = statuses.filter((status) => findBareStatus(status).throttle === "origin");
    assert.deepEqual(throttling, contract.throttling.bareHttp);
    for (const { name, throttle } of [...Object.values(LOCAL_FAULTS), ...unlisted]) {
      assert.equal(throttle, "none", name);
    }
  });

  it("repeats by itself only what has the outcome retry-later, and repeats reads only where that is unknown", () => {
    const bare = statuses.flatMap((status) => [findBareStatus(status), findBareStatus(status, true)]);
    for (const { name, outcome, retry } of [
      ...STATUS_CODES,
      ...bare,
      ...unlisted,
      ...Object.values(LOCAL_FAULTS),
    ]) {
      if (retry !== "never") {
        assert.equal(outcome, retry === "back-off" ? "retry-later" : "unknown", name);
      }
    }
  });

  it("repeats no read whose answer came and cannot be used", () => {
    const never = Object.values(LOCAL_FAULTS).filter(
      ({ outcome, retry }) => outcome === "unknown" && retry === "never",
    );
    assert.deepEqual(
      never.map(({ name }) => name),
      ["ANSWER_UNREADABLE", "ANSWER_CONTRADICTORY"],
    );
  });

  it("says of the two faults of a stopped node whether the request had left, and of no other", () => {
    const stopped = Object.values(LOCAL_FAULTS).filter((fault) => fault.stopped !== null);
    assert.deepEqual(
      stopped.map((fault) => [fault.name, fault.outcome, fault.stopped]),
      [
        ["CLOSING", "retry-later", "unsent"],
        ["STOPPED_WAITING", "unknown", "sent"],
      ],
    );
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
    const limit = (what: string, operation?: string) =>
      contract.limits.find(
        (fact) =>
          fact.what === what && (operation === undefined || fact.appliesTo.some((id) => id === operation)),
      );
    assert.equal(LIMITS.recipientsPerRequest, limit("recipients")?.max);
    assert.equal(LIMITS.broadcastContent, limit("messageContent")?.max);
    assert.equal(LIMITS.textContent, limit("content", "whatsapp-text")?.max);
    assert.equal(LIMITS.mediaDescription, limit("content", "whatsapp-media")?.max);
    assert.equal(LIMITS.templateContent, limit("personalised template content")?.max);
    assert.equal(LIMITS.placeholderValue, limit("placeholder value")?.max);
    assert.equal(LIMITS.validityPeriodeMin, limit("validityPeriode")?.min);
    assert.equal(LIMITS.validityPeriodeMax, limit("validityPeriode")?.max);
    assert.deepEqual([LIMITS.msisdnDigitsMin, LIMITS.msisdnDigitsMax], [5, 15]);
  });
});

describe("gateway tables: operations", () => {
  it("has the contract's operations and no other", () => {
    assert.deepEqual(sorted(Object.keys(OPERATIONS)), sorted(contract.operations.map(({ id }) => id)));
  });

  const answers = { form: ["legacy-form"], json: ["json", "upload", "token"], binary: ["bytes"] };
  for (const fact of contract.operations) {
    it(`${fact.id} has the contract's style, method, path, encodings, scope and recipients`, () => {
      const operation = OPERATIONS[fact.id];
      assert.equal(operation.id, fact.id);
      assert.equal(operation.style, fact.style);
      assert.equal(operation.auth, fact.authentication === "client-basic" ? "client" : fact.authentication);
      assert.equal(operation.method, fact.method);
      assert.equal(operation.path, fact.path);
      assert.equal(operation.encoding, fact.requestEncoding);
      assert.equal(operation.scope, fact.scope);
      const recipients = fact.recipients && {
        field: fact.recipients.field,
        many: fact.recipients.count === "list",
        plus: fact.style === "oauth",
      };
      assert.deepEqual(operation.recipients, recipients);
      assert.equal(operation.effect === "read", fact.effect !== "send");
      assert.ok(answers[fact.answerEncoding].includes(operation.answer), operation.answer);
    });
  }

  it("lets the account change the paths that the contract does not show, and no other", () => {
    const changeable = Object.values(OPERATIONS).filter(({ pathAssumed }) => pathAssumed);
    const unseen = contract.operations.filter(({ assumed }) => assumed.includes("path"));
    assert.deepEqual(sorted(changeable.map(({ id }) => id)), sorted(unseen.map(({ id }) => id)));
    assert.deepEqual(Object.fromEntries(changeable.map(({ id, path }) => [id, path])), ASSUMED_PATHS);
  });

  it("offers the prefix /rest for the two legacy paths printed without it", () => {
    const optional = Object.values(OPERATIONS).filter(({ restPrefixOptional }) => restPrefixOptional);
    assert.deepEqual(sorted(optional.map(({ id }) => id)), ["attachment-create", "whatsapp-broadcast"]);
    const legacy = Object.values(OPERATIONS).filter(({ style }) => style === "legacy");
    for (const { path, restPrefixOptional } of legacy) {
      assert.equal(path.startsWith("/rest/"), !restPrefixOptional, path);
    }
  });
});
