import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../../support/editor/account-dialog";
import { EMPTY_TAB, type EditorBench, onEachEditor, itOnBoth } from "../../support/editor/on-each-editor";

/** Every node with an account. */
const TYPES = [
  "sms-send",
  "whatsapp-send",
  "rcs-send",
  "media-transfer",
  "webhook-in",
  "message-log",
  "opt-out",
  "message-wait",
  "verify-code",
] as const;

const account = (id: string, more: object = {}) => ({
  ...NEW_ACCOUNT,
  id,
  name: `Account ${id}`,
  keepMessages: "memory",
  ...more,
});

/** What the editor holds of an account's users, by their ids. */
const usersOf = ({ editor }: EditorBench, id: string): Promise<readonly string[]> =>
  editor.page.evaluate(`RED.nodes.node("${id}").users.map((user) => user.id).sort()`);

const accountOf = ({ editor }: EditorBench, id: string): Promise<unknown> =>
  editor.page.evaluate(`RED.nodes.node("${id}").account`);

/** Why the editor calls a node invalid; empty for a valid one. */
const faultsOf = ({ editor }: EditorBench, id: string): Promise<readonly string[]> =>
  editor.page.evaluate(`(RED.nodes.node("${id}").validationErrors ?? []).map(String)`);

onEachEditor(
  "a node from the palette, with one account",
  (bench) => {
    itOnBoth(
      "has the account, which knows it as a user after a deploy and forgets it when it is deleted",
      async () => {
        const { editor } = bench;
        const { page } = editor;
        const added: string[] = [];
        for (const type of TYPES) {
          const id = await editor.add(type);
          added.push(id);
          assert.equal(await accountOf(bench, id), "one", type);
          assert.deepEqual(await faultsOf(bench, id), [], type);
          assert.deepEqual(await usersOf(bench, "one"), [...added].sort(), type);
        }
        await editor.deploy();
        assert.deepEqual(await usersOf(bench, "one"), [...added].sort());
        await editor.showAnew();
        assert.deepEqual(await usersOf(bench, "one"), [...added].sort(), "as it is deployed");
        await bench.editor.showAccount("one");
        await page.click(".red-ui-tray-toolbar .leftButton");
        await page.waitForFunction(`!RED.nodes.node("one")`);
        for (const [at, id] of added.entries()) {
          assert.equal(await accountOf(bench, id), "", TYPES[at]);
        }
      },
    );

    itOnBoth(
      "is valid, shows the account in its dialog, and leaves nothing behind when it is undone",
      async () => {
        const { editor } = bench;
        const { page } = editor;
        const id = await editor.drag("sms-send");
        assert.deepEqual(await faultsOf(bench, id), []);
        await editor.edit(id);
        assert.equal(await page.inputValue("#node-input-account"), "one");
        assert.equal(await page.locator("#dialog-form .messaging-fault").count(), 0);
        await editor.cancel();
        await page.evaluate("RED.history.pop()");
        assert.equal(Boolean(await page.evaluate(`RED.nodes.node("${id}")`)), false);
        assert.deepEqual(await usersOf(bench, "one"), []);
        assert.equal(await page.evaluate("RED.nodes.dirty()"), false);
        await page.evaluate("RED.history.redo()");
        assert.equal(await accountOf(bench, id), "one");
        assert.deepEqual(await usersOf(bench, "one"), [id]);
      },
    );

    itOnBoth("stays as it is when it is imported or pasted without an account", async () => {
      const { editor } = bench;
      const { page } = editor;
      await editor.import(
        JSON.stringify([{ id: "alien", type: "sms-send", x: 100, y: 100, wires: [[], [], [], []] }]),
      );
      await page.waitForFunction(
        `(() => { window.imported = undefined; RED.nodes.eachNode((node) => { window.imported = node.id; }); return window.imported; })()`,
      );
      const imported = String(await page.evaluate("window.imported"));
      assert.equal(Boolean(await accountOf(bench, imported)), false);
      // Puts it down where it hangs on the mouse.
      await page.mouse.move(600, 400);
      await page.mouse.down();
      await page.mouse.up();
      await page.evaluate(`(RED.view.select({ nodes: [RED.nodes.node("${imported}")] }),
        RED.actions.invoke("core:copy-selection-to-internal-clipboard"),
        RED.actions.invoke("core:paste-from-internal-clipboard"), 0)`);
      await page.waitForFunction("RED.nodes.filterNodes({ type: 'sms-send' }).length === 2");
      assert.deepEqual(
        await page.evaluate(
          "RED.nodes.filterNodes({ type: 'sms-send' }).map(({ account }) => account || '')",
        ),
        ["", ""],
      );
      assert.deepEqual(await usersOf(bench, "one"), []);
    });
  },
  { flows: [EMPTY_TAB, account("one")] },
);

onEachEditor("a node from the palette, without an account in the flows", (bench) => {
  itOnBoth("has none", async () => {
    for (const type of TYPES) {
      const id = await bench.editor.add(type);
      assert.equal(await accountOf(bench, id), "", type);
      assert.equal((await faultsOf(bench, id)).length > 0, type !== "webhook-in", `${type} needs one`);
    }
  });
});

onEachEditor(
  "a node from the palette, with two accounts",
  (bench) => {
    itOnBoth("has none, until a node with one of them is added or edited", async () => {
      const { editor } = bench;
      const { page } = editor;
      for (const type of TYPES) {
        assert.equal(await accountOf(bench, await editor.add(type)), "", type);
      }
      const first = await editor.add("sms-send");
      for (const chosen of ["two", "one"]) {
        await editor.show(first);
        await page.selectOption("#node-input-account", chosen);
        await editor.done();
        const next = await editor.add("opt-out");
        assert.equal(await accountOf(bench, next), chosen);
        await page.evaluate(
          `(RED.view.select({ nodes: [RED.nodes.node("${next}")] }), RED.actions.invoke("core:delete-selection"), 0)`,
        );
      }
      assert.deepEqual(await usersOf(bench, "one"), [first]);
      assert.deepEqual(await usersOf(bench, "two"), []);
    });
  },
  { flows: [EMPTY_TAB, account("one"), account("two")] },
);

onEachEditor(
  "a node from the palette, with accounts that it cannot use",
  (bench) => {
    it("has the only one that it can use", async () => {
      assert.equal(await accountOf(bench, await bench.editor.add("sms-send")), "one");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { id: "other", type: "tab", label: "Other" },
      account("off", { d: true }),
      account("elsewhere", { z: "other" }),
      account("one"),
    ],
  },
);
