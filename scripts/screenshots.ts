import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { browserMissing, launchBrowser } from "../test/support/editor/editor";
import { Example } from "../test/support/examples";
import { startNodeRed } from "../test/support/node-red/node-red";
import type { NodeRedVersion } from "../test/support/node-red/node-red-versions";
import { linkInto, ROOT, temporaryFolder } from "../test/support/node-red/packed-package";
import { build } from "./demo/start-demo";
import { runMain } from "./run-main";
import { captureDialogs } from "./screenshots/dialogs";
import { captureFlow } from "./screenshots/flow";
import { captureHistory } from "./screenshots/history";
import { captureOptOuts } from "./screenshots/opt-outs";
import { capturePersonalText } from "./screenshots/personal-text";
import { captureReport } from "./screenshots/report";
import { captureSidebar } from "./screenshots/sidebar";

/** Takes the pictures in `docs/screenshots`: an example flow, the sidebar, and in a folder for each node its dialogs; light, and dark in `dark/`. */

const FOLDER = join(ROOT, "docs", "screenshots");
/** The newest, for only that one has a dark theme. */
const VERSION: NodeRedVersion = 5;

async function main(): Promise<number> {
  const missing = browserMissing();
  if (missing !== null) throw new Error(`screenshots need a browser: ${missing}`);
  build();
  mkdirSync(FOLDER, { recursive: true });
  const browser = await launchBrowser();
  try {
    for (const dark of [false, true]) {
      await capture(browser, dark);
    }
    console.log(`wrote ${FOLDER}`);
    return 0;
  } finally {
    await browser.close();
  }
}

/** Takes the pictures in one theme, with a Node-RED of its own: nothing of the other ones is in its sidebar. */
async function capture(browser: Browser, dark: boolean): Promise<void> {
  const userDir = await temporaryFolder("screenshots");
  await linkInto(userDir);
  const nodeRed = await startNodeRed({ version: VERSION, userDir });
  const folder = dark ? join(FOLDER, "dark") : FOLDER;
  try {
    if (!dark) {
      await captureFlow(browser, nodeRed, new Example("01 - Send one SMS"), join(FOLDER, "flow.png"));
    }
    const picture = join(folder, "sidebar.png");
    await captureSidebar(browser, nodeRed, new Example("10 - Auto-reply"), picture, dark);
    await capturePersonalText(
      browser,
      nodeRed,
      new Example("22 - Personal reminders with a report"),
      join(folder, "sms-send", "personal-text.png"),
      dark,
    );
    await captureHistory(browser, nodeRed, join(folder, "history.png"), dark);
    await captureOptOuts(browser, nodeRed, join(folder, "opt-outs.png"), dark);
    await captureReport(browser, nodeRed, join(folder, "report.png"), dark);
    await captureDialogs(browser, nodeRed, dark, folder);
  } finally {
    await nodeRed.stop();
  }
}

runMain(main);
