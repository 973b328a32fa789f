import { WEBHOOK_DEFAULTS, WEBHOOK_PORTS } from "../../shared/fields/webhook-defaults";
import type { EditedNode } from "../dialog/node-definition";
import type { ReceivedEvents } from "./event-receivers";

/** Pixels between the lowest node of a tab and the middle of a new one. */
const BELOW = 100;
const GRID = 20;

/** The editor sets the size after drawing. Positions are the corner of a group, the middle of a node. */
interface Placed {
  readonly type?: string;
  readonly x?: number;
  readonly y?: number;
  readonly h?: number;
}

function placeBelow(tab: string): number {
  const nodes = RED.nodes.filterNodes({ z: tab }) as readonly Placed[];
  const groups = RED.nodes.groups(tab) as readonly Placed[];
  const ends = [...nodes.map(({ y = 0, h = 0 }) => y + h / 2), ...groups.map(({ y = 0, h = 0 }) => y + h)];
  return Math.ceil((Math.max(0, ...ends) + BELOW) / GRID) * GRID;
}

/** Excludes locked and disabled tabs, and subflows, whose nodes exist many times. */
export function canAddReceiver({ z }: EditedNode): boolean {
  const tab = RED.nodes.workspace(String(z)) as { disabled?: boolean; locked?: boolean } | undefined;
  return tab !== undefined && tab.disabled !== true && tab.locked !== true;
}

/** Adds a webhook-in node with its own address and secret below all nodes of the tab, with an undo step. */
export function addReceiver(beside: EditedNode, account: string, events: ReceivedEvents): void {
  const { x = 0, z } = beside as { x?: number; z?: string };
  // The editor imports onto the visible tab.
  RED.workspaces.show(String(z));
  const dirty = RED.nodes.dirty();
  const outputs = WEBHOOK_PORTS[events];
  const wires = Array.from({ length: outputs }, () => []);
  const definition = {
    ...WEBHOOK_DEFAULTS,
    id: RED.nodes.id(),
    type: "messaging-webhook-in",
    z,
    x,
    y: placeBelow(String(z)),
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
    const added = node as EditedNode & { dirty?: boolean };
    RED.nodes.getType("messaging-webhook-in")?.onadd?.call(added as never);
    added.changed = true;
    added.dirty = true;
  }
  RED.history.push({ t: "add", nodes: nodes.map(({ id }) => id), dirty } as never);
  RED.nodes.dirty(true);
  RED.view.redraw(true);
  for (const { id } of nodes) {
    RED.view.reveal(id);
  }
}
