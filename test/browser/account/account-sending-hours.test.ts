import assert from "node:assert/strict";
import { accountDialog, input, NEW_ACCOUNT } from "../../support/editor/account-dialog";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

onEachEditor(
  "sending hours of an account in the dialog",
  (bench) => {
    const { form, group, open, close, summary, faults } = accountDialog(bench);
    const [switched, from, to, zone] = ["sendingHours", "sendingFrom", "sendingTo", "timeZone"].map(
      input,
    ) as [string, string, string, string];
    const day = (name: string): string => `${form} .messaging-sending-days input[value=${name}]`;
    const category = (name: string): string => `${form} .messaging-sending-exempt input[value=${name}]`;

    itOnBoth("are seen when they are switched on, chosen with the keyboard, and summed up", async () => {
      const { editor } = bench;
      const { page } = editor;
      await open("new");
      for (const selector of [from, to, day("mon"), category("informational")]) {
        assert.equal(await page.isVisible(selector), false, selector);
      }
      await page.focus(switched);
      await page.keyboard.press("Space");
      await page.waitForSelector(from);
      assert.deepEqual(await page.locator(`${form} .messaging-sending-days label`).allInnerTexts(), [
        ...["Mon", "Tue", "Wed", "Thu", "Fri"],
        ...["send on Saturdays too", "send on Sundays too"],
      ]);
      assert.match(await summary(), / · Mon–Fri 08:00–20:00$/);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.value"), "mon");
      await page.keyboard.press("Space");
      await page.check(day("sun"));
      await page.fill(from, "22:00");
      await page.fill(to, "6:30");
      await page.check(category("informational"));
      await page.selectOption(input("sendingBy"), "account");
      await page.selectOption(input("sendingAction"), "refuse");
      assert.deepEqual(await faults(), []);
      assert.match(await summary(), / · Tue–Fri, Sun 22:00–6:30$/);
      await close("ok");
      const saved = {
        sendingHours: true,
        sendingDays: "tue,wed,thu,fri,sun",
        sendingFrom: "22:00",
        sendingTo: "6:30",
        sendingBy: "account",
        sendingAction: "refuse",
        sendingExempt: "informational",
      };
      assert.deepEqual(await editor.held("new", Object.keys(saved)), saved);
    });

    it("find a time zone by a part of its name", async () => {
      const { editor } = bench;
      const { page } = editor;
      const typed = async (text: string): Promise<string> => {
        await page.fill(zone, text);
        await page.press(zone, "Tab");
        return (await faults()).join();
      };
      await open("new");
      await page.click(zone);
      await page.keyboard.type("new york");
      await page.click(".red-ui-autoComplete-container >> text=America/New_York");
      assert.equal(await page.inputValue(zone), "America/New_York");
      assert.equal(await typed("europe/zurich"), "");
      assert.equal(await page.inputValue(zone), "Europe/Zurich");
      assert.match(await typed("Mars/Olympus"), /choose a time zone from the list/i);
      assert.equal(await typed("${ZONE}"), "");
      await close("ok");
      assert.deepEqual(await editor.held("new", ["timeZone"]), { timeZone: "${ZONE}" });
    });

    it("say what is wrong with them, as long as they are on", async () => {
      const { editor } = bench;
      const { page } = editor;
      await open("new");
      await page.check(switched);
      for (const name of ["mon", "tue", "wed", "thu", "fri"]) {
        await page.uncheck(day(name));
      }
      await page.fill(from, "8 o'clock");
      await page.fill(to, "25:00");
      const [days = "", begin = "", end = "", ...others] = await faults();
      assert.match(days, /at least one day/i);
      assert.match(begin, /time of day, for example 08:00/i);
      assert.match(end, /time of day, for example 20:00/i);
      assert.deepEqual(others, []);
      await page.check(day("sat"));
      await page.fill(from, "08:00");
      await page.fill(to, "8:00");
      assert.match((await faults()).join(), /^must not be the same/i);
      await page.uncheck(switched);
      assert.deepEqual(await faults(), []);
      await close("ok");
      assert.deepEqual(await editor.held("new", ["sendingHours"]), { sendingHours: false });
    });

    it("say that waiting messages are lost by a restart where they are in memory only", async () => {
      const { page } = bench.editor;
      const hint = `${group} [data-i18n$="hint.sendingHold"]`;
      await open("new");
      await page.check(switched);
      assert.equal(await page.isVisible(hint), false);
      await page.evaluate(`$("${input("keepMessages")}").val("memory").trigger("change")`);
      await page.waitForSelector(hint);
      await page.selectOption(input("sendingAction"), "refuse");
      assert.equal(await page.isVisible(hint), false);
      await close("cancel");
    });
  },
  { flows: [EMPTY_TAB, { ...NEW_ACCOUNT, id: "new" }] },
);
