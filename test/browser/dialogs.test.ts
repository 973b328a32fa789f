// Slow: every dialog is filled in twice, and every example imported.
import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import type { EditorPage } from "../support/editor/editor";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { allExamples } from "../support/examples";

/** A wrong value and a right one of a field; the source of a field that has several. */
type Fault = readonly [field: string, source: string | null, wrong: string, right: string];

interface Dialog {
  readonly type: string;
  /** The choice that decides which fields there are, with all its values. */
  readonly kinds?: readonly [select: string, ...values: string[]];
  /** Inputs that there are to fill at least, of all kinds together. */
  readonly least: number;
  /** Faults that need the kind that is chosen before them. */
  readonly faults: readonly (Fault | readonly [select: string, choice: string])[];
}

const RULE_FAULTS: readonly Fault[] = [
  ["notBefore", "str", "tomorrow", "2 h"],
  ["uselessAfter", "str", "120min", "121 min"],
  ["onceKey", "str", "k".repeat(201), "welcome"],
  ["onceWithin", null, "soon", "12h"],
];

const DIALOGS: readonly Dialog[] = [
  {
    type: "messaging-sms-send",
    least: 20,
    faults: [
      ["recipientAddressList", "str", "anna", "+41791234567"],
      ["validityPeriode", "num", "59", "60"],
      ...RULE_FAULTS,
    ],
  },
  {
    type: "messaging-whatsapp-send",
    kinds: ["kind", "text", "media", "template", "broadcast"],
    least: 55,
    faults: [["kind", "broadcast"], ["recipients", "str", "anna", "+41791234567"], ...RULE_FAULTS],
  },
  {
    type: "messaging-rcs-send",
    kinds: ["kind", "text", "file", "audio", "location", "card", "carousel", "raw"],
    least: 130,
    faults: [
      ["kind", "file"],
      ["fileUrl", "str", "nowhere", "https://example.com/a.pdf"],
      ["expiry", "str", "soon", "${EXPIRY}"],
      ...RULE_FAULTS,
    ],
  },
  {
    type: "messaging-media-transfer",
    kinds: ["kind", "download", "upload", "attachment"],
    least: 20,
    faults: [
      ["to", "file"],
      ["folder", "str", "media/../lib/flows", "."],
      ["saveAs", "str", "settings.js", "last.png"],
    ],
  },
  {
    type: "messaging-webhook-in",
    kinds: ["kind", "inbound", "status"],
    least: 28,
    faults: [
      ["stopWords", null, " , ", "Halt"],
      ["startWords", null, "go, HALT!", "go"],
      ["allowedAddresses", null, "10.0.0.0/33", "10.0.0.0/8"],
      ["publicAddress", null, "hooks.example.com", "https://hooks.example.com"],
    ],
  },
  {
    type: "messaging-webhook-ack",
    kinds: ["answer", "acknowledge", "redeliver", "error"],
    least: 0,
    faults: [],
  },
  {
    type: "messaging-message-log",
    kinds: ["kind", "id", "number", "search", "report", "conversation", "state"],
    least: 24,
    faults: [
      ["kind", "search"],
      ["from", "str", "2025-06-01", "7d"],
      ["recipient", "str", "Ada", "+41 79 123 45 67"],
      ["limit", "num", "10001", "10000"],
    ],
  },
  {
    type: "messaging-opt-out",
    kinds: ["kind", "add", "remove", "check", "list", "import"],
    least: 14,
    faults: [
      ["numbers", "str", "Ada", "+41791234567"],
      ["kind", "list"],
      ["pageSize", "num", "1", "2"],
    ],
  },
  {
    type: "messaging-message-wait",
    kinds: ["kind", "delivered", "read", "reply"],
    least: 12,
    faults: [
      ["kind", "reply"],
      ["within", "str", "91 d", "90 d"],
      ["match", "words"],
      ["words", null, " , ", "yes, no"],
      ["match", "pattern"],
      ["pattern", null, "(yes", "^(yes|ok)$"],
      ["pattern", null, "yes(?! but)", "^(yes|ok)$"],
    ],
  },
  {
    type: "messaging-verify-code",
    kinds: ["kind", "make", "check"],
    least: 15,
    faults: [
      ["number", "str", "+41791234567, +41791234568", "+41791234567"],
      ["length", null, "3", "4"],
      ["validFor", null, "2 d", "1 d"],
      ["tries", null, "0", "1"],
      ["perNumber", null, "1.5", "1"],
      ["template", null, "Your code", "{{ code }}"],
    ],
  },
  {
    type: "messaging-message-digest",
    kinds: ["first", "now", "wait"],
    least: 14,
    faults: [
      ["first", "wait"],
      ["wait", null, "soon", "90s"],
      ["every", null, "0", "1h"],
      ["quiet", null, "8 d", "7 d"],
      ["most", null, "101", "100"],
      ["one", null, " ", "One"],
      ["several", null, "{{count", "{{count}}"],
      ["over", null, "{{/x}}", ""],
    ],
  },
];

const PACKAGE = "@messaging-service/node-red-messaging";

async function expectFieldsKept(
  editor: EditorPage,
  { type, kinds: [select, ...kinds] = ["", ""], least }: Dialog,
): Promise<void> {
  const id = await editor.add(type);
  const choose = async (kind: string): Promise<void> => {
    if (select !== "") await editor.page.selectOption(`#node-input-${select}`, kind);
  };
  await editor.show(id);
  await editor.page.fill("#node-input-name", `my ${type}`);
  let filled = 0;
  for (const kind of kinds) {
    await choose(kind);
    filled += await editor.fillFields();
    const text = await editor.page.innerText("#dialog-form");
    assert.doesNotMatch(text, new RegExp(`${type}\\.|messaging-account[.:]`), "a raw key is shown");
  }
  assert.ok(filled >= least, `${type}: only ${filled} fields to fill in`);
  // The number of outputs follows other settings when the dialog is saved.
  const { "node-input-outputs": _before, ...kept } = await editor.values();
  await editor.done();
  await editor.show(id);
  for (const kind of kinds) {
    await choose(kind);
    await editor.openGroups();
  }
  const { "node-input-outputs": _after, ...found } = await editor.values();
  // Of rows that another choice has hidden there are no inputs: the node holds their values.
  const hidden = Object.keys(kept).filter((each) => found[each] === undefined);
  const held = await editor.held(
    id,
    hidden.map((each) => each.replace("node-input-", "")),
  );
  const byInput = Object.entries(held).map(([name, value]) => [`node-input-${name}`, value]);
  assert.deepEqual({ ...found, ...Object.fromEntries(byInput) }, kept, type);
  await editor.done();
}

async function expectFaults(editor: EditorPage, { type, faults }: Dialog): Promise<void> {
  const { page } = editor;
  const id = await editor.add(type);
  const fill = (field: string, source: string | null, value: string): Promise<void> =>
    source === null ? page.fill(`#node-input-${field}`, value) : editor.type(field, source, value);
  let last: Fault | undefined;
  await editor.show(id);
  await editor.openGroups();
  for (const each of faults) {
    if (each.length === 2) {
      await page.selectOption(`#node-input-${each[0]}`, each[1]);
      continue;
    }
    const [field, source, wrong, right] = each;
    last = each;
    await fill(field, source, wrong);
    await editor.fault(field).waitFor();
    await fill(field, source, right);
    await editor.fault(field).waitFor({ state: "detached" });
  }
  const [field, source, wrong, right] = last ?? assert.fail("no fault");
  const isInvalid = async (): Promise<boolean> => (await editor.invalid()).join().includes(type);
  await fill(field, source, wrong);
  await editor.done();
  assert.equal(await isInvalid(), true);
  await editor.show(id);
  await editor.fault(field).waitFor();
  await fill(field, source, right);
  await editor.done();
  assert.equal(await isInvalid(), false);
}

onEachEditor(
  "dialogs",
  (bench) => {
    itOnBoth("opens by a double click on a node dragged out of the palette", async () => {
      const { editor } = bench;
      const id = await editor.drag("messaging-sms-send");
      await editor.edit(id);
      await editor.page.fill("#node-input-name", "dragged");
      await editor.done();
      assert.equal(await editor.page.evaluate(`RED.nodes.node("${id}").name`), "dragged");
    });

    itOnBoth("keeps every field of every dialog when it is saved and opened again", async () => {
      for (const each of DIALOGS) await expectFieldsKept(bench.editor, each);
    });

    it("shows each fault of every dialog below its field until it is corrected", async () => {
      for (const each of DIALOGS.filter(({ faults }) => faults.length > 0)) {
        await expectFaults(bench.editor, each);
      }
    });

    itOnBoth("finds every example in the library, and imports all of them without a fault", async () => {
      const { editor } = bench;
      const [first, ...others] = allExamples().filter(({ needsPackage }) => !needsPackage);
      assert.ok(first);
      await editor.importExample(first.name);
      // What the menu does, without its dialog.
      for (const { name } of others) {
        const path = JSON.stringify(`library/examples/flows/${PACKAGE}/${name}`);
        await editor.page.evaluate(
          `$.getJSON(${path}).then((flow) => void RED.nodes.import(flow, { generateIds: true }))`,
        );
      }
      assert.deepEqual(await editor.invalid(), []);
      const tabs = Number(await editor.page.evaluate("RED.workspaces.count()"));
      assert.ok(tabs > others.length, `only ${tabs} tabs`);
    });
  },
  { flows: [EMPTY_TAB, { ...NEW_ACCOUNT, id: "account" }] },
);
