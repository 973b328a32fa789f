import { WEBHOOK_DEFAULTS } from "../../shared/fields/webhook-defaults";
import { isVariable } from "../../shared/variable-name";
import type { EditedNode } from "../dialog/node-definition";

export type ReceivedEvents = "inbound" | "status";

export const receives = (
  { d, kind = WEBHOOK_DEFAULTS.kind, z }: EditedNode,
  events: ReceivedEvents,
): boolean => d !== true && kind === events && RED.nodes.workspace(String(z))?.disabled !== true;

/** Searches all flows in the editor, deployed or not. An account in a variable may be this one. */
export const hasReceiver = (account: string, events: ReceivedEvents): boolean =>
  (RED.nodes.filterNodes({ type: "messaging-webhook-in" }) as readonly EditedNode[]).some(
    (node) => (node.account === account || isVariable(String(node.account))) && receives(node, events),
  );
