import assert from "node:assert/strict";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import type { EditorPage } from "../support/editor/editor";
import { seriousFaults } from "../support/editor/serious-faults";
import { EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";

const FLOWS = [
  EMPTY_TAB,
  {
    ...ACCOUNT_DEFAULTS,
    id: "kept",
    type: "messaging-account",
    name: "A shop",
    service: "simulator",
    keepMessages: "computer",
  },
  // The id of a node must not be the value of a setting of it: Node-RED takes it for a reference.
  {
    ...ACCOUNT_DEFAULTS,
    id: "device",
    type: "messaging-account",
    name: "Device",
    service: "simulator",
    keepMessages: "memory",
  },
];

/** Names of the inputs that an action shows. */
const MAKE = ["characters", "length", "number", "perNumber", "purpose", "template", "tries", "validFor"];
const CHECK = ["code", "number", "purpose"];
const ALL = [...new Set([...MAKE, ...CHECK, "perCaller"])];

onEachEditor(
  "dialog of verify-code",
  (bench) => {
    const row = (page: EditorPage["page"], name: string) =>
      page.locator(".form-row", { has: page.locator(`#node-input-${name}`) });
    const shown = async (page: EditorPage["page"]): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const name of ALL) {
        if (await row(page, name).isVisible()) {
          found.push(name);
        }
      }
      return found.sort();
    };
    const portsOf = (page: EditorPage["page"], id: string) =>
      page.evaluate(
        `(() => {
          const node = RED.nodes.node("${id}");
          return Array.from({ length: node.outputs }, (_, at) => node._def.outputLabels.call(node, at));
        })()`,
      );

    it("shows the settings of its action, with outputs and labels of their own", async () => {
      const { editor } = bench;
      const { page } = editor;
      const id = await editor.add("verify-code");
      await page.evaluate(`(RED.nodes.node("${id}").account = "kept", 0)`);
      assert.deepEqual(await portsOf(page, id), ["made: to a send node", "too many"]);
      await editor.show(id);
      assert.deepEqual(await shown(page), MAKE);
      await page.selectOption("#node-input-kind", "check");
      assert.deepEqual(await shown(page), CHECK);
      await editor.type("caller", "msg", "req.ip");
      await row(page, "perCaller").waitFor({ state: "visible" });
      await editor.done();
      assert.deepEqual(await portsOf(page, id), [
        "right",
        "wrong, can be tried again",
        "expired, too many, or no code",
      ]);
      await editor.show(id);
      assert.deepEqual(await shown(page), [...CHECK, "perCaller"].sort());
      await page.selectOption("#node-input-kind", "make");
      assert.deepEqual(await shown(page), [...MAKE, "perCaller"].sort());
      await editor.done();
      assert.equal(((await portsOf(page, id)) as readonly string[]).length, 2);
    });

    it("checks what is typed, and refuses a text without a code", async () => {
      const { editor } = bench;
      const { page } = editor;
      const fault = (name: string) => row(page, name).locator(".messaging-fault");
      const id = await editor.add("verify-code");
      await page.evaluate(`(RED.nodes.node("${id}").account = "kept", 0)`);
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
        await fault(name).waitFor();
        await page.fill(`#node-input-${name}`, right);
        await fault(name).waitFor({ state: "detached" });
      }
      await page.locator("summary", { hasText: "Advanced" }).click();
      await editor.type("resultProperty", "msg", "payload");
      await fault("resultProperty").waitFor();
      await page.selectOption("#node-input-kind", "check");
      await fault("resultProperty").waitFor({ state: "detached" });
      await editor.done();
      const valid = await page.evaluate(`RED.nodes.node("${id}").valid`);
      assert.equal(valid, true, "what an action has not is not checked");
    });

    it("says how long the codes of an account in memory last", async () => {
      const { editor } = bench;
      const { page } = editor;
      const hint = page.locator("#messaging-code-memory");
      const id = await editor.add("verify-code");
      await editor.show(id);
      await page.selectOption("#node-input-account", "device");
      await hint.waitFor({ state: "visible" });
      await page.selectOption("#node-input-account", "kept");
      await hint.waitFor({ state: "hidden" });
      await editor.cancel();
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
        await page.selectOption("#node-input-account", "kept");
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

onEachEditor(
  "accessible dialog of verify-code",
  (bench) => {
    for (const dark of [false, true]) {
      for (const locale of ["en-US", "de"] as const) {
        it(`has no serious fault of accessibility (${dark ? "dark" : "light"}, ${locale})`, async () => {
          const editor = await bench.editorIn(locale, dark);
          const { page } = editor;
          const id = await editor.add("verify-code");
          await editor.show(id);
          await page.selectOption("#node-input-account", "device");
          await editor.type("caller", "msg", "req.ip");
          for (const kind of ["make", "check"]) {
            await page.selectOption("#node-input-kind", kind);
            await page.evaluate(`$("#dialog-form details").attr("open", "")`);
            assert.deepEqual(await seriousFaults(page, "#dialog-form"), [], kind);
          }
        });
      }
    }
  },
  // The editor's own dark colours are those of Node-RED 5.
  { flows: FLOWS, versions: [5] },
);
