import type { Browser } from "playwright-core";
import { EditorPage, launchBrowser } from "./editor";

/** Languages that pages are opened in. */
export type Locale = "en-US" | "de";

let browser: Promise<Browser> | undefined;
const pages = new Map<string, EditorPage>();

/** Those of a Node-RED, by its address. */
const pagesOf = (url: string): readonly EditorPage[] =>
  [...pages.values()].filter((page) => page.url === url);

/** Lets flows be deployed on a Node-RED without a word of the pages that are open. */
export async function expectDeploy(url: string): Promise<void> {
  for (const page of pagesOf(url)) await page.expectDeploy();
}

/** Has the pages of a Node-RED load anew before they are used again. */
export async function leaveEditors(url: string): Promise<void> {
  for (const page of pagesOf(url)) await page.leave();
}

async function pageIn(url: string, locale: Locale): Promise<EditorPage> {
  const key = `${locale} ${url}`;
  browser ??= launchBrowser();
  const page = pages.get(key) ?? (await EditorPage.blank(await browser, url, { hurried: true, locale }));
  pages.set(key, page);
  return page;
}

/**
 * Gives the one page in a language that the test files of this process share for a Node-RED, as it shows what is deployed now. The editor is
 * large: it is loaded once, and again where it was left.
 */
export async function sharedEditor(url: string, locale: Locale = "en-US", dark = false): Promise<EditorPage> {
  const page = await pageIn(url, locale);
  await (page.isOpen ? page.showAnew() : page.startOver());
  await page.dark(dark);
  return page;
}

after(async () => (await browser)?.close());
