import type { NodeAPI } from "node-red";
import type { IsInFlows } from "../store/removed-accounts";

/** Tells whether the flows that are deployed have an account of an id, disabled ones and those in subflows among them. */
export function accountsInFlows(RED: NodeAPI): IsInFlows {
  return (account) => {
    const ids = new Set<string>();
    RED.nodes.eachNode(({ id, type }) => {
      if (type === "messaging-account") {
        ids.add(id);
      }
    });
    // In each instance of a subflow the account has the id of the instance before its own.
    return ids.has(account) || [...ids].some((id) => account.endsWith(`-${id}`));
  };
}
