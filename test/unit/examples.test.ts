import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WhereToGuard } from "../../lib/runtime/guards/where-to-guard";
import {
  readWhereToSettings,
  type WhereToConfig,
  type WhereToSettings,
} from "../../lib/runtime/guards/where-to-settings";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import { ROOT } from "../support/locales/locale-files";

interface Account extends WhereToConfig {
  readonly type: string;
}

const getAccounts = (path: string): readonly Account[] => {
  const nodes: readonly Account[] = JSON.parse(readFileSync(join(ROOT, path), "utf8"));
  return nodes.filter(({ type }) => type === "messaging-account");
};

describe("accounts of example flows", () => {
  const examples = readdirSync(join(ROOT, "examples"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => join("examples", name));

  it("have the delivery rules of a new account", () => {
    const { mobileOnly, noPremiumNumbers } = ACCOUNT_DEFAULTS;
    for (const path of [...examples, "docs/several-node-reds/flows.json"]) {
      const accounts = getAccounts(path);
      assert.notEqual(accounts.length, 0, path);
      for (const account of accounts) {
        assert.deepEqual(
          [account.mobileOnly, account.noPremiumNumbers],
          [mobileOnly, noPremiumNumbers],
          path,
        );
      }
    }
  });

  it("refuse expensive and foreign numbers when a public form sends the code", () => {
    const [path = ""] = examples.filter((name) => name.includes("21 - Login"));
    const [account] = getAccounts(path);
    const guard = new WhereToGuard(readWhereToSettings(account as Account) as WhereToSettings);
    const numbers = ["41900123456", "41445550100", "8821234567890", "12015550123", "41790000001"];
    assert.deepEqual(
      [...numbers, "999555000001"].map((number) => guard.reasonOf(number, { sms: true })),
      ["premium", "not-mobile", "country", "country", null, null],
    );
  });
});
