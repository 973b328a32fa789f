import { join } from "node:path";
import type { Browser } from "playwright-core";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import { EditorPage } from "../../test/support/editor/editor";
import { captureDialog } from "./dialog";
import type { FlowNode } from "../../test/support/node-red/admin-client";
import { Example } from "../../test/support/examples";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { fillGallery, GALLERY, openShot } from "../../test/support/editor/gallery";

const ACCOUNT = new Example("01 - Send one SMS").id("messaging-account");
/** What a person has typed into the account's dialog. */
const FILLED_IN = {
  serviceAddress: "https://api.example.com",
  username: "shop",
  password: "not a real one",
  clientId: "shop-flows",
  clientSecret: "not a real one",
};
/** Tall enough for the longest dialog. */
const VIEWPORT = { width: 1500, height: 1700 };

/** Takes a picture of each dialog in light or dark colours, into a folder for each type of node. */
export async function captureDialogs(
  browser: Browser,
  nodeRed: NodeRed,
  dark: boolean,
  folder: string,
): Promise<void> {
  const account = new Example("01 - Send one SMS").flows.find(({ id }) => id === ACCOUNT) as FlowNode;
  // As a new account is: one of before there was a store has a warning in some dialogs.
  await nodeRed.deploy([
    { id: "gallery", type: "tab", label: "Gallery" },
    { ...ACCOUNT_DEFAULTS, ...account },
  ]);
  const editor = await EditorPage.open(browser, nodeRed.url, { dark, viewport: VIEWPORT });
  // What was deployed just now is said above the dialogs.
  await editor.page.addStyleTag({ content: "#red-ui-notifications { display: none; }" });
  const target = (type: string, file: string): string => join(folder, type, `${file}.png`);
  await fillGallery(editor, ACCOUNT);
  await editor.deploy();
  for (const shot of GALLERY) {
    await openShot(editor, shot);
    await captureDialog(editor, target(shot.type, shot.file));
    await editor.cancel();
  }
  for (const service of ["simulator", "service"]) {
    await editor.page.evaluate(`RED.editor.editConfig("", "messaging-account", "${ACCOUNT}")`);
    await editor.page.waitForSelector("#node-config-input-name");
    await editor.page.selectOption("#node-config-input-service", service);
    if (service === "service") {
      for (const [name, value] of Object.entries(FILLED_IN)) {
        await editor.page.fill(`#node-config-input-${name}`, value);
      }
      // The editor looks at an input when it is left.
      await editor.page.keyboard.press("Tab");
    }
    await editor.settled();
    await captureDialog(editor, target("messaging-account", `messaging-account-${service}`));
    await editor.page.click("#node-config-dialog-cancel");
    await editor.page.waitForSelector("#node-config-dialog-edit-form", { state: "detached" });
  }
  await editor.page.context().close();
}
