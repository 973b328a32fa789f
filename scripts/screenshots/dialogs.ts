import { join } from "node:path";
import type { Browser } from "playwright-core";
import { EditorPage } from "../../test/support/editor/editor";
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
/** As a new account has it; that of the example is from before. */
const NEW_STORAGE = {
  keepMessages: "computer",
  storeFolder: "",
  keepDays: "30",
  keepTexts: false,
  snapshotLimit: "256",
};
/** Tall enough for the longest dialog. */
const VIEWPORT = { width: 1500, height: 1700 };

/** The open dialog, as tall as what it holds. */
async function capture({ page }: EditorPage, path: string): Promise<void> {
  await page.mouse.move(5, 5);
  const clip = await page.evaluate<{ x: number; y: number; width: number; height: number }>(
    `(() => {
      const tray = [...document.querySelectorAll(".red-ui-tray")].at(-1);
      const { left, top, width } = tray.getBoundingClientRect();
      const rows = [...tray.querySelectorAll("form > *")].map((row) => row.getBoundingClientRect().bottom);
      return { x: left, y: top, width, height: Math.min(Math.max(...rows) + 16, innerHeight) - top };
    })()`,
  );
  await page.screenshot({ path, clip });
}

/** Takes a picture of each dialog in light or dark colours. */
export async function captureDialogs(
  browser: Browser,
  nodeRed: NodeRed,
  dark: boolean,
  folder: string,
): Promise<void> {
  await nodeRed.deploy([
    { id: "gallery", type: "tab", label: "Gallery" },
    {
      ...(new Example("01 - Send one SMS").flows.find(
        ({ type }) => type === "messaging-account",
      ) as FlowNode),
      ...NEW_STORAGE,
    },
  ]);
  const editor = await EditorPage.open(browser, nodeRed.url, { dark, viewport: VIEWPORT });
  // What was deployed just now is said above the dialogs.
  await editor.page.addStyleTag({ content: "#red-ui-notifications { display: none; }" });
  const target = (file: string): string => join(folder, `${file}.png`);
  await fillGallery(editor, ACCOUNT);
  await editor.deploy();
  for (const shot of GALLERY) {
    await openShot(editor, shot);
    await capture(editor, target(shot.file));
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
    await capture(editor, target(`messaging-account-${service}`));
    await editor.page.click("#node-config-dialog-cancel");
    await editor.page.waitForSelector("#node-config-dialog-edit-form", { state: "detached" });
  }
  await editor.page.context().close();
}
