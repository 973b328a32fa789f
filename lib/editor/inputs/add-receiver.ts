import { WEBHOOK_DEFAULTS, WEBHOOK_PORTS } from "../../shared/fields/webhook-defaults";
import type { EditedNode } from "../dialog/node-definition";
import type { ReceivedEvents } from "./event-receivers";

/** Pixels below a node at which there is room for another one. */
const BELOW = 80;

/** Whether a webhook can be put beside a node: on a tab that is neither locked nor disabled, and in no subflow, whose nodes there are many times. */
export function canAddReceiver({ z }: EditedNode): boolean {
  const tab = RED.nodes.workspace(String(z)) as { disabled?: boolean; locked?: boolean } | undefined;
  return tab !== undefined && tab.disabled !== true && tab.locked !== true;
}

/**
 * Puts a webhook-in node for an account onto the tab of a node, below it, as a step that can be undone. It has an address and a secret of its
 * own, as one from the palette.
 */
export function addReceiver(beside: EditedNode, account: string, events: ReceivedEvents): void {
  const { x = 0, y = 0, z } = beside as { x?: number; y?: number; z?: string };
  const others = RED.nodes.filterNodes({ z: String(z) }) as readonly { x?: number; y?: number }[];
  const isTaken = (at: number): boolean =>
    others.some((other) => Math.abs(Number(other.y) - at) < 30 && Math.abs(Number(other.x) - x) < 150);
  let place = y + BELOW;
  while (isTaken(place)) {
    place += BELOW;
  }
  // The editor puts what is imported onto the tab that is shown.
  RED.workspaces.show(String(z));
  const dirty = RED.nodes.dirty();
  const outputs = WEBHOOK_PORTS[events];
  const wires = Array.from({ length: outputs }, () => []);
  const definition = {
    ...WEBHOOK_DEFAULTS,
    id: RED.nodes.id(),
    type: "webhook-in",
    z,
    x,
    y: place,
    name: "",
    account,
    kind: events,
    outputs,
    wires,
  };
  const { nodes } = RED.nodes.import([definition] as never, { markChanged: true } as never) as unknown as {
    nodes: readonly EditedNode[];
  };
  for (const node of nodes) {
    const added = node as EditedNode & { _def: { onadd?: () => void }; dirty?: boolean };
    added._def.onadd?.call(added);
    added.changed = true;
    added.dirty = true;
  }
  RED.history.push({ t: "add", nodes: nodes.map(({ id }) => id), dirty } as never);
  RED.nodes.dirty(true);
  RED.view.redraw(true);
}
