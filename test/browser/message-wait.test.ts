import assert from "node:assert/strict";
import { WAIT_DEFAULTS } from "../../lib/shared/fields/wait-fields";
import { node } from "../support/editor/flow-nodes";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import { EMPTY_TAB, type EditorBench, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const account = (id: string, keepMessages: string) => ({ ...NEW_ACCOUNT, id, name: id, keepMessages });
const wait = (id: string, given: object = {}) => node(id, "message-wait", { account: "device", ...given });
const receiver = (id: string, given: object) => node(id, "webhook-in", { account: "kept", ...given });

const FLOWS = [
  EMPTY_TAB,
  { id: "off", type: "tab", label: "Off", disabled: true },
  account("device", "memory"),
  account("kept", "computer"),
  account("shared", "postgresql"),
  wait("by-hand", { y: 300 }),
  wait("wired", {
    y: 400,
    kind: "reply",
    match: "words",
    outputs: 4,
    account: "kept",
    wires: [["yes"], ["failed"], ["silent"], ["other"]],
  }),
  receiver("replies", { kind: "inbound" }),
  receiver("disabled", { kind: "status", d: true }),
  receiver("elsewhere", { kind: "status", z: "off" }),
  ...["yes", "failed", "silent", "other"].map((id) => node(id, "debug")),
];

const KEPT = ["kind", "within", "withinSource", "outputs", ...Object.keys(WAIT_DEFAULTS)];

const input = (name: string): string => `#node-input-${name}`;
const MEMORY = "#messaging-wait-memory";
const UNHEARD = "#messaging-wait-unheard";
const ELSEWHERE = "#messaging-wait-elsewhere";

function messageWaitTests(bench: EditorBench): void {
  const held = (id: string) => bench.editor.held(id, KEPT);
  const shownRows = () =>
    bench.editor.shownRows(["within", "replyChannel", "match", "words", "perWord", "pattern", "others"]);
  const shownFaults = () => bench.editor.faults();

  itOnBoth("adds the webhook-in node that it lacks, which can be undone and redone", async () => {
    const { editor } = bench;
    const { page } = editor;
    const receivers = (): Promise<readonly Record<string, unknown>[]> =>
      page.evaluate(
        `RED.nodes.filterNodes({ type: "webhook-in", z: "tab" }).filter(({ account }) => account === "device").map(({ kind, outputs, valid, credentials }) => ({ kind, outputs, valid, hasSecret: Boolean(credentials?.secret) }))`,
      );
    const users = (): Promise<number> => page.evaluate('RED.nodes.node("device").users.length');
    await editor.show("by-hand");
    const before = await users();
    const add = page.locator("#messaging-wait-add-webhook");
    await add.click();
    assert.deepEqual(await receivers(), [{ kind: "status", outputs: 4, valid: true, hasSecret: true }]);
    assert.equal(await add.isVisible(), false);
    assert.equal(await page.isVisible(UNHEARD), false);
    assert.equal(await users(), before + 1);
    await editor.cancel();
    await page.evaluate("RED.history.pop()");
    assert.deepEqual(await receivers(), []);
    assert.equal(await users(), before);
    await page.evaluate("RED.history.redo()");
    assert.equal((await receivers()).length, 1);
    await editor.deploy();
    await editor.showAnew();
    assert.equal((await receivers()).length, 1);
  });

  itOnBoth("gives its account to a webhook-in node without one rather than adding a second", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await page.evaluate<string>(
      `RED.nodes.import([{ id: "bare", type: "webhook-in", z: "tab", x: 500, y: 500, name: "Reports", kind: "status", account: "", outputs: 4, wires: [[], [], [], []] }]).nodes[0].id`,
    );
    const facts = (): Promise<unknown> =>
      page.evaluate(
        `(({ account, valid }) => [account, valid, RED.nodes.node("device").users.some(({ id }) => id === "${id}"), RED.nodes.filterNodes({ type: "webhook-in" }).length])(RED.nodes.node("${id}"))`,
      );
    const [, , , webhooks] = (await facts()) as readonly unknown[];
    await editor.show("by-hand");
    const add = page.locator("#messaging-wait-add-webhook");
    await page.locator(UNHEARD, { hasText: "“Reports” has no account" }).waitFor();
    assert.equal((await add.innerText()).trim(), "Give it this account");
    await add.click();
    assert.deepEqual(await facts(), ["device", true, true, webhooks]);
    assert.equal(await page.isVisible(UNHEARD), false);
    await editor.cancel();
    await page.evaluate("RED.history.pop()");
    assert.deepEqual(await facts(), ["", true, false, webhooks]);
    await page.evaluate("RED.history.redo()");
    assert.deepEqual(await facts(), ["device", true, true, webhooks]);
  });

  itOnBoth("is dragged in, filled in, deployed, and found again as it was", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.drag("message-wait");
    assert.deepEqual(await held(id), {
      ...WAIT_DEFAULTS,
      kind: "delivered",
      within: "5 min",
      withinSource: "str",
      outputs: 3,
    });
    await editor.edit(id);
    await page.selectOption(input("account"), "kept");
    await page.selectOption(input("kind"), "reply");
    await editor.type("within", "str", "2h");
    await page.selectOption(input("replyChannel"), "any");
    await page.selectOption(input("match"), "words");
    await page.fill(input("words"), "Ja, Nein");
    assert.deepEqual(await shownFaults(), []);
    await editor.done();
    const filled = {
      ...WAIT_DEFAULTS,
      kind: "reply",
      within: "2h",
      withinSource: "str",
      replyChannel: "any",
      match: "words",
      words: "Ja, Nein",
      outputs: 4,
    };
    assert.deepEqual(await held(id), filled);
    await editor.deploy();
    await editor.showAnew();
    assert.deepEqual(await held(id), filled);
    await editor.show(id);
    const values = await editor.values();
    for (const name of ["kind", "within", "replyChannel", "match", "words", "others"] as const) {
      assert.equal(values[`node-input-${name}`], filled[name], name);
    }
    await editor.done();
    assert.equal(await page.evaluate("RED.nodes.dirty()"), false, "opening it changes nothing");
    const label = await page.evaluate(`RED.utils.getNodeLabel(RED.nodes.node("${id}"))`);
    assert.equal(label, "reply within 2h? · kept (simulator)");
  });

  it("shows what its choice needs, names its outputs, and gives other replies an output", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show("wired");
    assert.deepEqual(await shownRows(), ["within", "replyChannel", "match", "words", "perWord", "others"]);
    await page.selectOption(input("match"), "pattern");
    assert.deepEqual(await shownRows(), ["within", "replyChannel", "match", "pattern", "others"]);
    await page.selectOption(input("match"), "any");
    assert.deepEqual(await shownRows(), ["within", "replyChannel", "match"]);
    await page.selectOption(input("kind"), "read");
    assert.deepEqual(await shownRows(), ["within"]);
    await editor.cancel();
    assert.deepEqual(await editor.ports("wired"), [
      "reply",
      "failed",
      "nothing heard in time",
      "other reply",
    ]);
    await editor.show("wired");
    const hints = async (): Promise<readonly string[]> =>
      editor.row("others").locator(".messaging-hint:visible").allInnerTexts();
    assert.match((await hints()).join("|"), /^Each person leaves by one output, once\.[^|]*$/);
    await page.selectOption(input("others"), "output");
    assert.match((await hints()).join("|"), /^The node goes on waiting[^|]*msg\.wait\.wrote[^|]*$/);
    await editor.done();
    assert.equal((await held("wired")).outputs, 4);
    assert.deepEqual(await editor.wires("wired"), ["0 yes", "1 failed", "2 silent", "3 other"]);
    await editor.show("wired");
    await page.selectOption(input("others"), "later");
    await editor.done();
    assert.deepEqual(await editor.wires("wired"), ["0 yes", "1 failed", "2 silent"]);
    assert.equal((await held("wired")).outputs, 3);
    await editor.show("wired");
    await page.selectOption(input("kind"), "delivered");
    await editor.done();
    assert.deepEqual(await editor.ports("wired"), ["delivered", "failed", "nothing heard in time"]);
    assert.deepEqual(await editor.wires("wired"), ["0 yes", "1 failed", "2 silent"]);
  });

  itOnBoth("gives each word an output on request, and each wire stays with what it was for", async () => {
    const { editor } = bench;
    const { page } = editor;
    const ENDS = ["failed", "nothing heard in time", "other reply"];
    const change = async (words: string, perWord: boolean): Promise<readonly string[]> => {
      await editor.show("wired");
      await page.fill(input("words"), words);
      await page.setChecked(input("perWord"), perWord);
      await editor.done();
      return editor.wires("wired");
    };
    const behind = (first: number): readonly string[] =>
      ["failed", "silent", "other"].map((end, at) => `${first + at} ${end}`);
    assert.deepEqual(await change("YES, NO", true), ["0 yes", "1 yes", ...behind(2)]);
    assert.deepEqual(await editor.ports("wired"), ["YES", "NO", ...ENDS]);
    assert.deepEqual(await change("NO, YES, LATER", true), ["0 yes", "1 yes", ...behind(3)]);
    assert.deepEqual(await editor.ports("wired"), ["NO", "YES", "LATER", ...ENDS]);
    assert.deepEqual(await change("NO, YES, MAYBE", true), ["0 yes", "1 yes", ...behind(3)]);
    assert.deepEqual(await change("YES", true), ["0 yes", ...behind(1)]);
    assert.deepEqual(await change("YES, NO", false), ["0 yes", ...behind(1)]);
    assert.deepEqual(await editor.ports("wired"), ["reply", ...ENDS]);
    await page.evaluate("RED.history.pop()");
    assert.deepEqual(await editor.ports("wired"), ["YES", ...ENDS]);
  });

  it("has the settings of a new node where a flow by hand leaves them out", async () => {
    const { editor } = bench;
    assert.doesNotMatch((await editor.invalid()).join(), /message-wait/);
    const label = await editor.page.evaluate('RED.utils.getNodeLabel(RED.nodes.node("by-hand"))');
    assert.equal(label, "delivered within 5 min? · device (simulator)");
    await editor.show("by-hand");
    assert.deepEqual(await shownFaults(), []);
    assert.deepEqual(await shownRows(), ["within"]);
    await editor.page.selectOption(input("kind"), "reply");
    await editor.openGroups();
    await editor.done();
    assert.deepEqual(await held("by-hand"), {
      ...WAIT_DEFAULTS,
      kind: "reply",
      within: "5 min",
      withinSource: "str",
      outputs: 3,
    });
  });

  it("says at once what is wrong with a time, the words and the pattern", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show("wired");
    // What times, words and patterns are is shown without a browser.
    for (const [within, fault] of [
      ["soon", /^Must be a duration such as 5 min/],
      ["", /./],
      ["0s", /^Must be at least one second from now/],
      ["91 d", /^Must be at most 90 days from now/],
      ["2020-01-01", /^Must be at least one second from now/],
      ["20:15", /^$/],
      ["90 d", /^$/],
    ] as const) {
      await editor.type("within", "str", within);
      assert.match((await shownFaults()).join(), fault, within);
    }
    const typed = async (name: string, text: string, fault: RegExp): Promise<void> => {
      await page.fill(input(name), text);
      assert.match((await shownFaults()).join(), fault, text);
    };
    await typed("words", " , ", /^Are missing, so no reply would count/);
    await typed("words", "yes, ?!", /^Must not contain “\?!”/);
    await typed("words", "n".repeat(101), /^Must not contain “n{40}…”/);
    await typed("words", "${WORDS}", /^$/);
    await page.selectOption(input("match"), "pattern");
    await typed("pattern", "", /^Is missing/);
    await typed("pattern", "^(yes|ok)\\b", /^$/);
    await typed("pattern", "^(\\w+\\s?)*$", /^Takes too long for some replies/);
    await typed("pattern", "(yes", /^Is not a regular expression: Unterminated group$/);
    await editor.done();
    assert.match((await editor.invalid()).join(), /message-wait.*Pattern: is not a regular expression/);
    await editor.show("wired");
    await page.selectOption(input("match"), "any");
    assert.deepEqual(await shownFaults(), []);
    await editor.done();
    assert.doesNotMatch((await editor.invalid()).join(), /message-wait/);
  });

  it("says what an account in memory means, and warns where no webhook-in node hears anything", async () => {
    const { editor } = bench;
    const { page } = editor;
    const shown = async (): Promise<readonly boolean[]> =>
      Promise.all([MEMORY, UNHEARD, ELSEWHERE].map((hint) => page.isVisible(hint)));
    const choose = async (account: string, kind: string): Promise<readonly boolean[]> => {
      await page.selectOption(input("account"), account);
      await page.selectOption(input("kind"), kind);
      await page.evaluate("new Promise(requestAnimationFrame)");
      return shown();
    };
    await editor.show("by-hand");
    assert.deepEqual(await shown(), [true, true, false]);
    assert.match(await page.innerText(MEMORY), /what waits ends with Node-RED/);
    assert.match(await page.innerText(UNHEARD), /Nothing is heard.*status messages and delivery reports/);
    assert.deepEqual(await choose("device", "reply"), [true, true, false]);
    assert.match(await page.innerText(UNHEARD), /No reply is heard.*inbound messages/);
    assert.deepEqual(await choose("kept", "reply"), [false, false, false]);
    assert.deepEqual(await choose("kept", "read"), [false, true, false], "disabled ones do not count");
    assert.deepEqual(await choose("shared", "read"), [false, false, true]);
    assert.match(await page.innerText(ELSEWHERE), /Status messages.*another Node-RED/);
    assert.deepEqual(await choose("shared", "reply"), [false, false, true]);
    assert.match(await page.innerText(ELSEWHERE), /^\s*Replies/);
    await editor.cancel();
    await page.evaluate('RED.nodes.node("disabled").d = false');
    await editor.show("by-hand");
    assert.deepEqual(await choose("kept", "delivered"), [false, false, false]);
    await editor.cancel();
  });
}

onEachEditor("the dialog of message-wait", messageWaitTests, { flows: FLOWS });
