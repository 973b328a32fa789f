import assert from "node:assert/strict";
import type { Account } from "../../../../lib/runtime/account/account";
import {
  addOptOut,
  findOptOut,
  listOptOuts,
  optOutsCsv,
  removeOptOut,
} from "../../../../lib/runtime/opt-outs/opt-outs-view";
import { NoNumber } from "../../../../lib/runtime/store/history/history-view";
import type { OptOuts } from "../../../../lib/store/guards/opt-outs";
import { csvRequest } from "../../../support/csv/csv-request";
import { useAccountStore } from "../store/account-store";

const HEADER = ["=Number", "Scope", "Since", "Source"];

describe("the opt-outs in the sidebar", () => {
  const use = useAccountStore();
  let list: OptOuts;
  beforeEach(() => {
    list = use().store.optOuts("a1");
  });
  const account = (defaultCountry = ""): Account =>
    ({ defaultCountry, keepsMessages: true, optOuts: () => Promise.resolve(list) }) as unknown as Account;

  it("are found in any spelling", async () => {
    await list.add(["41791234567"], "advertisement", "inbound");
    const entryOf = async (text: string, country = "") => (await findOptOut(account(country), text)).entry;
    for (const text of ["0041 79 123 45 67", "+41 (0)79 123-45-67", "41791234567"]) {
      const entry = await entryOf(text);
      assert.deepEqual(
        [entry?.number, entry?.scope, entry?.source],
        ["+41791234567", "advertisement", "inbound"],
      );
      assert.ok(Math.abs(Date.parse(entry!.since) - Date.now()) < 60_000);
    }
    assert.equal((await entryOf("079 123 45 67", "CH"))?.number, "+41791234567");
    assert.deepEqual(await findOptOut(account(), "+41 79 000 00 00"), {
      number: "+41790000000",
      entry: null,
    });
    await assert.rejects(findOptOut(account(), "Ada"), NoNumber);
  });

  it("take numbers on and off, and say whether that changed anything", async () => {
    assert.deepEqual(await addOptOut(account("CH"), "079 123 45 67", "all"), {
      number: "+41791234567",
      changed: true,
    });
    assert.equal((await addOptOut(account(), "+41791234567", "advertisement")).changed, false);
    const [entry] = (await listOptOuts(account(), "")).entries;
    assert.deepEqual([entry?.scope, entry?.source], ["all", "sidebar"]);
    assert.deepEqual(await removeOptOut(account(), "+41791234567"), {
      number: "+41791234567",
      changed: true,
    });
    assert.equal((await removeOptOut(account(), "0041791234567")).changed, false);
    assert.equal(await list.count(), 0);
  });

  it("take no text that is not one phone number", async () => {
    for (const text of ["Ada", "+41791234567, +41791234568", "+41791234567, Ada", "12", "079 123 45 67"]) {
      await assert.rejects(addOptOut(account(), text, "all"), NoNumber, text);
    }
    await assert.rejects(removeOptOut(account(), "Ada"), NoNumber);
    assert.equal(await list.count(), 0);
  });

  it("are saved as CSV in which no cell is a formula, page by page", async () => {
    const numbers = Array.from({ length: 2_500 }, (_, at) => String(41790000000 + at));
    await list.add(numbers, "advertisement", "import");
    const chunks: string[] = [];
    const words = { "scope.advertisement": "nur Werbung" };
    const request = csvRequest({ form: "semicolon", header: HEADER, words });
    for await (const chunk of optOutsCsv(list, request)) {
      chunks.push(chunk);
    }
    assert.equal(chunks.length, 4, "a header and three pages");
    const [header, first, ...others] = chunks.join("").split("\r\n");
    assert.equal(header, "\uFEFF'=Number;Scope;Since;Source");
    assert.match(first ?? "", /^\+41 790000000;nur Werbung;\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d;import$/);
    assert.equal(others.length, 2_500);
  });
});
