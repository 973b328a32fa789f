import assert from "node:assert/strict";
import { type RuleLists, ruleRecipients } from "../../../../lib/runtime/guards/rule-recipients";
import type { KeyUse } from "../../../../lib/store/guards/idempotency-keys";
import type { OptOut, OptOutScope } from "../../../../lib/store/guards/opt-outs";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";
import { StoreError } from "../../../../lib/store/engine/store-error";

const NOW = Date.parse("2026-11-22T15:44:00Z");
const LIST = ["41790000001", "41790000002", "41790000003", "41790000004", "41790000005"];
const [A, B, C, D, E] = LIST as [string, string, string, string, string];
const around = { hours: null, zone: "Europe/Zurich", now: NOW };
const once = { key: "k", within: 1_000, hash: "this" };

const optOut = (number: string, scope: OptOutScope): OptOut => ({ number, scope, at: 0, source: "flow" });
const use = (number: string, hash = "this", outcome: KeyUse["outcome"] = "sent"): KeyUse => ({
  number,
  hash,
  at: NOW - 1_000,
  outcome,
});

/** Lists that give what they have of the numbers they are asked for. */
function listsOf(optOuts: readonly OptOut[], uses: readonly KeyUse[] = []) {
  const asked: string[] = [];
  const lists: RuleLists = {
    optOuts: async (numbers) => {
      asked.push(`opt-outs ${numbers.length}`);
      return optOuts.filter(({ number }) => numbers.includes(number));
    },
    onceUses: async (key, numbers) => {
      asked.push(`${key} ${numbers.length}`);
      return uses.filter(({ number }) => numbers.includes(number));
    },
  };
  return { lists, asked };
}

async function divide(rules: Partial<RequestRules>, lists: RuleLists | null) {
  const { leaving, held } = await ruleRecipients(LIST, { ...NO_RULES, zone: "", ...rules }, around, lists);
  return {
    leaving: leaving.flatMap(({ recipients }) => recipients),
    held: held.map(({ recipients, verdict }) => `${verdict.statusName} ${recipients}`),
    texts: held.map(({ verdict }) => verdict.statusMessage),
  };
}

describe("the recipients of a list", () => {
  it("get a message with a once key once, and no other one with it", async () => {
    const { lists, asked } = listsOf(
      [optOut(A, "all")],
      [use(A), use(B), use(C, "other", "unknown"), use(D, "this", null)],
    );
    const { leaving, held, texts } = await divide({ once }, lists);
    assert.deepEqual(leaving, [E]);
    assert.deepEqual(held, [`OPTED_OUT ${A}`, `ALREADY_SENT ${B},${D}`, `KEY_REUSED ${C}`]);
    assert.match(texts[1] ?? "", /\+4179…002: sent Nov 22, 2026, .*; \+4179…004: on its way since/);
    assert.deepEqual(asked, ["opt-outs 5", "k 5"]);
  });

  it("are not looked up by a key that may be free when a scheduled message leaves", async () => {
    const { lists, asked } = listsOf([], [use(B)]);
    assert.deepEqual((await divide({ once, scheduled: NOW + 1_000 }, lists)).leaving, LIST);
    assert.deepEqual(asked, ["opt-outs 5"]);
  });

  it("are looked up when they leave where the store does not answer now", async () => {
    const failing: RuleLists = {
      optOuts: () => Promise.reject(new StoreError("STORE_SLOW", "place", "slow", false)),
      onceUses: () => Promise.reject(new StoreError("STORE_SLOW", "place", "slow", false)),
    };
    assert.deepEqual((await divide({ once }, failing)).leaving, LIST);
    const broken = { ...failing, optOuts: () => Promise.reject(new TypeError("broken")) };
    await assert.rejects(divide({}, broken), TypeError);
  });
});
