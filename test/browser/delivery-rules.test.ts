import assert from "node:assert/strict";
import { RULE_DEFAULTS, RULE_FIELDS } from "../../lib/shared/fields/rule-fields";
import { account, msg, sender } from "../support/editor/flow-nodes";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

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

const FLOWS = [
  EMPTY_TAB,
  account("account", { keepMessages: "computer" }),
  ...TYPES.flatMap((type) => {
    const fields =
      type === "sms-send"
        ? { ...msg("recipientAddressList", "to"), ...msg("messageContent", "payload") }
        : { kind: "text", ...msg("recipients", "to") };
    return [
      sender(`new-${type}`, type, { ...fields, ...NEW }),
      sender(`set-${type}`, type, { ...fields, ...SET }),
    ];
  }),
];

const GROUP = "#dialog-form details:has(#node-input-anyHour)";
const input = (name: string): string => `#node-input-${name}`;

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

function rulesTests(bench: EditorBench): void {
  const isOpen = (): Promise<boolean> => bench.editor.page.isVisible(input("anyHour"));
  const summary = (): Promise<string> =>
    bench.editor.page.innerText(`${GROUP} > summary > .messaging-summary`);
  const unfold = async (): Promise<void> => {
    await bench.editor.page.click(`${GROUP} > summary`);
    await bench.editor.page.waitForSelector(input("anyHour"));
  };
  const held = (id: string) => bench.editor.held(id, Object.keys(NEW));
  const shownFaults = () => bench.editor.faults(GROUP);

  for (const type of TYPES) {
    describe(type, () => {
      itOnBoth("says in the folded group what is set, and keeps it", async () => {
        const { editor } = bench;
        const { page } = editor;
        const id = `set-${type}`;
        await editor.show(id);
        assert.equal(await isOpen(), false);
        assert.match(await summary(), /^Send-once key: .+ · .+ · 2 more$/);
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
    await editor.show(id);
    await unfold();
    await page.check(input("anyHour"));
    await editor.done();
    assert.deepEqual(await held(id), { ...NEW, anyHour: true });
    await editor.show(id);
    assert.equal(await isOpen(), false);
    assert.equal(await summary(), "Outside sending hours too");
    await unfold();
    await editor.type("onceKey", "msg", "payload.id");
    assert.equal(await page.inputValue(input("onceWithin")), RULE_DEFAULTS.onceWithin);
    await editor.cancel();
  });

  it("says what is wrong with a typed time, at once", async () => {
    const { editor } = bench;
    await editor.show("new-sms-send");
    // What durations and times are is shown without a browser.
    for (const [field, text, fault] of [
      ["notBefore", "tomorrow", /^Must be a duration such as 2 h/],
      ["notBefore", "2 h", null],
      ["uselessAfter", "120min", /^Is not later than “Not before”/],
      ["uselessAfter", "121 min", null],
      ["uselessAfter", "1 month", /^Must be a duration/],
      ["uselessAfter", "20:15", null],
      ["onceKey", "k".repeat(201), /at most 200 characters/],
      ["onceKey", "welcome", null],
    ] as const) {
      await editor.type(field, "str", text);
      const [first = "", ...others] = await shownFaults();
      assert.deepEqual(others, [], text);
      assert.match(first, fault ?? /^$/, `${field}: ${text}`);
    }
    for (const [text, fault] of [
      ["0s", /^Must be a duration/],
      ["", /^$/],
    ] as const) {
      await editor.page.fill(input("onceWithin"), text);
      assert.match((await shownFaults()).join(), fault, text);
    }
    await editor.page.fill(input("onceWithin"), "soon");
    await editor.done();
    assert.match((await editor.invalid()).join(), /sms-send.*Within: must be a duration/);
  });

  it("lets only informational messages go to people who opted out", async () => {
    const { editor } = bench;
    const category = /^Needs “informational” as “Category”$/;
    await editor.show("new-sms-send");
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
      await editor.show(id);
      await editor.page.selectOption("#node-input-kind", kind);
      await unfold();
      await editor.page.check(input("alsoOptedOut"));
      assert.equal((await shownFaults()).length, isAsked ? 1 : 0, `${id} ${kind}`);
      assert.equal(await editor.page.isVisible(hint), isAsked, `${id} ${kind}`);
      await editor.cancel();
    }
  });

  it("is used by the keyboard", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show("new-rcs-send");
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

  it("has even rows, in both languages", async () => {
    for (const locale of ["en-US", "de"] as const) {
      const editor = await bench.editorIn(locale);
      for (const type of TYPES) {
        await editor.show(`set-${type}`);
        await editor.openGroups();
        assert.deepEqual(await editor.page.evaluate(UNEVEN), [], `${type} ${locale}`);
        await editor.cancel();
      }
    }
  });
}

onEachEditor("delivery rules in dialogs", rulesTests, { flows: FLOWS });
