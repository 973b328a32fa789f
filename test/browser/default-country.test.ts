import assert from "node:assert/strict";
import { account, msg, node, sender, str } from "../support/editor/flow-nodes";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const TEXT = str("messageContent", "Dear {{name}}");
const FLOWS = () => [
  EMPTY_TAB,
  account("account", { defaultCountry: "" }),
  account("swiss", { defaultCountry: "CH" }),
  sender("rows", "sms-send", {
    ...msg("recipientAddressList", "payload"),
    ...TEXT,
    braces: "fill",
    rowNumber: "",
  }),
  sender("to", "sms-send", { ...msg("recipientAddressList", "to"), ...TEXT, braces: "fill", rowNumber: "" }),
  sender("typed", "sms-send", { ...str("recipientAddressList", "+41791000001, 079 100 00 02"), ...TEXT }),
  node("code", "verify-code", { account: "account", kind: "make", ...str("number", "079 100 00 03") }),
];
const HINT = ".messaging-no-country:visible";

function countryTests(bench: EditorBench): void {
  const page = () => bench.editor.page;
  const said = async (below: string): Promise<string> => {
    const hint = page().locator(`${below} ${HINT}`);
    await hint.waitFor();
    return hint.innerText();
  };
  const gone = () => page().locator(HINT).waitFor({ state: "detached" });
  const paste = async (row: string): Promise<void> => {
    await page().selectOption("#messaging-sample-from", "row");
    await page().fill(".messaging-sample textarea", row);
  };

  itOnBoth("a row's national number cannot be read without one, which its button leads to", async () => {
    await bench.editor.show("rows");
    await paste("name;mobile\nAnna;+41 79 100 00 01");
    await page().locator(".messaging-row-number .messaging-hint", { hasText: "+41 79 100 00 01" }).waitFor();
    await gone();
    await paste("name;mobile\nAnna;079 100 00 01");
    assert.match(
      await said(".messaging-row-number"),
      /“079 100 00 01” cannot be read: .* no default country/,
    );
    await page().selectOption("#node-input-account", "swiss");
    await gone();
    await page().selectOption("#node-input-account", "account");
    await said(".messaging-row-number");
    await page().click(`${HINT} button`);
    await page().locator("#node-config-input-defaultCountry").waitFor({ state: "attached" });
    await page().evaluate(`$("#node-config-input-defaultCountry").val("CH").trigger("change")`);
    await page().click("#node-config-dialog-ok");
    await page().locator(".messaging-row-number").waitFor();
    await gone();
  });

  itOnBoth("says so of a number of the message, of typed ones, and of the one of a code", async () => {
    await bench.editor.show("to");
    await paste(JSON.stringify({ to: ["0791000004"], payload: {} }));
    assert.match(await said(".form-row:has(#node-input-recipientAddressList)"), /“0791000004”/);
    await bench.editor.cancel();
    await bench.editor.show("typed");
    assert.match(await said(".form-row:has(#node-input-recipientAddressList)"), /“079 100 00 02”/);
    await bench.editor.type("recipientAddressList", "str", "+41791000001");
    await gone();
    await bench.editor.type("recipientAddressList", "str", "079 100 00 05");
    await said(".form-row:has(#node-input-recipientAddressList)");
    await bench.editor.type("recipientAddressList", "msg", "to");
    await gone();
    await bench.editor.cancel();
    await bench.editor.show("code");
    assert.match(await said(".form-row:has(#node-input-number)"), /“079 100 00 03”/);
    await page().selectOption("#node-input-account", "swiss");
    await gone();
  });
}

onEachEditor("a default country that is missing", countryTests, { flows: FLOWS() });
