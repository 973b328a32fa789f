import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../../support/editor/account-dialog";
import { EMPTY_TAB, type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

/** Every node with an account. */
const TYPES = [
  "messaging-sms-send",
  "messaging-whatsapp-send",
  "messaging-rcs-send",
  "messaging-media-transfer",
  "messaging-webhook-in",
  "messaging-message-log",
  "messaging-opt-out",
  "messaging-message-wait",
  "messaging-verify-code",
  "messaging-message-digest",
] as const;

const account = (id: string) => ({ ...NEW_ACCOUNT, id, name: `Account ${id}`, keepMessages: "memory" });

const accountOf = ({ editor }: EditorBench, id: string): Promise<unknown> =>
  editor.page.evaluate(`RED.nodes.node("${id}").account`);

onEachEditor(
  "a node from the palette, with one account",
  (bench) => {
    itOnBoth("has the account, and loses it when the account is deleted", async () => {
      const { editor } = bench;
      const { page } = editor;
      const users = (): Promise<readonly string[]> =>
        page.evaluate('RED.nodes.node("one").users.map(({ id }) => id).sort()');
      const added: string[] = [];
      for (const type of TYPES) {
        const id = await editor.add(type);
        added.push(id);
        assert.equal(await accountOf(bench, id), "one", type);
      }
      await editor.deploy();
      await editor.showAnew();
      assert.deepEqual(await users(), [...added].sort());
      await editor.showAccount("one");
      await page.click(".red-ui-tray-toolbar .leftButton");
      await page.waitForFunction(`!RED.nodes.node("one")`);
      for (const [at, id] of added.entries()) assert.equal(await accountOf(bench, id), "", TYPES[at]);
    });
  },
  { flows: [EMPTY_TAB, account("one")] },
);

onEachEditor(
  "a node from the palette, with two accounts",
  (bench) => {
    it("has no account when its tab does not decide which, and is invalid", async () => {
      const { editor } = bench;
      for (const type of TYPES) {
        const id = await editor.add(type);
        assert.equal(await accountOf(bench, id), "", type);
        const faults = await editor.page.evaluate<number>(
          `(RED.nodes.node("${id}").validationErrors ?? []).length`,
        );
        // A webhook may have none on purpose.
        assert.equal(faults, type === "messaging-webhook-in" ? 0 : 1, type);
      }
    });

    it("has the account of the other nodes on its tab, not the one imported last", async () => {
      const { editor } = bench;
      const { page } = editor;
      const first = await editor.add("messaging-sms-send");
      await editor.show(first);
      await page.selectOption("#node-input-account", "two");
      await editor.done();
      await page.evaluate(
        `RED.view.importNodes([
          { id: "demo-tab", type: "tab", label: "Demo" },
          { id: "demo", type: "messaging-account", name: "Demo", service: "simulator", keepMessages: "memory" },
          { id: "demo-send", z: "demo-tab", type: "messaging-sms-send", account: "demo", x: 100, y: 100, wires: [[], [], [], []] },
        ], { generateIds: false, addFlow: false })`,
      );
      for (const [tab, expected] of [
        ["tab", "two"],
        ["demo-tab", "demo"],
      ]) {
        await page.evaluate(`RED.workspaces.show("${tab}")`);
        assert.equal(await accountOf(bench, await editor.add("messaging-opt-out")), expected);
      }
    });
  },
  { flows: [EMPTY_TAB, account("one"), account("two")] },
);
