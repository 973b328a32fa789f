import { WEBHOOK_DEFAULTS } from "../../shared/fields/webhook-defaults";
import type { EditedNode } from "../dialog/node-definition";

/** What a webhook-in node receives. */
export type ReceivedEvents = "inbound" | "status";

/** Whether the flows in the editor, deployed or not, have an enabled webhook-in node that receives these events of an account. */
export function hasReceiver(account: string, events: ReceivedEvents): boolean {
  let found = false;
  RED.nodes.eachNode((each) => {
    const { type, d, account: own, kind = WEBHOOK_DEFAULTS.kind, z } = each as EditedNode;
    const isReceiver = type === "webhook-in" && d !== true && own === account && kind === events;
    found ||= isReceiver && RED.nodes.workspace(String(z))?.disabled !== true;
    return !found;
  });
  return found;
}
