import assert from "node:assert/strict";
import { ACCOUNT_DEFAULTS } from "../../../lib/shared/fields/account-defaults";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

const NAMES = [
  "sendingHours",
  "sendingDays",
  "sendingFrom",
  "sendingTo",
  "sendingBy",
  "sendingAction",
  "sendingExempt",
  "timeZone",
] as const;

const NEW = Object.fromEntries(NAMES.map((name) => [name, ACCOUNT_DEFAULTS[name]]));

const SAVED = {
  sendingHours: true,
  sendingDays: "mon,tue,wed,sat",
  sendingFrom: "09:30",
  sendingTo: "24:00",
  sendingBy: "account",
  sendingAction: "refuse",
  sendingExempt: "informational",
  timeZone: "Asia/Kathmandu",
};

onEachEditor(
  "sending hours of an account in the dialog",
  (bench) => {
    const form = "#node-config-dialog-edit-form";
    const group = `${form} details[data-summarised]`;
    const switched = "#node-config-input-sendingHours";
    const from = "#node-config-input-sendingFrom";
    const to = "#node-config-input-sendingTo";
    const zone = "#node-config-input-timeZone";
    const day = (name: string): string => `${form} .messaging-sending-days input[value=${name}]`;
    const category = (name: string): string => `${form} .messaging-sending-exempt input[value=${name}]`;

    const open = async (id: string, unfolded = true): Promise<void> => {
      const { editor } = bench;
      await editor.page.evaluate(`RED.editor.editConfig("", "messaging-account", "${id}")`);
      await editor.opened("#node-config-input-name");
      if (unfolded) {
        await editor.page.click(`${group} summary`);
        await editor.page.waitForSelector(switched);
      }
    };
    const close = async (button: "ok" | "cancel"): Promise<void> => {
      await bench.editor.page.click(`#node-config-dialog-${button}`);
      await bench.editor.page.waitForSelector(form, { state: "detached" });
    };
    const summaryText = async (): Promise<string> =>
      (await bench.editor.page.locator(`${group} .messaging-summary`).textContent()) ?? "";
    const faults = async (): Promise<string[]> =>
      bench.editor.page.locator(`${group} [role=alert]:visible`).allInnerTexts();
    /** Properties as the editor has them. */
    const held = (id: string): Promise<Record<string, unknown>> =>
      bench.editor.page.evaluate(
        `((node) => Object.fromEntries(${JSON.stringify(NAMES)}.map((name) => [name, node[name]])))(RED.nodes.node("${id}"))`,
      );
    const changes = async (): Promise<string[]> => {
      const names = await bench.editor.page.evaluate<string[]>(
        "Object.keys(RED.history.peek()?.changes ?? {})",
      );
      return names.filter((name) => name !== "credentials");
    };

    it("are off for a new account, and nothing is seen of them but the switch", async () => {
      const { page } = bench.editor;
      await open("new");
      assert.equal(await page.isChecked(switched), false);
      for (const selector of [from, to, day("mon"), category("informational")]) {
        assert.equal(await page.isVisible(selector), false, selector);
      }
      assert.doesNotMatch(await summaryText(), /Mon|08:00/);
      await close("ok");
      assert.deepEqual(await held("new"), NEW);
      assert.deepEqual(await changes(), []);
    });

    it("keep a time zone without sending hours", async () => {
      await open("new");
      await bench.editor.page.fill(zone, "Europe/Zurich");
      await close("ok");
      assert.deepEqual(await held("new"), { ...NEW, timeZone: "Europe/Zurich" });
    });

    itOnBoth("are chosen with the keyboard, and summed up", async () => {
      const { page } = bench.editor;
      await open("new");
      await page.focus(switched);
      await page.keyboard.press("Space");
      await page.waitForSelector(from);
      assert.match(await summaryText(), / · Mon–Fri 08:00–20:00$/);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.value"), "mon");
      await page.keyboard.press("Space");
      await page.check(day("sun"));
      await page.fill(from, "22:00");
      await page.fill(to, "6:30");
      await page.check(category("informational"));
      await page.selectOption("#node-config-input-sendingBy", "account");
      await page.selectOption("#node-config-input-sendingAction", "refuse");
      await page.waitForFunction(`$("${group} .messaging-summary").text().endsWith("22:00–6:30")`);
      assert.match(await summaryText(), / · Tue–Fri, Sun 22:00–6:30$/);
      assert.deepEqual(await faults(), []);
      await close("ok");
      assert.deepEqual(await held("new"), {
        ...NEW,
        sendingHours: true,
        sendingDays: "tue,wed,thu,fri,sun",
        sendingFrom: "22:00",
        sendingTo: "6:30",
        sendingBy: "account",
        sendingAction: "refuse",
        sendingExempt: "informational",
      });
    });

    it("find a time zone by a part of its name", async () => {
      const { page } = bench.editor;
      await open("new");
      await page.click(zone);
      await page.keyboard.type("new york");
      await page.click(".red-ui-autoComplete-container >> text=America/New_York");
      assert.equal(await page.inputValue(zone), "America/New_York");
      await page.fill(zone, "europe/zurich");
      await page.press(zone, "Tab");
      assert.equal(await page.inputValue(zone), "Europe/Zurich");
      assert.deepEqual(await faults(), []);
      await page.fill(zone, "Mars/Olympus");
      await page.press(zone, "Tab");
      await page.waitForSelector(`${group} .messaging-fault`);
      assert.match((await faults()).join(), /choose a time zone from the list/i);
      await page.fill(zone, "${ZONE}");
      await page.press(zone, "Tab");
      await page.waitForSelector(`${group} .messaging-fault`, { state: "detached" });
      await close("ok");
      assert.equal((await held("new")).timeZone, "${ZONE}");
    });

    it("say what is wrong with them, as long as they are on", async () => {
      const { page } = bench.editor;
      await open("new");
      await page.check(switched);
      for (const name of ["mon", "tue", "wed", "thu", "fri"]) {
        await page.uncheck(day(name));
      }
      await page.fill(from, "8 o'clock");
      await page.fill(to, "25:00");
      await page.waitForFunction(`$("${group} .messaging-fault").length === 3`);
      const [days = "", begin = "", end = ""] = await faults();
      assert.match(days, /at least one day/i);
      assert.match(begin, /time of day, for example 08:00/i);
      assert.match(end, /time of day, for example 20:00/i);
      await page.check(day("sat"));
      await page.fill(from, "08:00");
      await page.fill(to, "8:00");
      await page.waitForFunction(`$("${group} .messaging-fault").length === 1`);
      assert.match((await faults()).join(), /must not be the same/i);
      await page.uncheck(switched);
      await page.waitForFunction(`$("${group} .messaging-fault").length === 0`);
      await close("ok");
      assert.equal((await held("new")).sendingHours, false);
    });

    it("show what is saved, stay folded, and change nothing by themselves", async () => {
      const { page } = bench.editor;
      await open("saved", false);
      assert.equal(await page.isVisible(switched), false);
      assert.match(await summaryText(), / · Mon–Wed, Sat 09:30–24:00$/);
      await page.click(`${group} summary`);
      await page.waitForSelector(from);
      const checked = await page.$$eval(
        `${form} .messaging-sending-days input:checked, ${form} .messaging-sending-exempt input:checked`,
        (boxes) => boxes.map((box) => (box as unknown as { value: string }).value),
      );
      assert.deepEqual(checked, ["mon", "tue", "wed", "sat", "informational"]);
      assert.equal(await page.inputValue(zone), "Asia/Kathmandu");
      assert.deepEqual(await faults(), []);
      await close("ok");
      assert.deepEqual(await changes(), []);
    });

    it("say that waiting messages are lost by a restart where they are in memory only", async () => {
      const { page } = bench.editor;
      const hint = `${group} [data-i18n$="hint.sendingHold"]`;
      await open("new");
      await page.check(switched);
      assert.equal(await page.isVisible(hint), false);
      await page.evaluate('$("#node-config-input-keepMessages").val("memory").trigger("change")');
      await page.waitForSelector(hint);
      await page.selectOption("#node-config-input-sendingAction", "refuse");
      assert.equal(await page.isVisible(hint), false);
      await close("cancel");
    });

    it("unfold where they are wrong", async () => {
      await open("wrong", false);
      await bench.editor.page.waitForSelector(switched);
      assert.match((await faults()).join(), /at least one day/i);
      await close("cancel");
    });

    it("are in German in a German editor", async () => {
      const { page } = await bench.editorIn("de");
      await open("saved", false);
      assert.match(await summaryText(), / · Mo–Mi, Sa 09:30–24:00$/);
      await page.click(`${group} summary`);
      await page.waitForSelector(from);
      const text = await page.innerText(group);
      for (const label of ["Sendezeiten", "Tage", "Mo", "Zeitzone", "Außer für"]) {
        assert.ok(text.includes(label), label);
      }
      assert.equal(await page.getAttribute(day("sat"), "aria-label"), "Samstag");
      await close("cancel");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { id: "new", type: "messaging-account" },
      { id: "saved", type: "messaging-account", ...SAVED },
      { id: "wrong", type: "messaging-account", ...SAVED, sendingDays: "" },
    ],
  },
);
