import assert from "node:assert/strict";
import { account, inject, node, sender, str } from "../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import type { Flows } from "../support/node-red/admin-client";

const text = (id: string, z: string, name: string) =>
  sender(id, "sms-send", {
    z,
    name,
    ...str("recipientAddressList", "+41791234567"),
    ...str("messageContent", "Hello"),
  });
const begin = (id: string, z: string, to: string) => ({ ...inject(id, to), z });

const flowsOf = (disabled: boolean): Flows => [
  { id: "front", type: "tab", label: "Front" },
  { id: "back", type: "tab", label: "Back", disabled },
  account("account", { name: "A shop", defaultCountry: "CH" }),
  {
    id: "sub",
    type: "subflow",
    name: "Reminder",
    in: [{ x: 60, y: 100, wires: [{ id: "inner" }] }],
    out: [],
  },
  text("inner", "sub", "Inner"),
  begin("begin-back", "back", "outer"),
  text("outer", "back", "Outer"),
  begin("begin-sub", "front", "instance"),
  node("instance", "subflow:sub", { z: "front" }),
];

function openTests(bench: EditorBench): void {
  async function show(): Promise<void> {
    await bench.nodeRed.request("DELETE", "/messaging-account/activity");
    await bench.editor.page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
  }
  /** Opens the node of the only row of a name; the front tab is shown before. */
  async function open(name: string): Promise<void> {
    const { page } = bench.editor;
    await page.evaluate('RED.workspaces.show("front")');
    await page.locator(".messaging-activity-entry", { hasText: name }).first().click();
    await page.getByRole("button", { name: "Open the node" }).click();
  }
  const dialogName = async (): Promise<string> => {
    const { page } = bench.editor;
    await page.waitForSelector("#dialog-form", { state: "visible" });
    const name = await page.locator("#node-input-name").inputValue();
    const place = await page.evaluate<string>("RED.workspaces.active()");
    await page.locator("#node-dialog-cancel").click();
    await page.waitForSelector("#dialog-form", { state: "detached" });
    return `${name} in ${place}`;
  };

  itOnBoth(
    "opens the node of a row in another tab, in one that is disabled now, and in a subflow",
    async () => {
      await show();
      await bench.nodeRed.inject("begin-back");
      await open("Outer");
      assert.equal(await dialogName(), "Outer in back");
      await bench.deploy(flowsOf(true));
      await bench.editor.renew();
      await bench.editor.page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
      await open("Outer");
      assert.equal(await dialogName(), "Outer in back");
      await show();
      await bench.nodeRed.inject("begin-sub");
      await open("Inner");
      assert.equal(await dialogName(), "Inner in sub");
    },
  );

  itOnBoth(
    "finds a number in every spelling while it is typed, and never says that nothing matches",
    async () => {
      await show();
      await bench.nodeRed.inject("begin-back");
      const { page } = bench.editor;
      const row = page.locator(".messaging-activity-entry", { hasText: "Outer" });
      await row.waitFor();
      await page.evaluate(`(() => {
      const list = document.querySelector(".messaging-activity-entries");
      window.said = [];
      new MutationObserver(() => window.said.push(list.textContent)).observe(list, { childList: true, subtree: true });
    })()`);
      const box = page.locator(".messaging-activity-search input");
      for (const typed of [
        "0791234567",
        "079 123 45 67",
        "0041 79 123 45 67",
        "+41 79 123 45 67",
        "41791234567",
        "4567",
      ]) {
        await box.click();
        await box.fill("");
        await box.pressSequentially("98765");
        await page.getByText("Nothing about this number here.").waitFor();
        await box.fill("");
        await box.pressSequentially(typed);
        await row.waitFor();
        assert.equal(await box.inputValue(), typed);
      }
      const said = await page.evaluate<readonly string[]>("window.said");
      assert.deepEqual(
        said.filter((text) => text.includes("None of the latest")),
        [],
      );
      await box.fill("");
      await box.press("End");
    },
  );

  itOnBoth("opens the dialog of an account", async () => {
    await show();
    await bench.nodeRed.request("POST", "/messaging-account/account/sending/stop", {});
    try {
      await open("A shop");
      const { page } = bench.editor;
      await page.waitForSelector("#node-config-dialog-edit-form", { state: "visible" });
      assert.equal(await page.locator("#node-config-input-name").inputValue(), "A shop");
      await bench.editor.closeAccount();
    } finally {
      await bench.nodeRed.request("POST", "/messaging-account/account/sending/go-on", {});
    }
  });
}

onEachEditor("the node of a row", openTests, { flows: flowsOf(false), sidebar: "renewed" });
