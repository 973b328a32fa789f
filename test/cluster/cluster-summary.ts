import { kindTable } from "../support/crash/kind-row";
import { markdownTable } from "../support/crash/markdown-table";
import type { ClusterEvidence } from "./cluster-run";
import { DISTURBANCES, type DisturbanceKind, ON_STORE } from "./disturbances";
import type { Settled } from "../support/crash/settle-people";

const KINDS = Object.keys(DISTURBANCES) as DisturbanceKind[];

/** What was done to whom, as a table in Markdown. */
function disturbanceTable({ disturbances, options }: ClusterEvidence): string {
  const names = Array.from({ length: options.count }, (_none, at) => "ABCDEFGH"[at] ?? `${at}`);
  const rows = KINDS.flatMap((kind) => {
    const done = disturbances.filter((each) => each.kind === kind);
    if (done.length === 0) return [];
    const counts = names.map((_name, at) =>
      ON_STORE.includes(kind) ? "" : String(done.filter(({ node }) => node === at).length),
    );
    return [[DISTURBANCES[kind], ...counts, String(done.length)]];
  });
  return markdownTable(["what was done", ...names, "all"], rows);
}

/** What came of it. */
export function clusterSummary(evidence: ClusterEvidence, { rows }: Settled): string {
  const { options, events, busiest, handedInAgain, refusals, passedOn } = evidence;
  return [
    disturbanceTable(evidence),
    "",
    kindTable(rows, { unknownByKill: "unknown: under way when something was done" }),
    "",
    `${handedInAgain} messages were not yet in the store when a kill came, and ${refusals} were returned because the store could not be ` +
      "written; they were handed in again.",
    "",
    `At ${options.requestsPerSecond} requests a second for all together, the service got at most ${busiest.requests} in any second, of ` +
      `${busiest.all} in that part of the run.`,
    "",
    `${events.made} events of webhooks: ${events.seen} reached a flow, ${events.again} of them a second one too, marked as a possible copy. ` +
      `${passedOn} events were not answered in time by one Node-RED, and another one got them.`,
    "",
    `Seed ${options.seed}.`,
  ].join("\n");
}
