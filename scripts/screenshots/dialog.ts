import type { EditorPage } from "../../test/support/editor/editor";

/** The open dialog, as tall as what it holds. */
export async function captureDialog({ page }: EditorPage, path: string): Promise<void> {
  await page.mouse.move(5, 5);
  const clip = await page.evaluate<{ x: number; y: number; width: number; height: number }>(
    `(() => {
      const tray = [...document.querySelectorAll(".red-ui-tray")].at(-1);
      const { left, top, width } = tray.getBoundingClientRect();
      const rows = [...tray.querySelectorAll("form > *")].map((row) => row.getBoundingClientRect().bottom);
      return { x: left, y: top, width, height: Math.min(Math.max(...rows) + 16, innerHeight) - top };
    })()`,
  );
  await page.screenshot({ path, clip });
}
