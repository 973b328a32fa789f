import type { EditedNode } from "../../dialog/node-definition";
import { canAddReceiver } from "../add-receiver";
import { type ReceivedEvents, receives } from "../event-receivers";
import { accountsForTab } from "./tab-accounts";

type FlowNode = EditedNode & { changed?: boolean; dirty?: boolean };

/** Finds a webhook-in node of the tab that receives the events and has no account. */
export function receiverWithoutAccount(
  account: string,
  events: ReceivedEvents,
  tab: unknown,
): EditedNode | null {
  const all = RED.nodes.filterNodes({ type: "messaging-webhook-in" }) as readonly EditedNode[];
  const isIt = (node: EditedNode): boolean =>
    node.z === tab &&
    !node.account &&
    receives(node, events) &&
    canAddReceiver(node) &&
    accountsForTab(tab).some(({ id }) => id === account);
  return all.find(isIt) ?? null;
}

export function giveAccount(node: EditedNode, account: string): void {
  const given = node as FlowNode;
  const [dirty, changed] = [RED.nodes.dirty(), given.changed];
  RED.history.push({ t: "edit", node: given, changes: { account: given.account }, dirty, changed } as never);
  given.account = account;
  RED.nodes.updateConfigNodeUsers(given);
  RED.editor.validateNode(given as never);
  given.changed = true;
  given.dirty = true;
  RED.events.emit("nodes:change", given);
  RED.nodes.dirty(true);
  RED.view.redraw(true);
}
