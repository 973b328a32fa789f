import assert from "node:assert/strict";
import { browserMissing, type EditorPage } from "./editor";
import { sharedEditor } from "./shared-editor";
import type { Flows } from "../node-red/admin-client";
import type { NodeRedVersion } from "../node-red/node-red-versions";
import { type Bench, onEachNodeRed } from "../node-red/on-each-node-red";

/** What a test in the editor works with; the page is loaded anew for each test, with the flows of its file. */
export interface EditorBench extends Bench {
  readonly editor: EditorPage;
}

export interface EditorTestOptions {
  /** Deployed before each test, or a function that gives them then; without it a tab without nodes. */
  readonly flows?: Flows | (() => Flows);
  /** The only ones that the tests run on; all without it. */
  readonly versions?: readonly NodeRedVersion[];
}

/** A tab without nodes. */
export const EMPTY_TAB = { id: "tab", type: "tab", label: "Test" } as const;

/**
 * Declares the same tests for the editor of each Node-RED, in a real browser. A test fails as well when the page
 * logged an error, or a request of it failed. Without a browser the tests are skipped, and the reason printed.
 */
export function onEachEditor(
  title: string,
  declare: (bench: EditorBench) => void,
  { flows = [EMPTY_TAB], versions }: EditorTestOptions = {},
): void {
  onEachNodeRed(
    title,
    (base) => {
      const bench = base as { -readonly [Key in keyof EditorBench]: EditorBench[Key] };

      before(function () {
        const missing = browserMissing();
        if (missing !== null) {
          console.log(`    skipped: ${missing}`);
          this.skip();
        }
      });
      beforeEach(async () => {
        await bench.nodeRed.deploy(typeof flows === "function" ? flows() : flows);
        bench.editor = await sharedEditor(bench.nodeRed.url);
      });
      afterEach(() => assert.deepEqual(bench.editor?.complaints, [], "the page complained"));

      declare(bench);
    },
    versions,
  );
}
