import type { Browser } from "playwright-core";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { fillReport } from "../../test/support/store/fill-report";
import { keptFlow } from "./kept-flow";
import { captureWholeSidebar } from "./whole-sidebar";

/** The report of an account about seven days. */
export async function captureReport(browser: Browser, nodeRed: NodeRed, path: string): Promise<void> {
  const storeFolder = await temporaryFolder("report");
  await fillReport(storeFolder, "kept", "sender");
  await nodeRed.deploy(keptFlow(storeFolder));
  await captureWholeSidebar(browser, nodeRed, { path, height: 735 }, async (page) => {
    await page.evaluate('RED.actions.invoke("messaging:show-report-tab")');
    await page.locator(".messaging-reasons").waitFor();
    await page.mouse.move(5, 5);
  });
}
