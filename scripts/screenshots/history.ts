import type { Browser } from "playwright-core";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { fillStore, PEOPLE } from "../../test/support/store/fill-store";
import { keptFlow } from "./kept-flow";
import { captureWholeSidebar } from "./whole-sidebar";

/** The history of an account, with the life of a message. */
export async function captureHistory(browser: Browser, nodeRed: NodeRed, path: string): Promise<void> {
  const storeFolder = await temporaryFolder("history");
  await fillStore(storeFolder, { account: "kept", node: "sender", waiting: 3 });
  await nodeRed.deploy(keptFlow(storeFolder));
  await captureWholeSidebar(browser, nodeRed, { path, height: 1100 }, async (page) => {
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    const message = page.locator(".messaging-item", { hasText: PEOPLE.delivered });
    await message.filter({ hasText: "delivered" }).locator("summary").click();
    await page.waitForSelector(".messaging-details dl");
    await page.mouse.move(5, 5);
    await page.evaluate('document.querySelector(".messaging-view-history").scrollTop = 0');
  });
}
