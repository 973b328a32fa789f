import assert from "node:assert/strict";
import { accountDialog, NEW_ACCOUNT } from "../../support/editor/account-dialog";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

onEachEditor(
  "allowed countries of an account in the dialog",
  (bench) => {
    const { form, open, close, summary, faults } = accountDialog(bench);
    const choice = "#messaging-account-countries";
    const adding = "#messaging-account-add-country";
    const add = async (typed: string): Promise<void> => {
      await bench.editor.page.fill(adding, typed);
      await bench.editor.page.press(adding, "Enter");
    };
    const chips = (): Promise<string[]> =>
      bench.editor.page.locator(`${form} .messaging-chips li`).allInnerTexts();
    const fault = async (): Promise<string> => (await faults()).join();

    itOnBoth("are taken by name or code, and removed by mouse and keyboard", async () => {
      const { editor } = bench;
      const { page } = editor;
      await open("new");
      assert.equal(await page.isVisible(adding), false);
      await page.selectOption(choice, "listed");
      assert.match(await fault(), /at least one country/i);
      assert.match(await summary(), /^no country · /);
      for (const typed of ["switzerland", "GG", "Germany", "de"]) await add(typed);
      assert.deepEqual(await chips(), ["Switzerland", "Guernsey", "Germany"]);
      assert.equal(await fault(), "");
      assert.match(await summary(), /^Switzerland, Guernsey, Germany · /);
      await add("Atlantis");
      assert.match(await fault(), /choose a country from the list/i);
      await add("AT");
      assert.equal(await fault(), "");
      assert.match(await summary(), /^4 countries · /);
      await page.click(`${form} button[aria-label="Remove Switzerland"]`);
      await page.keyboard.press("Enter");
      assert.deepEqual(await chips(), ["Germany", "Austria"]);
      await close("ok");
      assert.deepEqual(await editor.held("new", ["allowedCountries"]), { allowedCountries: "DE,AT" });
    });

    it("stay listed while all are chosen, and none of them is saved then", async () => {
      const { editor } = bench;
      const { page } = editor;
      await open("listed");
      assert.equal(await page.inputValue(choice), "listed");
      await page.selectOption(choice, "all");
      assert.equal(await page.isVisible(`${form} .messaging-chips`), false);
      await page.selectOption(choice, "listed");
      assert.deepEqual(await chips(), ["Austria", "Jersey"]);
      await page.selectOption(choice, "all");
      await close("ok");
      assert.deepEqual(await editor.held("listed", ["allowedCountries"]), { allowedCountries: "all" });
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { ...NEW_ACCOUNT, id: "new" },
      { ...NEW_ACCOUNT, id: "listed", allowedCountries: "AT,JE" },
    ],
  },
);
