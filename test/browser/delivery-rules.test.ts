import assert from "node:assert/strict";
import { RULE_DEFAULTS, RULE_FIELDS } from "../../lib/shared/fields/rule-fields";
import { openNode } from "../support/editor/gallery";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { seriousFaults } from "../support/editor/serious-faults";

const TYPES = ["sms-send", "whatsapp-send", "rcs-send"] as const;

/** Properties of the group as a new node has them. */
const NEW: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    RULE_FIELDS.flatMap(({ name, initial }) => [
      [name, initial.value],
      [`${name}Source`, initial.source],
    ]),
  ),
  ...RULE_DEFAULTS,
};

const SET = {
  onceKey: "payload.invoice",
  onceKeySource: "msg",
  onceWithin: "3 d",
  notBefore: "08:00",
  notBeforeSource: "str",
  uselessAfter: "validUntil",
  uselessAfterSource: "msg",
  alsoOptedOut: false,
  anyHour: true,
} as const;

const sender = (id: string, type: string, given: object) => ({
  id,
  type,
  z: "tab",
  x: 200,
  y: 100,
  account: "kept",
  outputs: 4,
  wires: [[], [], [], []],
  ...(type === "sms-send"
    ? {
        recipientAddressList: "to",
        recipientAddressListSource: "msg",
        messageContent: "payload",
        messageContentSource: "msg",
      }
    : { kind: "text", recipients: "to", recipientsSource: "msg" }),
  ...given,
});

const FLOWS = [
  EMPTY_TAB,
  { id: "memory", type: "messaging-account", service: "simulator", keepMessages: "memory" },
  { id: "kept", type: "messaging-account", service: "simulator", keepMessages: "computer" },
  ...TYPES.flatMap((type) => [sender(`new-${type}`, type, NEW), sender(`set-${type}`, type, SET)]),
];

const GROUP = "#dialog-form details:has(#node-input-anyHour)";
const input = (name: string): string => `#node-input-${name}`;

function rulesTests(bench: EditorBench): void {
  const isOpen = (): Promise<boolean> => bench.editor.page.isVisible(input("anyHour"));
  const summary = (): Promise<string> =>
    bench.editor.page.innerText(`${GROUP} > summary > .messaging-summary`);
  const unfold = async (): Promise<void> => {
    await bench.editor.page.click(`${GROUP} > summary`);
    await bench.editor.page.waitForSelector(input("anyHour"));
  };
  /** The properties of the group that a node has. */
  const held = (id: string): Promise<Record<string, unknown>> =>
    bench.editor.page.evaluate(
      `((node) => Object.fromEntries(${JSON.stringify(Object.keys(NEW))}.map((name) => [name, node[name]])))(RED.nodes.node("${id}"))`,
    );
  const shownFaults = async (): Promise<readonly string[]> => {
    const { page } = bench.editor;
    // Faults are written after the change, before the page is drawn again.
    await page.evaluate("new Promise(requestAnimationFrame)");
    return page.locator(`${GROUP} .messaging-fault:visible`).allInnerTexts();
  };

  for (const type of TYPES) {
    describe(type, () => {
      itOnBoth("says in the folded group what is set, and keeps it", async () => {
        const { editor } = bench;
        const { page } = editor;
        const id = `set-${type}`;
        await openNode(editor, id);
        assert.equal(await isOpen(), false);
        assert.match(await summary(), /^Once key: .+ · .+ · 2 more$/);
        await unfold();
        const values = await editor.values();
        for (const [name, value] of Object.entries(SET)) {
          assert.equal(values[`node-input-${name}`], value, name);
        }
        await page.fill(input("onceWithin"), "12h");
        await page.uncheck(input("anyHour"));
        await editor.type("onceKey", "jsonata", "'invoice-' & payload.id");
        await editor.done();
        assert.deepEqual(await held(id), {
          ...SET,
          onceKey: "'invoice-' & payload.id",
          onceKeySource: "jsonata",
          onceWithin: "12h",
          anyHour: false,
        });
      });

      it("has rules that do nothing in a new node", async () => {
        const { editor } = bench;
        const added = await editor.add(type);
        await editor.show(added);
        assert.equal(await isOpen(), false);
        assert.equal(await editor.page.locator(`${GROUP} > summary`).innerText(), "Delivery rules");
        await unfold();
        assert.equal(await editor.page.isVisible(input("onceWithin")), false, "no key, but a time for it");
        await editor.page.fill("#node-input-name", "new");
        await editor.done();
        assert.deepEqual(await held(added), NEW);
      });
    });
  }

  it("changes only what a person sets", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = "new-sms-send";
    await openNode(editor, id);
    await unfold();
    await page.check(input("anyHour"));
    await editor.done();
    assert.deepEqual(await held(id), { ...NEW, anyHour: true });
    await openNode(editor, id);
    assert.equal(await isOpen(), false);
    assert.equal(await summary(), "Outside sending hours too");
    await unfold();
    await editor.type("onceKey", "msg", "payload.id");
    assert.equal(await page.inputValue(input("onceWithin")), RULE_DEFAULTS.onceWithin);
    await editor.cancel();
  });

  it("says what is wrong with a typed time, at once", async () => {
    const { editor } = bench;
    const cases: readonly (readonly [field: string, text: string, fault: RegExp | null])[] = [
      ["notBefore", "20:75", /^Must be a duration such as 2h/],
      ["notBefore", "tomorrow", /^Must be a duration/],
      ["notBefore", "2027-02-29", /^Must be a duration/],
      ["notBefore", "2028-02-29 08:00", null],
      ["notBefore", "2 h", null],
      ["uselessAfter", "120min", /^Is not later than “Not before”/],
      ["uselessAfter", "121 min", null],
      ["uselessAfter", "1 month", /^Must be a duration/],
      ["uselessAfter", "20:15", null],
      ["onceKey", "k".repeat(201), /at most 200 characters/],
      ["onceKey", "welcome", null],
    ];
    await openNode(editor, "new-sms-send");
    for (const [field, text, fault] of cases) {
      await editor.type(field, "str", text);
      const [first = "", ...others] = await shownFaults();
      assert.deepEqual(others, [], text);
      assert.match(first, fault ?? /^$/, `${field}: ${text}`);
    }
    for (const [text, fault] of [
      ["soon", /^Must be a duration, for example/],
      ["0s", /^Must be a duration/],
      ["", null],
      ["1 w", null],
    ] as const) {
      await editor.page.fill(input("onceWithin"), text);
      assert.match((await shownFaults()).join(), fault ?? /^$/, text);
    }
    await editor.page.fill(input("onceWithin"), "soon");
    await editor.done();
    assert.match((await editor.invalid()).join(), /sms-send.*Within: must be a duration/);
  });

  it("lets only informational messages go to people who opted out", async () => {
    const { editor } = bench;
    const category = /^Needs “informational” as “Category”$/;
    await openNode(editor, "new-sms-send");
    await unfold();
    await editor.page.check(input("alsoOptedOut"));
    for (const [source, value, fault] of [
      ["blank", "", category],
      ["choice", "advertisement", category],
      ["choice", "informational", null],
      ["msg", "category", null],
    ] as const) {
      await editor.type("contentCategory", source, value);
      assert.match((await shownFaults()).join(), fault ?? /^$/, `${source} ${value}`);
    }
    await editor.cancel();
  });

  it("asks for a category only where messages have one", async () => {
    const { editor } = bench;
    const hint = `${GROUP} .messaging-rules-category`;
    for (const [id, kind, isAsked] of [
      ["new-rcs-send", "text", false],
      ["new-whatsapp-send", "text", false],
      ["new-whatsapp-send", "broadcast", true],
    ] as const) {
      await openNode(editor, id);
      await editor.page.selectOption("#node-input-kind", kind);
      await unfold();
      await editor.page.check(input("alsoOptedOut"));
      assert.equal((await shownFaults()).length, isAsked ? 1 : 0, `${id} ${kind}`);
      assert.equal(await editor.page.isVisible(hint), isAsked, `${id} ${kind}`);
      await editor.cancel();
    }
  });

  it("says of an account in memory mode how long its rules hold", async () => {
    const { editor } = bench;
    const lead = `${GROUP} .messaging-rules-memory`;
    await openNode(editor, "set-sms-send");
    await unfold();
    assert.equal(await editor.page.isVisible(lead), false);
    await editor.page.selectOption("#node-input-account", "memory");
    await editor.page.waitForSelector(lead);
    assert.match(await editor.page.innerText(lead), /until Node-RED ends/);
    await editor.cancel();
  });

  it("is used by the keyboard", async () => {
    const { editor } = bench;
    const { page } = editor;
    await openNode(editor, "new-rcs-send");
    await page.focus(`${GROUP} > summary`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(input("anyHour"));
    const focused = (): Promise<string> =>
      page.evaluate(
        `document.activeElement.closest(".form-row")?.querySelector("[id^=node-input-]")?.id ?? ""`,
      );
    const reached: string[] = [];
    for (let presses = 0; presses < 12 && reached.at(-1) !== "node-input-anyHour"; presses++) {
      await page.keyboard.press("Tab");
      const at = await focused();
      if (at !== reached.at(-1)) {
        reached.push(at);
      }
    }
    const order = ["onceKey", "notBefore", "uselessAfter", "alsoOptedOut", "anyHour"];
    assert.deepEqual(
      reached,
      order.map((name) => `node-input-${name}`),
    );
    await page.keyboard.press("Space");
    assert.equal(await page.isChecked(input("anyHour")), true);
    await editor.cancel();
  });
}

onEachEditor("delivery rules in dialogs", rulesTests, { flows: FLOWS });

/** Rows of the group whose label is broken into lines, or whose input does not begin where the others do. */
const UNEVEN = `(() => {
  const rows = [...document.querySelectorAll(${JSON.stringify(`${GROUP} > .form-row`)})].filter((row) => row.offsetParent !== null);
  const labels = rows.filter((row) => !row.matches(".messaging-check")).map((row) => row.querySelector("label"));
  const inputs = rows.map((row) => row.querySelector(".red-ui-typedInput-container, input:not([type=hidden])"));
  const left = Math.min(...inputs.map((each) => each.getBoundingClientRect().left));
  return [
    ...labels.filter((label) => label.getBoundingClientRect().height > 30).map((label) => label.innerText),
    ...inputs.filter((each) => each.getBoundingClientRect().left - left > 3).map((each) => each.outerHTML),
  ];
})()`;

onEachEditor(
  "delivery rules for everybody",
  (bench) => {
    for (const locale of ["en-US", "de"] as const) {
      for (const dark of [false, true]) {
        it(`have no serious fault, and even rows (${locale}, ${dark ? "dark" : "light"})`, async () => {
          const editor = await bench.editorIn(locale, dark);
          const { page } = editor;
          for (const type of TYPES) {
            await openNode(editor, `set-${type}`);
            await page.selectOption("#node-input-account", "memory");
            await editor.type("notBefore", "str", "never");
            await page.waitForSelector(`${GROUP} .messaging-fault`);
            assert.deepEqual(await page.evaluate(UNEVEN), [], type);
            assert.deepEqual(await seriousFaults(page, GROUP), [], type);
            await editor.cancel();
          }
        });
      }
    }
  },
  { flows: FLOWS, versions: [5] },
);
