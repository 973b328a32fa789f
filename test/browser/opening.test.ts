import assert from "node:assert/strict";
import type { EditorPage } from "../support/editor/editor";
import type { Flows } from "../support/node-red/admin-client";
import { fillGallery, GALLERY, openNode, openShot, type Shot } from "../support/editor/gallery";
import { type EditorBench, EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";

const ROUNDS = 3;
/** A dialog of Node-RED's own that others are compared with; it makes a few TypedInputs, too. */
const CONTROL = "control";
/** How many times as long as the control an RCS dialog may take; it was 7 to 17 before rows were built when shown. */
const MOST_TIMES = 5;

interface Opening {
  /** Milliseconds from the call that opens the dialog until it is built and laid out, and the page is free for input. */
  readonly built: number;
  /** Milliseconds until the editor has put the focus into the dialog, for which it waits 150 ms in any dialog. */
  readonly focused: number;
  readonly inputs: number;
  /** Inputs of rows that are out of sight. */
  readonly unseen: number;
}

/** Opens the dialog of a node and tells how long it took. */
const OPEN = `(id) => new Promise((resolve) => {
  const start = performance.now();
  RED.editor.edit(RED.nodes.node(id));
  setTimeout(() => {
    document.querySelector("#dialog-form").getBoundingClientRect();
    const built = performance.now() - start;
    const inputs = [...document.querySelectorAll("#dialog-form .red-ui-typedInput-container")];
    const unseen = inputs.filter((input) => input.closest("details:not([open]), [style*='display: none']") !== null);
    const wait = () => {
      if (document.activeElement?.closest(".red-ui-tray") == null) return setTimeout(wait, 1);
      resolve({ built, focused: performance.now() - start, inputs: inputs.length, unseen: unseen.length });
    };
    wait();
  });
})`;

/** What it takes by itself: other work of the computer only adds to it. */
const least = (values: readonly number[]): number => Math.min(...values);

const isTyped = ({ type }: Shot): boolean => !type.startsWith("webhook");
const FORMS = GALLERY.filter(isTyped);

const FLOWS: Flows = [
  EMPTY_TAB,
  { id: "account", type: "messaging-account", service: "simulator" },
  {
    id: CONTROL,
    type: "inject",
    z: EMPTY_TAB.id,
    x: 900,
    y: 100,
    props: [{ p: "payload" }],
    repeat: "",
    crontab: "",
    wires: [[]],
  },
];

function openingTests(bench: EditorBench): void {
  let editor: EditorPage;

  beforeEach(() => {
    ({ editor } = bench);
  });

  const put = (properties: Readonly<Record<string, unknown>>): Promise<string> =>
    editor.page.evaluate(`(() => {
      const defaults = Object.entries(RED.nodes.getType("rcs-send").defaults).map(([name, { value }]) => [name, structuredClone(value)]);
      const node = { ...Object.fromEntries(defaults), id: "rcs", type: "rcs-send", z: RED.workspaces.active(), x: 300, y: 300, wires: [], account: "account" };
      RED.nodes.import([Object.assign(node, ${JSON.stringify(properties)})], { generateIds: false });
      RED.nodes.dirty(false);
      RED.view.redraw(true);
      return "rcs";
    })()`);
  /** All that a node holds, and whether the editor takes it as changed. */
  const state = (id: string): Promise<unknown> =>
    editor.page.evaluate(
      `({ ...RED.nodes.convertNode(RED.nodes.node("${id}")), changed: !!RED.nodes.node("${id}").changed, dirty: RED.nodes.dirty() })`,
    );
  const row = (input: string) =>
    editor.page.locator(".form-row", { has: editor.page.locator(`#node-input-${input}`) });

  it("builds only visible inputs, within a few times the time of a dialog of Node-RED", async function () {
    this.timeout(300_000);
    await fillGallery(editor, "account");
    const ids = [CONTROL, ...FORMS.map(({ file }) => `shot-${file}`)];
    const timed = ids.filter((id) => id === CONTROL || id.startsWith("shot-rcs"));
    const measured = new Map<string, Opening[]>(timed.map((id) => [id, []]));
    // Each in its turn, so that all meet the same load of the computer. The first round warms up, and has all dialogs.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const id of round === 0 ? ids : timed) {
        const opening = await editor.page.evaluate<Opening>(`(${OPEN})("${id}")`);
        if (round > 0) {
          measured.get(id)?.push(opening);
        }
        assert.equal(opening.unseen, 0, `${id}: inputs out of sight`);
        await editor.settled();
        await editor.cancel();
      }
    }
    const fastest = timed.map((id) => {
      const openings = measured.get(id) as Opening[];
      const built = least(openings.map((each) => each.built));
      const focused = least(openings.map((each) => each.focused));
      console.log(
        `      ${id.padEnd(26)} built ${built.toFixed(0).padStart(4)} ms, focused ${focused.toFixed(0).padStart(4)} ms, ${openings[0]?.inputs} typed inputs`,
      );
      return [id, built] as const;
    });
    const control = fastest[0]?.[1] as number;
    for (const [id, built] of fastest.slice(1)) {
      assert.ok(built <= MOST_TIMES * control, `${id}: ${(built / control).toFixed(1)} times the control`);
    }
  });

  it("does not change a node whose dialog was only opened", async function () {
    this.timeout(120_000);
    await fillGallery(editor, "account");
    await editor.page.evaluate("RED.nodes.dirty(false)");
    for (const shot of FORMS) {
      const before = await state(`shot-${shot.file}`);
      await openShot(editor, shot);
      await editor.done();
      assert.deepEqual(await state(`shot-${shot.file}`), before, shot.file);
    }
  });

  it("keeps values of hidden rows that no input can hold, and missing ones", async () => {
    const id = await put({
      kind: "raw",
      textMessage: "First\nSecond",
      textMessageSource: "str",
      fileUrl: { odd: true },
      fileSize: 5,
      fileSizeSource: "num",
      cards: '[{"title":"One"},\n{"title":"Two"}]',
      cardsSource: "json",
      suggestions: [{ value: "Yes", source: "str" }],
      trafficType: undefined,
      trafficTypeSource: undefined,
    });
    const before = await state(id);
    await openNode(editor, id);
    assert.equal(await row("trafficType").count(), 0);
    await editor.done();
    assert.deepEqual(await state(id), before);

    await openNode(editor, id);
    await editor.page.selectOption("#node-input-kind", "text");
    assert.match(await row("textMessage").locator(".red-ui-typedInput-input").inputValue(), /First.Second/);
    await editor.done();
    assert.deepEqual(
      await editor.page.evaluate(
        `(({ textMessage, suggestions, fileUrl }) => [textMessage, suggestions, fileUrl])(RED.nodes.node("${id}"))`,
      ),
      ["First\nSecond", [{ value: "Yes", source: "str" }], { odd: true }],
    );
  });

  it("undoes and cancels changes of rows that were built later", async () => {
    const id = await put({ kind: "text" });
    const before = await state(id);
    await openNode(editor, id);
    await editor.page.selectOption("#node-input-kind", "card");
    await editor.openGroups();
    await editor.type("title", "str", "Soup");
    await editor.cancel();
    assert.deepEqual(await state(id), before);
    await openNode(editor, id);
    await editor.page.selectOption("#node-input-kind", "card");
    await editor.type("title", "str", "Soup");
    await editor.done();
    assert.equal(await editor.page.evaluate(`RED.nodes.node("${id}").title`), "Soup");
    await editor.page.evaluate("RED.history.pop()");
    assert.deepEqual(await state(id), before);
  });

  it("checks hidden rows, unfolds invalid ones, and checks rows that become visible", async () => {
    const { page } = editor;
    const id = await put({
      kind: "raw",
      expiry: "soon",
      expirySource: "str",
      fileUrl: "nowhere",
      fileUrlSource: "str",
    });
    // The account is not complete, which is not of interest here.
    const faults = (): Promise<readonly string[]> =>
      page.evaluate(
        `(RED.nodes.node("${id}").validationErrors ?? []).filter((fault) => !fault.startsWith("Account"))`,
      );
    assert.deepEqual(await faults(), []);
    await openNode(editor, id);
    await page.selectOption("#node-input-kind", "file");
    assert.match(await row("fileUrl").locator(".messaging-fault").innerText(), /must be a complete address/i);
    assert.equal(await row("fileUrl").locator(".red-ui-typedInput-container.input-error").count(), 1);
    await editor.done();
    assert.equal((await faults()).length, 2);
    await openNode(editor, id);
    await row("expiry").locator(".messaging-fault").waitFor();
    assert.equal(await row("expiry").locator(".red-ui-typedInput-container.input-error").count(), 1);
    await editor.type("fileUrl", "str", "https://example.com/a.pdf");
    await editor.type("expiry", "blank", "");
    for (const input of ["fileUrl", "expiry"]) {
      assert.equal(await row(input).locator(".messaging-fault, .input-error").count(), 0, input);
    }
    await editor.done();
    assert.deepEqual(await faults(), []);
  });
}

onEachEditor("opening a dialog", openingTests, { flows: FLOWS });
