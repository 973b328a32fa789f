import type { BuiltInSimulatorControl } from "./built-in-simulator";
import type { NodeRed } from "./node-red";
import { type NodeRedVersion, TESTED_VERSIONS } from "./node-red-versions";
import { requireNodeRed } from "./require-node-red";
import { sharedNodeRed } from "./shared-node-red";
import { StatusWatch } from "./status-watch";

/** What a test on a real Node-RED works with; filled before its first test. */
export interface Bench {
  readonly version: NodeRedVersion;
  readonly nodeRed: NodeRed;
  readonly simulator: BuiltInSimulatorControl;
  readonly statuses: StatusWatch;
}

/**
 * Declares the same tests for each Node-RED that this package promises to run on: a real one, with the packed
 * package installed, which the files of a process share and get cleared; `TEST_NODE_RED` picks one. Where a version can't be had the tests are skipped, and the reason printed.
 * @returns the suite of each
 */
export function onEachNodeRed(
  title: string,
  declare: (bench: Bench) => void,
  versions: readonly NodeRedVersion[] = TESTED_VERSIONS,
): readonly (readonly [NodeRedVersion, Mocha.Suite])[] {
  const chosen = versions.filter((each) => TESTED_VERSIONS.includes(each));
  return chosen.map((version) => {
    const suite = describe(`${title}, Node-RED ${version}`, () => {
      const bench = { version } as { -readonly [Key in keyof Bench]: Bench[Key] };

      before(async function () {
        await requireNodeRed(this, version);
        Object.assign(bench, await sharedNodeRed(version));
        bench.statuses = await StatusWatch.open(bench.nodeRed.url);
      });

      afterEach(function () {
        if (this.currentTest?.state === "failed")
          console.log(bench.nodeRed?.logs().replace(/^/gm, "      | "));
      });

      after(() => bench.statuses?.close());

      declare(bench);
    });
    return [version, suite];
  });
}
