import assert from "node:assert/strict";
import { browserMissing, type EditorPage } from "./editor";
import { expectDeploy, type Locale, leaveEditors, sharedEditor } from "./shared-editor";
import type { Flows } from "../node-red/admin-client";
import type { NodeRedVersion } from "../node-red/node-red-versions";
import { type Bench, onEachNodeRed } from "../node-red/on-each-node-red";

/** Runs everything; the other runs what is declared by `itOnBoth`, as long as not all is asked for. */
const WHOLE: NodeRedVersion = 4;
/** `npm run test:browser` runs every test on every Node-RED. */
const EVERYTHING = process.env.TEST_FULL === "1";

const onBoth = new WeakSet<Mocha.Test>();

/**
 * Declares a test as `it` does, for every Node-RED: what may differ by the version of the editor, and the main path of each
 * dialog. Tests declared by `it` run on Node-RED 4 alone, unless everything is asked for.
 */
export function itOnBoth(title: string, work: Mocha.AsyncFunc): void {
  onBoth.add(it(title, work));
}

function keepOnBoth(suite: Mocha.Suite): void {
  suite.tests = suite.tests.filter((test) => onBoth.has(test));
  for (const inner of suite.suites) keepOnBoth(inner);
}

/** What a test in the editor works with; the page shows the flows of its file. */
export interface EditorBench extends Bench {
  readonly editor: EditorPage;
  /** Deploys flows without a word of the page about it, which shows them after `editor.renew()`. */
  readonly deploy: (flows: Flows) => Promise<void>;
  /** The page in another language, or in dark colours: it is `editor` until the end of the test. */
  readonly editorIn: (locale: Locale, dark?: boolean) => Promise<EditorPage>;
}

export interface EditorTestOptions {
  /** Deployed before each test, or a function that gives them then; without it a tab without nodes. */
  readonly flows?: Flows | (() => Flows);
  /** Whether each test begins with a sidebar that remembers nothing. Tests that deploy flows of their own call `editor.renew()` then. */
  readonly sidebar?: "renewed";
  /** The only ones that the tests run on; all without it. */
  readonly versions?: readonly NodeRedVersion[];
}

/** A tab without nodes. */
export const EMPTY_TAB = { id: "tab", type: "tab", label: "Test" } as const;

/**
 * Declares tests for the editor of Node-RED 4, in a real browser; those declared by `itOnBoth` for the editor of each Node-RED. A
 * test fails as well when the page logged an error, or a request of it failed. Without a browser the tests are skipped,
 * and the reason printed.
 */
export function onEachEditor(
  title: string,
  declare: (bench: EditorBench) => void,
  { flows = [EMPTY_TAB], sidebar, versions }: EditorTestOptions = {},
): void {
  const suites = onEachNodeRed(
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
      let used: EditorPage[] = [];
      beforeEach(async () => {
        const { url } = bench.nodeRed;
        bench.deploy = async (others) => {
          await expectDeploy(url);
          await bench.nodeRed.deploy(others);
        };
        await bench.deploy(typeof flows === "function" ? flows() : flows);
        bench.editor = await sharedEditor(url);
        if (sidebar === "renewed") await bench.editor.renew();
        used = [bench.editor];
        bench.editorIn = async (locale, dark) => {
          const other = await sharedEditor(url, locale, dark);
          used.push(other);
          bench.editor = other;
          return other;
        };
      });
      afterEach(async function () {
        const complaints = used.flatMap((each) => each.complaints);
        if (this.currentTest?.state === "failed") await leaveEditors(bench.nodeRed.url);
        assert.deepEqual(complaints, [], "the page complained");
      });

      declare(bench);
    },
    versions,
  );
  if (EVERYTHING || versions !== undefined) return;
  for (const [version, suite] of suites) if (version !== WHOLE) keepOnBoth(suite);
}
