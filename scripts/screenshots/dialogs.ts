import type { Browser } from "playwright-core";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import { EditorPage } from "../../test/support/editor/editor";
import { fillGallery, GALLERY, openShot } from "../../test/support/editor/gallery";
import { Example } from "../../test/support/examples";
import type { NodeRed } from "../../test/support/node-red/node-red";

const ROW = "name,mobile,day,time\nAnna,+41 79 123 45 67,Monday,10:00";
/** Tall enough for the longest dialog. */
const VIEWPORT = { width: 1500, height: 1700 };

/** Takes a picture of the open dialog, as tall as its content. */
async function captureDialog({ page }: EditorPage, path: string): Promise<void> {
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

/** Takes a picture of the dialog of an SMS. */
export async function captureSms(browser: Browser, nodeRed: NodeRed, path: string): Promise<void> {
  const example = new Example("01 - Send one SMS");
  const account = example.flows.find(({ type }) => type === "messaging-account");
  const shot = GALLERY.find(({ file }) => file === "sms-send");
  if (account === undefined || shot === undefined) throw new Error("the account or the dialog is missing");
  await nodeRed.deploy([
    { id: "gallery", type: "tab", label: "Gallery" },
    { ...ACCOUNT_DEFAULTS, ...account },
  ]);
  const editor = await EditorPage.open(browser, nodeRed.url, { viewport: VIEWPORT });
  await editor.page.addStyleTag({ content: "#red-ui-notifications { display: none; }" });
  await fillGallery(editor, account.id);
  await editor.deploy();
  await openShot(editor, shot);
  await captureDialog(editor, path);
  await editor.page.context().close();
}

/** Takes a picture of the dialog of a personal text. */
export async function capturePersonalText(browser: Browser, nodeRed: NodeRed, path: string): Promise<void> {
  const example = new Example("22 - Personal reminders with a report");
  const sender = example.id("Send reminder");
  await nodeRed.deploy(example.flows);
  const editor = await EditorPage.open(browser, nodeRed.url, { viewport: VIEWPORT });
  await editor.show(sender);
  await editor.page.fill("#messaging-sample-row", ROW);
  await editor.page.locator(".messaging-personal", { hasText: "Hello Anna" }).waitFor();
  await captureDialog(editor, path);
  await editor.page.context().close();
}
