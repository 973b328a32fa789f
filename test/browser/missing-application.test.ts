import assert from "node:assert/strict";
import { account, sender } from "../support/editor/flow-nodes";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const REAL = { service: "service", serviceAddress: "https://api.example.com" };
const FLOWS = [
  EMPTY_TAB,
  account("account", REAL),
  account("with", { ...REAL, applicationId: "6f6a1d0e-8f0b-4c55-9f0f-0c9d1f0b7a11" }),
  account("simulated"),
  sender("rcs", "rcs-send", { kind: "text" }),
  sender("whatsapp", "whatsapp-send", { kind: "text" }),
];
const HINT = ".messaging-no-application";

function applicationTests(bench: EditorBench): void {
  itOnBoth("says what to do where the account of a message has no application id", async () => {
    const { editor } = bench;
    const { page } = editor;
    const hint = page.locator(HINT);
    await editor.show("rcs");
    await hint.waitFor();
    assert.match(await hint.innerText(), /no application id.*Open the account with the pencil/s);
    for (const id of ["with", "simulated"]) {
      await page.selectOption("#node-input-account", id);
      await hint.waitFor({ state: "hidden" });
    }
    await page.selectOption("#node-input-account", "account");
    await hint.waitFor();
    await editor.type("applicationId", "str", "6f6a1d0e-8f0b-4c55-9f0f-0c9d1f0b7a11");
    await hint.waitFor({ state: "hidden" });
  });

  itOnBoth("leaves broadcasts alone, which name no application", async () => {
    const { editor } = bench;
    const hint = editor.page.locator(HINT);
    await editor.show("whatsapp");
    await hint.waitFor();
    await editor.page.selectOption("#node-input-kind", "broadcast");
    await hint.waitFor({ state: "hidden" });
  });
}

onEachEditor("the hint of a missing application id", applicationTests, { flows: FLOWS });
