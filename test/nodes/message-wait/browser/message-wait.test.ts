import assert from "node:assert/strict";
import { node } from "../../../support/editor/flow-nodes";
import { NEW_ACCOUNT } from "../../../support/editor/account-dialog";
import { EMPTY_TAB, type EditorBench, itOnBoth, onEachEditor } from "../../../support/editor/on-each-editor";

const account = (id: string, keepMessages: string) => ({ ...NEW_ACCOUNT, id, name: id, keepMessages });
const receiver = (id: string, given: object) =>
  node(id, "messaging-webhook-in", { account: "kept", ...given });

const FLOWS = [
  EMPTY_TAB,
  account("alone", "computer"),
  account("kept", "computer"),
  account("shared", "postgresql"),
  node("wait", "messaging-message-wait", { account: "alone" }),
  receiver("replies", { kind: "inbound" }),
  receiver("disabled", { kind: "status", d: true }),
];

const UNHEARD = "#messaging-wait-unheard";
const ELSEWHERE = "#messaging-wait-elsewhere";

function messageWaitTests(bench: EditorBench): void {
  itOnBoth("adds the webhook-in node that a wait lacks, which can be undone", async () => {
    const { editor } = bench;
    const { page } = editor;
    const receivers = (): Promise<readonly Record<string, unknown>[]> =>
      page.evaluate(
        `RED.nodes.filterNodes({ type: "messaging-webhook-in" }).filter(({ account }) => account === "alone").map(({ kind, outputs, valid, credentials }) => ({ kind, outputs, valid, hasSecret: Boolean(credentials?.secret) }))`,
      );
    await editor.show("wait");
    await page.click("#messaging-wait-add-webhook");
    assert.deepEqual(await receivers(), [{ kind: "status", outputs: 4, valid: true, hasSecret: true }]);
    assert.equal(await page.isVisible(UNHEARD), false);
    await editor.cancel();
    await page.evaluate("RED.history.pop()");
    assert.deepEqual(await receivers(), []);
    await page.evaluate("RED.history.redo()");
    await editor.deploy();
    await editor.showAnew();
    assert.equal((await receivers()).length, 1);
  });

  it("gives its account to a webhook-in node without one", async () => {
    const { editor } = bench;
    const { page } = editor;
    await page.evaluate(
      `(RED.nodes.import([{ id: "bare", type: "messaging-webhook-in", z: "tab", x: 500, y: 500, name: "Reports", kind: "status", account: "", outputs: 4, wires: [[], [], [], []] }]), 0)`,
    );
    const webhooks = () =>
      page.evaluate(
        `RED.nodes.filterNodes({ type: "messaging-webhook-in" }).map(({ account }) => account).sort()`,
      );
    await editor.show("wait");
    await page.locator(UNHEARD, { hasText: "“Reports” has no account" }).waitFor();
    await page.click("#messaging-wait-add-webhook");
    assert.deepEqual(await webhooks(), ["alone", "kept", "kept"]);
    await editor.cancel();
    await page.evaluate("RED.history.pop()");
    assert.deepEqual(await webhooks(), ["", "kept", "kept"]);
  });

  it("warns when no enabled webhook-in node receives the awaited events", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show("wait");
    for (const [of, kind, isUnheard, isElsewhere] of [
      ["alone", "reply", true, false],
      ["kept", "reply", false, false],
      ["kept", "read", true, false],
      ["shared", "read", false, true],
    ] as const) {
      await page.selectOption("#node-input-account", of);
      await page.selectOption("#node-input-kind", kind);
      await page.evaluate("new Promise(requestAnimationFrame)");
      const shown = [await page.isVisible(UNHEARD), await page.isVisible(ELSEWHERE)];
      assert.deepEqual(shown, [isUnheard, isElsewhere], `${of} ${kind}`);
    }
    await editor.cancel();
  });
}

onEachEditor("the dialog of message-wait", messageWaitTests, { flows: FLOWS });
