import { join } from "node:path";
import { browserMissing, launchBrowser } from "../test/support/editor/editor";
import "../use-features";
import { startNodeRed } from "../test/support/node-red/node-red";
import { linkInto, ROOT, temporaryFolder } from "../test/support/node-red/packed-package";
import { build } from "./demo/start-demo";
import { runMain } from "./run-main";
import { capturePersonalText, captureSms } from "./screenshots/dialogs";
import { captureFlow } from "./screenshots/flow";
import { captureHistory } from "./screenshots/history";
import { captureOptOuts } from "./screenshots/opt-outs";
import { captureReport } from "./screenshots/report";
import { captureSidebar } from "./screenshots/sidebar";

/** Takes the pictures in `docs/screenshots` that README and guides show. */

const FOLDER = join(ROOT, "docs", "screenshots");

const PICTURES = {
  "flow.png": captureFlow,
  "sidebar.png": captureSidebar,
  "sms-send/sms-send.png": captureSms,
  "sms-send/personal-text.png": capturePersonalText,
  "history.png": captureHistory,
  "opt-outs.png": captureOptOuts,
  "report.png": captureReport,
} as const;

async function main(): Promise<number> {
  const missing = browserMissing();
  if (missing !== null) throw new Error(`screenshots need a browser: ${missing}`);
  build();
  const userDir = await temporaryFolder("screenshots");
  await linkInto(userDir);
  const browser = await launchBrowser();
  const nodeRed = await startNodeRed({ version: 5, userDir });
  try {
    for (const [file, capture] of Object.entries(PICTURES)) {
      await capture(browser, nodeRed, join(FOLDER, file));
      console.log(`wrote ${file}`);
    }
    return 0;
  } finally {
    await nodeRed.stop();
    await browser.close();
  }
}

runMain(main);
