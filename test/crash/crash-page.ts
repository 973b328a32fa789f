import type { CrashEvidence } from "./crash-run";
import { kindTable } from "../support/crash/kind-row";
import { writeFigures } from "../support/crash/write-figures";
import type { Settled } from "../support/crash/settle-people";

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
      kindTable(rows),
    ].join("\n");
  });
  writeFigures("crash-suite.md", sections.join("\n\n"));
}
