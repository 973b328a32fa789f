import type { Browser } from "playwright-core";
import { EditorPage } from "../../test/support/editor/editor";
import type { Example } from "../../test/support/examples";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { captureDialog } from "./dialog";

/** Tall enough for the dialog. */
const VIEWPORT = { width: 1500, height: 1200 };

/** The dialog of a text with values of the message, after rows have passed the node: the preview shows one of them. */
export async function capturePersonalText(
  browser: Browser,
  nodeRed: NodeRed,
  example: Example,
  path: string,
  dark: boolean,
): Promise<void> {
  await nodeRed.deploy(example.flows);
  await nodeRed.inject(example.id("Remind everybody"));
  const editor = await EditorPage.open(browser, nodeRed.url, { dark, viewport: VIEWPORT });
  await editor.page.waitForFunction(
    `RED.nodes.node("${example.id("Send reminder")}").status?.fill !== undefined`,
  );
  await editor.show(example.id("Send reminder"));
  await editor.page.waitForSelector(".messaging-personal:visible");
  await captureDialog(editor, path);
  await editor.page.context().close();
}
