import type { Browser } from "playwright-core";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { fillStore, PEOPLE } from "../../test/support/store/fill-store";
import { keptFlow } from "./kept-flow";
import { captureWholeSidebar } from "./whole-sidebar";

/** The history of an account, with the life of a message and the queue. */
export async function captureHistory(browser: Browser, nodeRed: NodeRed, path: string): Promise<void> {
  const storeFolder = await temporaryFolder("history");
  await fillStore(storeFolder, { account: "kept", node: "sender", waiting: 3 });
  await nodeRed.deploy(keptFlow(storeFolder));
  await captureWholeSidebar(browser, nodeRed, { path, height: 1400 }, async (page) => {
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.click(".messaging-history-queue [role=button]");
    await page.locator(".messaging-history-head", { hasText: PEOPLE.delivered }).click();
    await page.waitForSelector(".messaging-history .messaging-activity-details dl");
    await page.mouse.move(5, 5);
    await page.evaluate('document.querySelector(".messaging-history").scrollTop = 0');
  });
}
