import { excerpt } from "../../../shared/excerpt";
import type { EditedNode } from "../../dialog/node-definition";
import { isOurNode } from "../../dialog/our-nodes";
import { accountsOnTab } from "./tab-accounts";

const LONGEST = 24;

/** Adds the account if the nodes of the tab use several. */
export function withAccount(label: string, { account, z }: EditedNode): string {
  const onTab = account ? accountsOnTab(z) : [];
  const own = onTab.length > 1 ? onTab.find(({ id }) => id === account) : undefined;
  return own === undefined ? label : `${label} · ${excerpt(RED.utils.getNodeLabel(own, own.id), LONGEST)}`;
}

/** The editor redraws only nodes that changed themselves. */
export function redrawAccountLabels(): void {
  let due = false;
  const redraw = (): void => {
    due = false;
    const tab = RED.workspaces.active() as unknown;
    for (const { users } of accountsOnTab(tab)) {
      for (const user of users as (EditedNode & { dirty?: boolean })[]) {
        user.dirty = true;
      }
    }
    RED.view.redraw();
  };
  const changed = ({ type }: EditedNode): void => {
    if (!due && isOurNode(type)) {
      due = true;
      // Once for all nodes of an import.
      queueMicrotask(redraw);
    }
  };
  for (const event of ["nodes:add", "nodes:change", "nodes:remove"]) {
    RED.events.on(event, changed);
  }
}
