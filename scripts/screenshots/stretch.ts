import type { Page } from "playwright-core";

/** Node-RED 5 gives a tab half of the height; a picture is to show the whole of it. @param height in pixels */
export async function stretch(page: Page, height: number): Promise<void> {
  await page.addStyleTag({
    content: `.messaging-sidebar { position: fixed !important; z-index: 1000; top: 0; right: 0; width: 340px;
      height: ${height}px !important; background: var(--red-ui-primary-background); }`,
  });
}
