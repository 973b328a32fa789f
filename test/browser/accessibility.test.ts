import assert from "node:assert/strict";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { seriousFaults } from "../support/editor/serious-faults";

onEachEditor(
  "accessibility",
  (bench) => {
    const faults = (where: string): Promise<readonly string[]> => seriousFaults(bench.editor.page, where);

    itOnBoth("finds faults where there are some", async () => {
      const { editor } = bench;
      await editor.show(await editor.add("sms-send"));
      await editor.page.evaluate(`$("#dialog-form").append("<input type='text'>")`);
      assert.match((await faults("#dialog-form")).join(), /^label: /);
    });

    itOnBoth("has no serious fault in the account's dialog and the sidebar", async () => {
      const { page } = bench.editor;
      await bench.editor.showAccount("account");
      for (const service of ["simulator", "service"]) {
        await page.selectOption("#node-config-input-service", service);
        await page.evaluate(`$("#node-config-dialog-edit-form details").attr("open", "")`);
        await page.check("#node-config-input-sendingHours");
        assert.deepEqual(await faults("#node-config-dialog-edit-form"), [], service);
      }
      await bench.editor.closeAccount();
      await page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
      await page.waitForSelector(".messaging-activity", { state: "visible" });
      assert.deepEqual(await faults(".messaging-sidebar"), []);
      await page.click(".messaging-activity-simulator > .messaging-activity-heading");
      await page.waitForSelector(".messaging-activity-messages", { state: "visible" });
      assert.deepEqual(await faults(".messaging-sidebar"), [], "with the panel of the simulator");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      {
        id: "account",
        type: "messaging-account",
        service: "simulator",
        keepMessages: "memory",
        allowedCountries: "AT,DE",
      },
    ],
  },
);
