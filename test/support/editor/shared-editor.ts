import type { Browser } from "playwright-core";
import { EditorPage, launchBrowser } from "./editor";

let browser: Promise<Browser> | undefined;
const pages = new Map<string, EditorPage>();

/**
 * Gives the one page that the test files of this process share for the Node-RED at an address: the editor is large,
 * and loads quickly once it was compiled. It shows what is deployed now, and remembers nothing of the tests before.
 * @param loads false where the caller loads it, by `reload`: that takes most of the time of a short test
 */
export async function sharedEditor(url: string, loads = true): Promise<EditorPage> {
  const open = pages.get(url);
  if (open) {
    await (loads ? open.startOver() : open.leave());
    return open;
  }
  browser ??= launchBrowser();
  const page = await EditorPage.open(await browser, url, { hurried: true });
  pages.set(url, page);
  page.complaints.length = 0;
  return page;
}

after(async () => (await browser)?.close());
