import type { Browser } from "playwright-core";
import { Example } from "../../test/support/examples";
import type { NodeRed } from "../../test/support/node-red/node-red";
import { captureWholeSidebar } from "./whole-sidebar";

/** The sidebar after a conversation: a template, a reply of the simulator's person, the flow's answer. */
export async function captureSidebar(browser: Browser, nodeRed: NodeRed, path: string): Promise<void> {
  const example = new Example("10 - Auto-reply");
  await nodeRed.deploy(example.flows);
  await captureWholeSidebar(browser, nodeRed, { path, height: 660 }, async (page) => {
    for (const { id } of example.flows.filter(({ type }) => type === "inject")) {
      await nodeRed.inject(id);
    }
    await page.evaluate('RED.actions.invoke("messaging:show-simulator-tab")');
    await page.locator(".messaging-simulator-message", { hasText: "You will not hear" }).waitFor();
  });
}
