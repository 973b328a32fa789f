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
  "message-digest",
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

  itOnBoth("is offered the first account in its dialog, and has it once that is saved", async () => {
    const { editor } = bench;
    const { page } = editor;
    const ids: Record<string, string> = {};
    for (const type of TYPES) {
      ids[type] = await editor.add(type);
    }
    await page.evaluate(
      `RED.view.importNodes([{ id: "late", type: "messaging-account", name: "Late", service: "simulator", keepMessages: "memory" }],
        { generateIds: false, addFlow: false })`,
    );
    for (const [type, id] of Object.entries(ids)) {
      assert.equal(await accountOf(bench, id), "", "nothing by itself");
      await editor.show(id);
      // A webhook may have none on purpose.
      const offered = type === "webhook-in" ? "_ADD_" : "late";
      assert.equal(await page.inputValue("#node-input-account"), offered, type);
      assert.equal(await editor.fault("account").count(), 0);
      await editor.cancel();
      assert.equal(await accountOf(bench, id), "", "cancelled");
    }
    assert.deepEqual(await usersOf(bench, "late"), []);
    const wait = ids["message-wait"] ?? "";
    for (const id of [wait, ids["webhook-in"] ?? ""]) {
      await editor.show(id);
      await editor.done();
      assert.deepEqual(await faultsOf(bench, id), []);
    }
    assert.equal(await accountOf(bench, wait), "late");
    assert.deepEqual(await usersOf(bench, "late"), [wait]);
  });
});

onEachEditor(
  "a node from the palette, with two accounts",
  (bench) => {
    /** Labels of nodes as they are drawn. */
    const DRAWN = `[...document.querySelectorAll("#red-ui-workspace-chart .red-ui-flow-node-label")].map((label) => label.textContent)`;
    const untilDrawn = async (...labels: string[]): Promise<void> => {
      const wanted = JSON.stringify(labels.sort().join());
      await bench.editor.page.waitForFunction(`${DRAWN}.sort().join() === ${wanted}`);
    };

    itOnBoth("has none where the tab does not say which, and says what to do", async () => {
      const { editor } = bench;
      for (const type of TYPES) {
        const id = await editor.add(type);
        assert.equal(await accountOf(bench, id), "", type);
        const expected =
          type === "webhook-in" ? [] : ["Account: choose which of the 2 accounts this node uses"];
        assert.deepEqual(await faultsOf(bench, id), expected, type);
      }
    });

    itOnBoth(
      "has the account of the other nodes on the tab, not the one that was imported last",
      async () => {
        const { editor } = bench;
        const { page } = editor;
        const first = await editor.add("sms-send");
        await editor.show(first);
        await page.selectOption("#node-input-account", "two");
        await editor.done();
        await page.evaluate(
          `RED.view.importNodes([
          { id: "demo-tab", type: "tab", label: "Demo" },
          { id: "demo", type: "messaging-account", name: "Demo", service: "simulator", keepMessages: "memory" },
          { id: "demo-send", z: "demo-tab", type: "sms-send", account: "demo", x: 100, y: 100, wires: [[], [], [], []] },
        ], { generateIds: false, addFlow: false })`,
        );
        await page.evaluate(`RED.workspaces.show("tab")`);
        assert.equal(await accountOf(bench, await editor.add("opt-out")), "two");
        await page.evaluate(`RED.workspaces.show("demo-tab")`);
        assert.equal(await accountOf(bench, await editor.add("opt-out")), "demo");
      },
    );

    itOnBoth(
      "says its account in its label while the tab has several, and gets neither by itself",
      async () => {
        const { editor } = bench;
        const { page } = editor;
        const ids = [await editor.add("sms-send"), await editor.add("opt-out")];
        const choose = async (id: string, account: string): Promise<void> => {
          await editor.show(id);
          await page.selectOption("#node-input-account", account);
          await editor.done();
        };
        const [send = "", optOut = ""] = ids;
        await choose(send, "one");
        await choose(optOut, "one");
        await untilDrawn("SMS to msg.to", "opt out msg.to");
        await choose(optOut, "two");
        await untilDrawn(
          "SMS to msg.to · Account one (simulator)",
          "opt out msg.to · Account two (simulator)",
        );
        const code = await editor.add("verify-code");
        assert.equal(await accountOf(bench, code), "");
        const remove = (...gone: string[]): Promise<unknown> =>
          page.evaluate(
            `(RED.view.select({ nodes: ${JSON.stringify(gone)}.map((id) => RED.nodes.node(id)) }), RED.actions.invoke("core:delete-selection"), 0)`,
          );
        await remove(code, optOut);
        await untilDrawn("SMS to msg.to");
      },
    );
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
