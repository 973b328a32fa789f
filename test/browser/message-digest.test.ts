import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import { EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";

const FLOWS = [EMPTY_TAB, { ...NEW_ACCOUNT, id: "kept" }];
const NAMES = ["key", "first", "wait", "every", "quiet", "most", "one", "several", "over"];

onEachEditor(
  "dialog of message-digest",
  (bench) => {
    it("shows how long the first one waits where it does, and says what each output is for", async () => {
      const { editor } = bench;
      const { page } = editor;
      const id = await editor.add("message-digest");
      assert.deepEqual(await editor.ports(id), [
        "digest: one message for all that were gathered",
        "quiet again: nothing has come for the time set",
      ]);
      await editor.show(id);
      const others = NAMES.filter((name) => name !== "wait").sort();
      assert.deepEqual([...(await editor.shownRows(NAMES))].sort(), others);
      await page.selectOption("#node-input-first", "wait");
      await editor.row("wait").waitFor({ state: "visible" });
      await editor.done();
    });

    it("checks what is typed, and the waiting time only where it counts", async () => {
      const { editor } = bench;
      const { page } = editor;
      const id = await editor.add("message-digest");
      await editor.show(id);
      await page.locator(".messaging-fault").waitFor({ state: "detached" });
      await page.selectOption("#node-input-first", "wait");
      for (const [name, wrong, right] of [
        ["wait", "soon", "90s"],
        ["every", "0", "1h"],
        ["quiet", "8 d", "7 d"],
        ["most", "101", "1"],
        ["one", " ", "One"],
        ["several", "{{count", "{{count}}"],
        ["over", "{{/x}}", ""],
      ] as const) {
        await page.fill(`#node-input-${name}`, wrong);
        await editor.fault(name).waitFor();
        await page.fill(`#node-input-${name}`, right);
        await editor.fault(name).waitFor({ state: "detached" });
      }
      await page.fill("#node-input-wait", "soon");
      await editor.fault("wait").waitFor();
      await page.selectOption("#node-input-first", "now");
      await editor.fault("wait").waitFor({ state: "detached" });
      await editor.done();
      assert.equal(await page.evaluate(`RED.nodes.node("${id}").valid`), true);
    });

    for (const [locale, pattern, label] of [
      ["en-US", /^\{\{count\}\} messages since /, "one every 10 min"],
      ["de", /^\{\{count\}\} Nachrichten seit /, "höchstens alle 10 min eine"],
    ] as const) {
      it(`begins with texts in the language of the editor, and without faults (${locale})`, async () => {
        const editor = await bench.editorIn(locale);
        const { page } = editor;
        const id = await editor.add("message-digest");
        assert.match(String(await page.evaluate(`RED.nodes.node("${id}").several`)), pattern);
        assert.equal(await page.evaluate(`RED.utils.getNodeLabel(RED.nodes.node("${id}"))`), label);
        await editor.show(id);
        await page.fill("#node-input-several", "My own {{count}}");
        await editor.done();
        await editor.show(id);
        assert.equal(await page.inputValue("#node-input-several"), "My own {{count}}");
        const text = await page.innerText("#dialog-form");
        assert.doesNotMatch(text, /message-digest\.|messaging-account[.:]/, "a raw key is shown");
      });
    }
  },
  { flows: FLOWS },
);
