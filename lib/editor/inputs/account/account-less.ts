import { isNodeType } from "../../../shared/fields/initial-values";
import type { EditedNode } from "../../dialog/node-definition";
import { canAddReceiver } from "../add-receiver";
import { type ReceivedEvents, receives } from "../event-receivers";
import { accountsForTab } from "./tab-accounts";

type FlowNode = EditedNode & { changed?: boolean; dirty?: boolean };

/** A webhook-in node of the flows that receives these events, has no account, and can have this one; of several one on the tab. Null for none. */
export function receiverWithoutAccount(
  account: string,
  events: ReceivedEvents,
  tab: unknown,
): EditedNode | null {
  const found = (RED.nodes.filterNodes({ type: "webhook-in" }) as readonly EditedNode[]).filter(
    (node) =>
      !node.account &&
      receives(node, events) &&
      canAddReceiver(node) &&
      accountsForTab(node.z).some(({ id }) => id === account),
  );
  return found.find(({ z }) => z === tab) ?? found[0] ?? null;
}

/** Gives a node without an account one, as a step that can be undone. */
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

/** Has the editor check the nodes without an account anew when there is another account, or one fewer: what is wrong with them depends on that. */
export function recheckWithoutAccount(): void {
  let due = false;
  const recheck = (): void => {
    due = false;
    const all = RED.nodes.filterNodes({}) as readonly FlowNode[];
    for (const node of all.filter(({ type, account }) => isNodeType(type) && !account)) {
      RED.editor.validateNode(node as never);
      node.dirty = true;
    }
    RED.view.redraw();
  };
  for (const event of ["nodes:add", "nodes:remove"]) {
    RED.events.on(event, ({ type }: EditedNode) => {
      if (!due && type === "messaging-account") {
        due = true;
        queueMicrotask(recheck);
      }
    });
  }
}
