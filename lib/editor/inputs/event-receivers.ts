import { WEBHOOK_DEFAULTS } from "../../shared/fields/webhook-defaults";
import type { EditedNode } from "../dialog/node-definition";

/** What a webhook-in node receives. */
export type ReceivedEvents = "inbound" | "status";

/** Whether a webhook-in node of the flows, enabled with its tab, receives these events. */
export const receives = (
  { d, kind = WEBHOOK_DEFAULTS.kind, z }: EditedNode,
  events: ReceivedEvents,
): boolean => d !== true && kind === events && RED.nodes.workspace(String(z))?.disabled !== true;

/** Whether the flows in the editor, deployed or not, have an enabled webhook-in node that receives these events of an account. */
export const hasReceiver = (account: string, events: ReceivedEvents): boolean =>
  (RED.nodes.filterNodes({ type: "webhook-in" }) as readonly EditedNode[]).some(
    (node) => node.account === account && receives(node, events),
  );
