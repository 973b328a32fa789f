import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { browserMissing, EditorPage, launchBrowser } from "./editor";
import type { NodeRedVersion } from "../node-red/node-red-versions";
import { type Bench, onEachNodeRed } from "../node-red/on-each-node-red";

/** What a test in the editor works with; the page is loaded anew for each test, with a tab without nodes. */
export interface EditorBench extends Bench {
  readonly editor: EditorPage;
}

/** The tab that each test begins with. */
export const EMPTY_TAB = { id: "tab", type: "tab", label: "Test" } as const;

/**
 * Declares the same tests for the editor of each Node-RED, in a real browser. A test fails as well when the page
 * logged an error, or a request of it failed. Without a browser the tests are skipped, and the reason printed.
 */
export function onEachEditor(
  title: string,
  declare: (bench: EditorBench) => void,
  versions?: readonly NodeRedVersion[],
): void {
  onEachNodeRed(
    title,
    (base) => {
      const bench = base as { -readonly [Key in keyof EditorBench]: EditorBench[Key] };
      let browser: Browser | undefined;

      before(async function () {
        const missing = browserMissing();
        if (missing !== null) {
          console.log(`    skipped: ${missing}`);
          this.skip();
        }
        browser = await launchBrowser();
      });
      beforeEach(async () => {
        await bench.nodeRed.deploy([EMPTY_TAB]);
        // One page for all: the editor is large, and loads quickly once it was compiled.
        bench.editor ??= await EditorPage.open(browser as Browser, bench.nodeRed.url);
        await bench.editor.reload();
        bench.editor.complaints.length = 0;
      });
      afterEach(() => assert.deepEqual(bench.editor.complaints, [], "the page complained"));
      after(async () => browser?.close());

      declare(bench);
    },
    versions,
  );
}
