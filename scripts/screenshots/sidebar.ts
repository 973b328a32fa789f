import type { Browser } from "playwright-core";
import { EditorPage } from "../../test/support/editor/editor";
import type { Example } from "../../test/support/examples";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { stretch } from "./stretch";

const TAB = "messaging-activity";

/** The sidebar after a conversation: a template, a reply of the simulator's person, the flow's answer. */
export async function captureSidebar(
  browser: Browser,
  nodeRed: NodeRed,
  example: Example,
  path: string,
  dark: boolean,
): Promise<void> {
  await nodeRed.deploy(example.flows);
  const editor = await EditorPage.open(browser, nodeRed.url, {
    dark,
    viewport: { width: 1500, height: 1200 },
  });
  const { page } = editor;
  for (const { id } of example.flows.filter(({ type }) => type === "inject")) {
    await nodeRed.inject(id);
  }
  await page.evaluate(`RED.sidebar.show("${TAB}")`);
  await page.waitForSelector(".messaging-activity-entry");
  await page.click(".messaging-activity-simulator [role=button]");
  await page.waitForSelector(".messaging-activity-message");
  await stretch(page, 850);
  await editor.settled();
  await page.locator(".messaging-sidebar").screenshot({ path });
  await page.context().close();
}
