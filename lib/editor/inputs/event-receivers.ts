import { WEBHOOK_DEFAULTS } from "../../shared/fields/webhook-defaults";
import type { EditedNode } from "../dialog/node-definition";

export type ReceivedEvents = "inbound" | "status";

export const receives = (
  { d, kind = WEBHOOK_DEFAULTS.kind, z }: EditedNode,
  events: ReceivedEvents,
): boolean => d !== true && kind === events && RED.nodes.workspace(String(z))?.disabled !== true;

/** Searches all flows in the editor, deployed or not. */
export const hasReceiver = (account: string, events: ReceivedEvents): boolean =>
  (RED.nodes.filterNodes({ type: "messaging-webhook-in" }) as readonly EditedNode[]).some(
    (node) => node.account === account && receives(node, events),
  );
