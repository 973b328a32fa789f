import type { Browser } from "playwright-core";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { fillReport } from "../../test/support/store/fill-report";
import { captureWholeSidebar } from "./whole-sidebar";

/** The report of an account about seven days. */
export async function captureReport(
  browser: Browser,
  nodeRed: NodeRed,
  path: string,
  dark: boolean,
): Promise<void> {
  const storeFolder = await temporaryFolder("report");
  await fillReport(storeFolder, "kept", "sender");
  await nodeRed.deploy([
    { id: "tab", type: "tab", label: "Shop" },
    {
      id: "kept",
      type: "messaging-account",
      name: "Shop",
      service: "simulator",
      keepMessages: "computer",
      storeFolder,
    },
    {
      id: "sender",
      type: "sms-send",
      z: "tab",
      name: "Orders",
      account: "kept",
      outputs: 4,
      wires: [[], [], [], []],
    },
  ]);
  await captureWholeSidebar(browser, nodeRed, { path, dark, height: 735 }, async (page) => {
    await page.evaluate('RED.actions.invoke("messaging:show-report-tab")');
    await page.locator(".messaging-report-reasons").waitFor();
    await page.mouse.move(5, 5);
  });
}
