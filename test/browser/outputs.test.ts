import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import { node } from "../support/editor/flow-nodes";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const ENDS = ["one", "two", "three", "four", "five"] as const;

/** A node whose outputs are each wired to a node of their own. */
const wired = (id: string, type: string, outputs: number, given: object) =>
  node(id, type, {
    account: "account",
    outputs,
    wires: ENDS.slice(0, outputs).map((end) => [end]),
    ...given,
  });

const FLOWS = [
  EMPTY_TAB,
  { ...NEW_ACCOUNT, id: "account" },
  wired("check", "messaging-opt-out", 2, { kind: "check" }),
  wired("download", "messaging-media-transfer", 5, { kind: "download" }),
  wired("code", "messaging-verify-code", 2, { kind: "make" }),
  wired("statuses", "messaging-webhook-in", 4, { kind: "status" }),
  wired("wait", "messaging-message-wait", 4, { kind: "reply", match: "words" }),
  ...ENDS.map((end) => node(end, "debug")),
];

function outputTests(bench: EditorBench): void {
  const change = async (id: string, select: string, value: string): Promise<readonly string[]> => {
    const { editor } = bench;
    await editor.show(id);
    await editor.openGroups();
    await editor.page.selectOption(`#node-input-${select}`, value);
    await editor.done();
    return editor.wires(id);
  };

  it("keeps wires of outputs with the same meaning when the action changes", async () => {
    const { editor } = bench;
    assert.deepEqual(await editor.ports("check"), ["may be messaged", "opted out"]);
    assert.deepEqual(await change("check", "kind", "list"), ["0 one"]);
    assert.deepEqual(await change("statuses", "kind", "inbound"), ["1 four"]);
    assert.deepEqual(await change("code", "kind", "check"), ["0 one", "1 two"]);
    assert.equal((await editor.ports("code")).length, 3);
  });

  it("keeps the wire of messages without a file when outcomes are split", async () => {
    const { editor } = bench;
    const behind = "no file in this message";
    assert.equal((await editor.ports("download")).at(-1), behind);
    const wires = ["0 one", "1 one", "2 two", "3 two", "4 three", "5 four", "6 five"];
    assert.deepEqual(await change("download", "outputs", "7"), wires);
    assert.equal((await editor.ports("download")).at(-1), behind);
    assert.deepEqual(await change("download", "kind", "upload"), wires.slice(0, -1));
    assert.equal((await editor.ports("download")).length, 6);
  });

  itOnBoth("gives each word an output, and each wire stays with its word", async () => {
    const { editor } = bench;
    const { page } = editor;
    const after = async (words: string, perWord: boolean): Promise<readonly string[]> => {
      await editor.show("wait");
      await page.fill("#node-input-words", words);
      await page.setChecked("#node-input-perWord", perWord);
      await editor.done();
      return editor.wires("wait");
    };
    const behind = (first: number): readonly string[] =>
      ["two", "three", "four"].map((end, at) => `${first + at} ${end}`);
    const others = ["failed", "nothing heard in time", "other reply"];
    assert.deepEqual(await after("YES, NO", true), ["0 one", "1 one", ...behind(2)]);
    assert.deepEqual(await editor.ports("wait"), ["YES", "NO", ...others]);
    assert.deepEqual(await after("NO, YES, LATER", true), ["0 one", "1 one", ...behind(3)]);
    assert.deepEqual(await editor.ports("wait"), ["NO", "YES", "LATER", ...others]);
    assert.deepEqual(await after("YES", true), ["0 one", ...behind(1)]);
    assert.deepEqual(await after("YES, NO", false), ["0 one", ...behind(1)]);
    await page.evaluate("RED.history.pop()");
    assert.deepEqual(await editor.ports("wait"), ["YES", ...others]);
  });
}

onEachEditor("outputs of a node", outputTests, { flows: FLOWS });
