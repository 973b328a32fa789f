import type { Browser, Page } from "playwright-core";
import { EditorPage } from "../../test/support/editor/editor";
import { Example } from "../../test/support/examples";
import type { NodeRed } from "../../test/support/node-red/node-red";

/** Pixels of empty workspace around the flow. */
const MARGIN = 20;

/** The sidebar stands beside the flow. */
const VIEWPORT = { width: 1700, height: 900 };

/** Runs in the page; a text, because this file is compiled without the browser's types. */
const AREA = `(() => {
  const boxes = [...document.querySelectorAll(".red-ui-flow-node-group, .red-ui-flow-group")]
    .map((element) => element.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)) - ${MARGIN};
  const top = Math.min(...boxes.map((box) => box.top)) - ${MARGIN};
  const right = Math.max(...boxes.map((box) => box.right)) + ${MARGIN};
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + ${MARGIN};
  return { x: left, y: top, width: right - left, height: bottom - top };
})()`;

/** The part of the page that the flow takes up. */
function area(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  return page.evaluate(AREA);
}

/** Waits until the badge of a node has this colour and is drawn. */
async function shows(page: Page, nodeId: string, fill: string): Promise<void> {
  await page.waitForFunction(`RED.nodes.node("${nodeId}").status?.fill === "${fill}"`);
  await page.waitForFunction(`document.getElementById("${nodeId}").querySelector('[class*="-${fill}"]')`);
}

/** The first example in the editor, after it has sent a message. */
export async function captureFlow(browser: Browser, nodeRed: NodeRed, path: string): Promise<void> {
  const example = new Example("01 - Send one SMS");
  await nodeRed.deploy(example.flows);
  const editor = await EditorPage.open(browser, nodeRed.url, { deviceScaleFactor: 2, viewport: VIEWPORT });
  const { page } = editor;
  await page.waitForSelector(`[id="${example.id("Send SMS")}"]`);
  await nodeRed.inject(example.id("Send a greeting"));
  await shows(page, example.id("Send SMS"), "green");
  await shows(page, example.id("Accepted"), "grey");
  await page.screenshot({ path, clip: await area(page) });
  await page.context().close();
}
