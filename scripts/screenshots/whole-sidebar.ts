import type { Browser, Page } from "playwright-core";
import { EditorPage } from "../../test/support/editor/editor";
import type { NodeRed } from "../../test/support/node-red/node-red";

/** What is taken of the sidebar. */
export interface SidebarPicture {
  readonly path: string;
  /** Pixels. Node-RED 5 gives a tab half of the window's height; a picture is to show the whole of it. */
  readonly height: number;
}

/** Takes a picture of the sidebar. @param show brings the page to what the picture shows */
export async function captureWholeSidebar(
  browser: Browser,
  nodeRed: NodeRed,
  { path, height }: SidebarPicture,
  show: (page: Page) => Promise<unknown>,
): Promise<void> {
  const viewport = { width: 1500, height: 1500 };
  const editor = await EditorPage.open(browser, nodeRed.url, { viewport });
  const { page } = editor;
  await page.addStyleTag({
    content: `.messaging-sidebar { position: fixed !important; z-index: 1000; top: 0; right: 0; width: 340px;
      height: ${height}px !important; background: var(--red-ui-primary-background); }`,
  });
  await show(page);
  await editor.settled();
  await page.locator(".messaging-sidebar").screenshot({ path });
  await page.context().close();
}
