import type { NodeAPI } from "node-red";
import { perRuntime } from "../node-red/per-runtime";
import { LastResults } from "./last-results";

const byAccount = perRuntime(() => new Map<string, LastResults>());

/** The last results of an account in this Node-RED. */
export function lastResultsOf(RED: NodeAPI, account: string): LastResults {
  const accounts = byAccount(RED);
  const last = accounts.get(account) ?? new LastResults();
  accounts.set(account, last);
  return last;
}
