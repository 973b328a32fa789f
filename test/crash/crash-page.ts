import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/node-red/packed-package";
import type { CrashEvidence } from "./crash-run";
import { crashTable } from "./crash-table";
import type { Settled } from "./settle";

const PAGE = join(ROOT, "docs", "crash-suite.md");
const MARKED = /<!-- figures -->[\s\S]*<!-- end of figures -->/;

/** Puts the tables of the full form into their page, between its two marks; the words around them are written by hand. */
export function writeCrashPage(runs: readonly (readonly [CrashEvidence, Settled])[]): void {
  const sections = runs.map(([evidence, { rows }]) => {
    const { options, killsWhileStarting, handedInAgain } = evidence;
    return [
      `### Node-RED ${options.version}`,
      "",
      `${options.kills} kills, ${killsWhileStarting} of them while Node-RED was starting. ${handedInAgain} messages were not ` +
        `yet in the store when a kill came, and were handed in again. Seed ${options.seed}.`,
      "",
      crashTable(rows),
    ].join("\n");
  });
  const text = ["<!-- figures -->", "", sections.join("\n\n"), "", "<!-- end of figures -->"].join("\n");
  writeFileSync(
    PAGE,
    readFileSync(PAGE, "utf8").replace(MARKED, () => text),
  );
}
