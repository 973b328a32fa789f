import type { Browser } from "playwright-core";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { captureWholeSidebar } from "./whole-sidebar";

const PEOPLE = [
  ["+41791110001", "all"],
  ["+41791110002", "advertisement"],
  ["+436991110003", "all"],
] as const;

/** The opt-outs of an account. */
export async function captureOptOuts(browser: Browser, nodeRed: NodeRed, path: string): Promise<void> {
  await nodeRed.deploy([
    { id: "tab", type: "tab", label: "Shop" },
    {
      id: "list",
      type: "messaging-account",
      name: "Shop",
      service: "simulator",
      keepMessages: "computer",
      storeFolder: await temporaryFolder("opt-outs"),
    },
  ]);
  for (const [number, scope] of PEOPLE) {
    await nodeRed.request("POST", "/messaging-account/list/opt-outs/add", { number, scope });
  }
  await captureWholeSidebar(browser, nodeRed, { path, height: 310 }, async (page) => {
    await page.evaluate('RED.actions.invoke("messaging:show-opt-outs-tab")');
    await page.locator(".messaging-opt-out").last().waitFor();
    await page.mouse.move(5, 5);
  });
}
