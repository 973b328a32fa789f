import assert from "node:assert/strict";
import { join } from "node:path";
import { fillGallery, GALLERY, openShot } from "../support/editor/gallery";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { ROOT } from "../support/node-red/packed-package";

/** What axe found wrong. */
interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Traps against password managers, which the editor puts into every dialog, and hides. */
const NOT_OURS = [["[id^='red-ui-trap']"]];

onEachEditor(
  "accessibility",
  (bench) => {
    /** Serious faults within an element, in a line each. */
    async function faults(where: string): Promise<readonly string[]> {
      const { page } = bench.editor;
      const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
        `axe.run({ include: [[${JSON.stringify(where)}]], exclude: ${JSON.stringify(NOT_OURS)} }, { resultTypes: ["violations"] })`,
      );
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
    }

    beforeEach(async () => {
      await bench.editor.page.addScriptTag({ path: join(ROOT, "node_modules", "axe-core", "axe.min.js") });
    });

    itOnBoth("finds faults where there are some", async () => {
      const { editor } = bench;
      await editor.edit(await editor.drag("sms-send"));
      await editor.page.evaluate(`$("#dialog-form").append("<input type='text'>")`);
      assert.match((await faults("#dialog-form")).join(), /^label: /);
    });

    itOnBoth("has no serious fault in any dialog", async function () {
      this.timeout(300_000);
      const { editor } = bench;
      await fillGallery(editor, "account");
      for (const shot of GALLERY) {
        await openShot(editor, shot);
        // What is folded away can have faults as well.
        await editor.page.evaluate(`$("#dialog-form details").attr("open", "")`);
        assert.deepEqual(await faults("#dialog-form"), [], shot.file);
        await editor.cancel();
      }
    });

    itOnBoth("has no serious fault in the account's dialog and the sidebar", async () => {
      const { page } = bench.editor;
      await page.evaluate('RED.editor.editConfig("", "messaging-account", "account")');
      await bench.editor.opened("#node-config-input-name");
      for (const service of ["simulator", "service"]) {
        await page.selectOption("#node-config-input-service", service);
        await page.evaluate(`$("#node-config-dialog-edit-form details").attr("open", "")`);
        await page.check("#node-config-input-sendingHours");
        assert.deepEqual(await faults("#node-config-dialog-edit-form"), [], service);
      }
      await page.click("#node-config-dialog-cancel");
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
      { id: "account", type: "messaging-account", service: "simulator", allowedCountries: "AT,DE" },
    ],
  },
);
