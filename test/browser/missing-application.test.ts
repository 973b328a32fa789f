import assert from "node:assert/strict";
import { openNode } from "../support/editor/gallery";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const account = (id: string, given: object) => ({
  id,
  type: "messaging-account",
  name: id,
  keepMessages: "memory",
  ...given,
});
const node = (id: string, type: string, y: number, given: object = {}) => ({
  id,
  type,
  z: "tab",
  x: 300,
  y,
  account: "without",
  outputs: 4,
  wires: [],
  ...given,
});
const REAL = { service: "service", serviceAddress: "https://api.example.com" };
const FLOWS = [
  EMPTY_TAB,
  account("without", REAL),
  account("with", { ...REAL, applicationId: "6f6a1d0e-8f0b-4c55-9f0f-0c9d1f0b7a11" }),
  account("simulated", { service: "simulator" }),
  node("rcs", "rcs-send", 100, { kind: "text" }),
  node("whatsapp", "whatsapp-send", 200, { kind: "text" }),
];
const HINT = ".messaging-no-application";

function applicationTests(bench: EditorBench): void {
  itOnBoth("says what to do where the account of a message has no application id", async () => {
    const { editor } = bench;
    const { page } = editor;
    const hint = page.locator(HINT);
    await openNode(editor, "rcs");
    await hint.waitFor();
    assert.match(await hint.innerText(), /no application id.*Open the account with the pencil/s);
    for (const id of ["with", "simulated"]) {
      await page.selectOption("#node-input-account", id);
      await hint.waitFor({ state: "hidden" });
    }
    await page.selectOption("#node-input-account", "without");
    await hint.waitFor();
    await editor.type("applicationId", "str", "6f6a1d0e-8f0b-4c55-9f0f-0c9d1f0b7a11");
    await hint.waitFor({ state: "hidden" });
  });

  itOnBoth("leaves broadcasts alone, which name no application", async () => {
    const { editor } = bench;
    const hint = editor.page.locator(HINT);
    await openNode(editor, "whatsapp");
    await hint.waitFor();
    await editor.page.selectOption("#node-input-kind", "broadcast");
    await hint.waitFor({ state: "hidden" });
  });
}

onEachEditor("the hint of a missing application id", applicationTests, { flows: FLOWS as never });
