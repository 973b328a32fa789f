import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import { EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";

const FLOWS = [EMPTY_TAB, { ...NEW_ACCOUNT, id: "kept" }];

/** Names of the inputs that an action shows. */
const MAKE = ["characters", "length", "number", "perNumber", "purpose", "template", "tries", "validFor"];
const CHECK = ["code", "number", "purpose"];
const ALL = [...new Set([...MAKE, ...CHECK, "perCaller"])];

onEachEditor(
  "dialog of verify-code",
  (bench) => {
    const shown = async (): Promise<readonly string[]> => [...(await bench.editor.shownRows(ALL))].sort();

    it("shows the settings of its action, with outputs and labels of their own", async () => {
      const { editor } = bench;
      const { page } = editor;
      const id = await editor.add("verify-code");
      assert.deepEqual(await editor.ports(id), ["made: to a send node", "too many"]);
      await editor.show(id);
      assert.deepEqual(await shown(), MAKE);
      await page.selectOption("#node-input-kind", "check");
      assert.deepEqual(await shown(), CHECK);
      await editor.type("caller", "msg", "req.ip");
      await editor.row("perCaller").waitFor({ state: "visible" });
      await editor.done();
      assert.deepEqual(await editor.ports(id), [
        "right",
        "wrong, can be tried again",
        "expired, too many, or no code",
      ]);
      await editor.show(id);
      assert.deepEqual(await shown(), [...CHECK, "perCaller"].sort());
      await page.selectOption("#node-input-kind", "make");
      assert.deepEqual(await shown(), [...MAKE, "perCaller"].sort());
      await editor.done();
      assert.equal((await editor.ports(id)).length, 2);
    });

    it("checks what is typed, and refuses a text without a code", async () => {
      const { editor } = bench;
      const { page } = editor;
      const id = await editor.add("verify-code");
      await editor.show(id);
      await page.locator(".messaging-fault").waitFor({ state: "detached" });
      for (const [name, wrong, right] of [
        ["length", "3", "8"],
        ["validFor", "soon", "1h"],
        ["validFor", "2 d", "90s"],
        ["tries", "0", "10"],
        ["perNumber", "1.5", "1"],
        ["template", "Your code", "{{ code }}"],
      ] as const) {
        await page.fill(`#node-input-${name}`, wrong);
        await editor.fault(name).waitFor();
        await page.fill(`#node-input-${name}`, right);
        await editor.fault(name).waitFor({ state: "detached" });
      }
      await page.locator("summary", { hasText: "Advanced" }).click();
      await editor.type("resultProperty", "msg", "payload");
      await editor.fault("resultProperty").waitFor();
      await page.selectOption("#node-input-kind", "check");
      await editor.fault("resultProperty").waitFor({ state: "detached" });
      await editor.done();
      const valid = await page.evaluate(`RED.nodes.node("${id}").valid`);
      assert.equal(valid, true, "what an action has not is not checked");
    });

    for (const [locale, pattern] of [
      ["en-US", /is your code\. It is valid for \{\{minutes\}\} minutes/],
      ["de", /ist Ihr Code\. Er gilt \{\{minutes\}\} Minuten/],
    ] as const) {
      it(`begins with a text in the language of the editor, and without faults (${locale})`, async () => {
        const editor = await bench.editorIn(locale);
        const { page } = editor;
        const id = await editor.add("verify-code");
        const template = await page.evaluate(`RED.nodes.node("${id}").template`);
        assert.match(String(template), pattern);
        assert.match(String(template), /\{\{code\}\}/);
        await editor.show(id);
        assert.equal(await page.inputValue("#node-input-template"), template);
        await page.fill("#node-input-template", "My own {{code}}");
        await editor.done();
        await editor.show(id);
        assert.equal(await page.inputValue("#node-input-template"), "My own {{code}}");
        await page.evaluate(`$("#dialog-form details").attr("open", "")`);
        const text = await page.innerText("#dialog-form");
        assert.doesNotMatch(text, /verify-code\.|messaging-account[.:]/, "a raw key is shown");
      });
    }
  },
  { flows: FLOWS },
);
