import assert from "node:assert/strict";
import { accountDialog, input, NEW_ACCOUNT } from "../../support/editor/account-dialog";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

onEachEditor(
  "limits of an account in the dialog",
  (bench) => {
    const { group, open, close, summary, faults } = accountDialog(bench);

    itOnBoth(
      "are saved with what happens at one, which is seen before a number is typed, and are summed up",
      async () => {
        const { editor } = bench;
        const { page } = editor;
        await open("new");
        assert.equal(await page.isVisible(input("limitAction")), true);
        assert.match(await summary(), /^(?!.*(per hour|per day))/);
        await page.fill(input("limitHour"), "100");
        await page.fill(input("limitNumberDay"), "3");
        await page.selectOption(input("limitAction"), "refuse");
        await page.check(input("stopSending"));
        assert.match(await summary(), / · at most 100 per hour · 3 per day to one number · sending stopped$/);
        await close("ok");
        const saved = { limitHour: "100", limitNumberDay: "3", limitAction: "refuse", stopSending: true };
        assert.deepEqual(await editor.held("new", Object.keys(saved)), saved);
      },
    );

    it("are whole numbers from 1 on, or a variable, on one line for hour and day", async () => {
      const { page } = bench.editor;
      await open("new");
      for (const [typed, fault] of [
        ["0", /must be from 1 to 1,000,000,000/i],
        ["1.5", /must be a whole number/i],
        ["1", /^$/],
        ["${LIMIT}", /^$/],
      ] as const) {
        await page.fill(input("limitHour"), typed);
        assert.match((await faults()).join(), fault, typed);
      }
      for (const [one, other] of [
        ["limitHour", "limitDay"],
        ["limitNumberHour", "limitNumberDay"],
      ] as const) {
        const boxes = await Promise.all([one, other].map((name) => page.locator(input(name)).boundingBox()));
        assert.equal(boxes[0]?.y, boxes[1]?.y);
      }
      assert.equal(await page.getByRole("textbox", { name: "Messages to one number per day" }).count(), 1);
      await close("cancel");
    });

    it("count of an account in memory from each start of Node-RED, which it says", async () => {
      const { page } = bench.editor;
      const text = page.getByText("its limits count from each start of Node-RED");
      await open("new");
      assert.equal(await page.locator(group, { has: text }).count(), 1);
      assert.equal(await text.isVisible(), false);
      await page.evaluate(`$("${input("keepMessages")}").val("memory").trigger("change")`);
      assert.equal(await text.isVisible(), true);
      await close("cancel");
    });
  },
  { flows: [EMPTY_TAB, { ...NEW_ACCOUNT, id: "new" }] },
);
