import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { Example } from "../test/support/examples";
import { freePort } from "../test/support/free-port";
import { ROOT } from "../test/support/packed-package";
import { build, startDemo } from "./demo/start-demo";

/** Takes `docs/screenshots/flow.png`: the first example in the editor, after it has sent a message. */

const BROWSER = "/usr/bin/chromium";
const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const TARGET = join(ROOT, "docs", "screenshots", "flow.png");
/** Pixels of empty workspace around the flow. */
const MARGIN = 20;

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

async function main(): Promise<void> {
  if (!existsSync(BROWSER)) throw new Error(`a screenshot needs a browser at ${BROWSER}`);
  build();
  const example = new Example("01 - Send one SMS");
  const { nodeRed } = await startDemo(example, await freePort());
  const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_FLAGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1500, height: 800 }, deviceScaleFactor: 2 });
    await page.goto(nodeRed.url);
    await page.waitForFunction('window.RED?.nodes?.getType?.("sms-send")');
    await page.waitForSelector(`[id="${example.id("Send SMS")}"]`);
    await nodeRed.inject(example.id("Send a greeting"));
    await shows(page, example.id("Send SMS"), "green");
    await shows(page, example.id("Accepted"), "grey");
    mkdirSync(join(ROOT, "docs", "screenshots"), { recursive: true });
    await page.screenshot({ path: TARGET, clip: await area(page) });
    console.log(`wrote ${TARGET}`);
  } finally {
    await browser.close();
    await nodeRed.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
