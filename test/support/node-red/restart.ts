import type { Bench } from "./on-each-node-red";
import { StatusWatch } from "./status-watch";

/** Ends the Node-RED of a bench in its own way or as a crash would, and starts it again with what is deployed. Badges of before are forgotten. */
export async function restart(bench: Bench, end: "stop" | "kill"): Promise<void> {
  bench.statuses.close();
  await bench.nodeRed.restart(end);
  Object.assign(bench, { statuses: await StatusWatch.open(bench.nodeRed.url) });
}
