import { browserMissing, EditorPage, launchBrowser } from "../../../test/support/editor/editor";
import { fillGallery, GALLERY } from "../../../test/support/editor/gallery";
import { openDialog } from "../../../test/support/editor/open-dialog";
import type { Flows } from "../../../test/support/node-red/admin-client";
import { startNodeRed } from "../../../test/support/node-red/node-red";
import { NODE_RED_VERSIONS } from "../../../test/support/node-red/node-red-versions";
import { linkInto, temporaryFolder } from "../../../test/support/node-red/packed-package";
import type { BenchOptions } from "../options";
import { median } from "../report/statistics";
import type { BenchRow, Situation } from "./row";

/** A dialog of Node-RED's own that others are compared with; it makes a few TypedInputs, too. */
const CONTROL = "control";
const FLOWS: Flows = [
  { id: "tab", type: "tab", label: "Dialogs" },
  { id: "account", type: "messaging-account", service: "simulator", keepMessages: "memory" },
  { id: CONTROL, type: "inject", z: "tab", x: 900, y: 100, props: [{ p: "payload" }], wires: [[]] },
];
const DIALOGS = GALLERY.map(({ file }) => file).filter((file) => file.startsWith("rcs"));

async function* run({ rounds }: BenchOptions): AsyncIterable<Situation> {
  const missing = browserMissing();
  if (missing !== null) {
    throw new Error(`the dialogs need a browser: ${missing}`);
  }
  const browser = await launchBrowser();
  try {
    for (const version of NODE_RED_VERSIONS) {
      const userDir = await temporaryFolder("bench");
      await linkInto(userDir);
      const nodeRed = await startNodeRed({ version, userDir });
      try {
        await nodeRed.deploy(FLOWS);
        const editor = await EditorPage.open(browser, nodeRed.url, {});
        await fillGallery(editor, "account");
        const ratios = new Map<string, number[]>(DIALOGS.map((file) => [file, []]));
        // The first round warms up.
        for (let round = 0; round <= rounds; round++) {
          const control = await openDialog(editor, CONTROL);
          await editor.cancel();
          for (const [file, taken] of ratios) {
            const { built } = await openDialog(editor, `shot-${file}`);
            await editor.cancel();
            if (round > 0) {
              taken.push(built / control.built);
            }
          }
        }
        yield {
          situation: `RCS dialogs, Node-RED ${version}`,
          figures: [...ratios].map(([file, taken]) => ({
            name: `${file} time ÷ dialog of inject`,
            value: median(taken),
            unit: "",
            rounds: taken,
          })),
        };
      } finally {
        await nodeRed.stop();
      }
    }
  } finally {
    await browser.close();
  }
}

/** How long the dialogs of the RCS node take to open, as multiples of a dialog of Node-RED's own. */
export const DIALOG_ROW: BenchRow = { id: "dialog", run };
