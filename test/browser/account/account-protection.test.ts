import assert from "node:assert/strict";
import { ACCOUNT_DEFAULTS } from "../../../lib/shared/fields/account-defaults";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

const NAMES = ["allowedCountries", "mobileOnly", "noPremiumNumbers"] as const;
const { allowedCountries, mobileOnly, noPremiumNumbers } = ACCOUNT_DEFAULTS;
const NEW = { allowedCountries, mobileOnly, noPremiumNumbers };

onEachEditor(
  "protection of an account in the dialog",
  (bench) => {
    const form = "#node-config-dialog-edit-form";
    const group = `${form} details[data-summarised]`;
    const summary = `${group} .messaging-summary`;
    const choice = "#messaging-account-countries";
    const adding = "#messaging-account-add-country";
    const mobile = "#node-config-input-mobileOnly";
    const premium = "#node-config-input-noPremiumNumbers";

    const open = async (id: string, unfolded = true): Promise<void> => {
      const { editor } = bench;
      await editor.page.evaluate(`RED.editor.editConfig("", "messaging-account", "${id}")`);
      await editor.opened("#node-config-input-name");
      if (unfolded) {
        await editor.page.click(`${group} summary`);
        await editor.page.waitForSelector(mobile);
      }
    };
    const close = async (button: "ok" | "cancel"): Promise<void> => {
      await bench.editor.page.click(`#node-config-dialog-${button}`);
      await bench.editor.page.waitForSelector(form, { state: "detached" });
    };
    const add = async (typed: string): Promise<void> => {
      await bench.editor.page.fill(adding, typed);
      await bench.editor.page.press(adding, "Enter");
    };
    const chips = (): Promise<string[]> =>
      bench.editor.page.locator(`${form} .messaging-chips li`).allInnerTexts();
    const summaryText = async (): Promise<string> =>
      (await bench.editor.page.locator(summary).textContent()) ?? "";
    const faults = async (): Promise<string> =>
      (await bench.editor.page.locator(`${group} [role=alert]:visible`).allInnerTexts()).join();
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

    itOnBoth("is folded for a new account, says what it does, and is saved with it", async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      await editor.show(await editor.add("sms-send"));
      await page.click("#node-input-btn-account-add");
      await editor.opened("#node-config-input-name");
      assert.equal(await page.isVisible(mobile), false);
      assert.equal(await page.isVisible(summary), true);
      assert.equal(await summaryText(), "all countries · SMS to mobiles only · no premium numbers");
      await close("ok");
      await editor.done();
      await editor.deploy();
      const deployed = (await nodeRed.flows()).find(
        ({ type, id }) =>
          type === "messaging-account" && !["lacking", "new", "listed", "nowhere"].includes(id),
      );
      assert.deepEqual(Object.fromEntries(NAMES.map((name) => [name, deployed?.[name]])), NEW);
    });

    itOnBoth("is that of a new account where one lacks the settings, which is no change of it", async () => {
      const { page } = bench.editor;
      assert.deepEqual(await held("lacking"), NEW);
      assert.equal(
        await page.evaluate("RED.nodes.dirty() || RED.nodes.node('lacking').changed === true"),
        false,
      );
      await open("lacking");
      assert.deepEqual([await page.isChecked(mobile), await page.isChecked(premium)], [true, true]);
      assert.equal(await page.inputValue(choice), "all");
      assert.equal(await summaryText(), "all countries · SMS to mobiles only · no premium numbers");
      await close("ok");
      assert.deepEqual(await changes(), []);
      await open("lacking");
      await page.uncheck(mobile);
      await close("ok");
      assert.deepEqual(await held("lacking"), { ...NEW, mobileOnly: false });
      assert.deepEqual(await changes(), ["mobileOnly"]);
    });

    it("takes countries by name or code, and removes them by mouse and keyboard", async () => {
      const { page } = bench.editor;
      await open("new");
      assert.equal(await page.isVisible(adding), false);
      await page.selectOption(choice, "listed");
      await page.waitForFunction(`$("${group} .messaging-fault").length === 1`);
      assert.match(await faults(), /at least one country/i);
      assert.match(await summaryText(), /^no country · /);
      await add("switzerland");
      await add("GG");
      await add("Germany");
      await add("de");
      assert.deepEqual(await chips(), ["Switzerland", "Guernsey", "Germany"]);
      assert.equal(await faults(), "");
      assert.match(await summaryText(), /^Switzerland, Guernsey, Germany · /);
      await add("Atlantis");
      assert.match(await faults(), /choose a country from the list/i);
      await add("AT");
      assert.equal(await faults(), "");
      assert.match(await summaryText(), /^4 countries · /);
      await page.click(`${form} button[aria-label="Remove Switzerland"]`);
      await page.keyboard.press("Enter");
      assert.deepEqual(await chips(), ["Germany", "Austria"]);
      await close("ok");
      assert.deepEqual(await held("new"), { ...NEW, allowedCountries: "DE,AT" });
    });

    it("keeps the list while all countries are chosen, and saves none of it", async () => {
      const { page } = bench.editor;
      await open("listed");
      await page.selectOption(choice, "all");
      assert.equal(await page.isVisible(`${form} .messaging-chips`), false);
      await page.selectOption(choice, "listed");
      assert.deepEqual(await chips(), ["Austria", "Jersey"]);
      await page.selectOption(choice, "all");
      await close("ok");
      assert.equal((await held("listed")).allowedCountries, "all");
    });

    it("shows what is saved, stays folded, and changes nothing by itself", async () => {
      const { page } = bench.editor;
      await open("listed", false);
      assert.equal(await page.isVisible(mobile), false);
      assert.equal(await summaryText(), "Austria, Jersey · all types of numbers");
      await page.click(`${group} summary`);
      assert.equal(await page.isVisible(summary), false);
      assert.equal(await page.inputValue(choice), "listed");
      assert.deepEqual(await chips(), ["Austria", "Jersey"]);
      assert.deepEqual([await page.isChecked(mobile), await page.isChecked(premium)], [false, false]);
      await close("ok");
      assert.deepEqual(await changes(), []);
    });

    it("unfolds where no country is left", async () => {
      await open("nowhere", false);
      await bench.editor.page.waitForSelector(mobile);
      assert.match(await faults(), /at least one country/i);
      await close("cancel");
    });

    it("is in German in a German editor", async () => {
      const { page } = await bench.editorIn("de");
      await open("listed");
      assert.equal(await page.inputValue(choice), "listed");
      await add("Deutschland");
      assert.deepEqual(await chips(), ["Österreich", "Jersey", "Deutschland"]);
      assert.equal(await summaryText(), "Österreich, Jersey, Deutschland · alle Arten von Nummern");
      const text = await page.innerText(group);
      for (const label of ["Schutz", "Erlaubte Länder", "Nur Mobilnummern"]) {
        assert.ok(text.includes(label), label);
      }
      await close("cancel");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { id: "lacking", type: "messaging-account" },
      { id: "new", type: "messaging-account", ...NEW },
      {
        id: "listed",
        type: "messaging-account",
        allowedCountries: "AT,JE",
        mobileOnly: false,
        noPremiumNumbers: false,
      },
      { id: "nowhere", type: "messaging-account", allowedCountries: "" },
    ],
  },
);
