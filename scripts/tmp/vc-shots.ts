import { launchBrowser, EditorPage } from "../../test/support/editor/editor";
import { startNodeRed } from "../../test/support/node-red/node-red";
import { linkInto, temporaryFolder } from "../../test/support/node-red/packed-package";
import { fillGallery, GALLERY, openShot } from "../../test/support/editor/gallery";
async function main() {
  const userDir = await temporaryFolder("vcshots");
  await linkInto(userDir);
  const nodeRed = await startNodeRed({ version: 5, userDir });
  await nodeRed.deploy([
    { id: "tab", type: "tab", label: "t" },
    { id: "account", type: "messaging-account", service: "simulator", keepMessages: "memory" },
  ] as never);
  const browser = await launchBrowser();
  try {
    for (const [locale, dark] of [
      ["en-US", false],
      ["de", true],
    ] as const) {
      const editor = await EditorPage.open(browser, nodeRed.url, { locale, hurried: true, dark } as never);
      await editor.page.setViewportSize({ width: 1300, height: 1150 });
      await fillGallery(editor, "account");
      for (const shot of GALLERY.filter(({ file }) => file.startsWith("verify"))) {
        await openShot(editor, shot);
        if (process.argv[2] === "open")
          await editor.page.evaluate(`$("#dialog-form details").attr("open", "")`);
        await editor.page.waitForTimeout(500);
        await editor.page.screenshot({ path: `/tmp/${shot.file}-${locale}.png` });
        await editor.cancel();
      }
      await editor.page.screenshot({ path: `/tmp/vc-palette-${locale}.png` });
    }
  } finally {
    await browser.close();
    await nodeRed.stop();
  }
}
void main();
