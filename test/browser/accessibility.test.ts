// Slow: axe reads all dialogs in full, in two languages.
import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import { BAD_LABELS } from "../support/editor/bad-labels";
import type { EditorPage } from "../support/editor/editor";
import { fillGallery, GALLERY, openShot } from "../support/editor/gallery";
import { EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";
import { seriousFaults } from "../support/editor/serious-faults";

const FLOWS = [EMPTY_TAB, { ...NEW_ACCOUNT, id: "account" }];

/** Opens every dialog, and looks for faults and for labels that do not fit. */
async function expectNoFaults(editor: EditorPage): Promise<void> {
  for (const shot of GALLERY) {
    await openShot(editor, shot);
    await editor.openGroups();
    assert.deepEqual(await editor.page.evaluate(BAD_LABELS), [], `${shot.file}: labels`);
    assert.deepEqual(await seriousFaults(editor.page, "#dialog-form"), [], shot.file);
    await editor.done();
  }
}

onEachEditor(
  "accessibility",
  (bench) => {
    it("has no serious fault in any dialog, and opening one changes no node", async () => {
      const { editor } = bench;
      await fillGallery(editor, "account");
      // A new webhook gets a secret.
      const nodes = `RED.nodes.filterNodes({}).filter(({ type }) => type !== "messaging-webhook-in").map((node) => RED.nodes.convertNode(node))`;
      const before = await editor.page.evaluate(nodes);
      await expectNoFaults(editor);
      assert.deepEqual(await editor.page.evaluate(nodes), before);
    });

    it("has no serious fault in the dialog of an account", async () => {
      const { page } = bench.editor;
      await bench.editor.showAccount("account");
      for (const service of ["simulator", "service"]) {
        await page.selectOption("#node-config-input-service", service);
        await page.evaluate(`$("#node-config-dialog-edit-form details").attr("open", "")`);
        await page.check("#node-config-input-sendingHours");
        assert.deepEqual(await seriousFaults(page, "#node-config-dialog-edit-form"), [], service);
      }
      await bench.editor.closeAccount();
    });
  },
  { flows: FLOWS },
);

onEachEditor(
  "accessibility in German and dark colours",
  (bench) => {
    it("has no serious fault in any German dialog in dark colours", async () => {
      const editor = await bench.editorIn("de", true);
      await fillGallery(editor, "account");
      await expectNoFaults(editor);
    });
  },
  // The editor's own dark colours are those of Node-RED 5.
  { flows: FLOWS, versions: [5] },
);
