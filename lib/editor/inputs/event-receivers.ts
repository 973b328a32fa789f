import { WEBHOOK_DEFAULTS } from "../../shared/fields/webhook-defaults";
import type { EditedNode } from "../dialog/node-definition";

/** What a webhook-in node receives. */
export type ReceivedEvents = "inbound" | "status";

/** Whether the flows in the editor, deployed or not, have an enabled webhook-in node that receives these events of an account. */
export const hasReceiver = (account: string, events: ReceivedEvents): boolean =>
  (RED.nodes.filterNodes({ type: "webhook-in" }) as readonly EditedNode[]).some(
    ({ d, account: own, kind = WEBHOOK_DEFAULTS.kind, z }) =>
      d !== true && own === account && kind === events && RED.nodes.workspace(String(z))?.disabled !== true,
  );
