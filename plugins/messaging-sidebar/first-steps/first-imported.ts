export interface Placed {
  readonly id: string;
  readonly type: string;
  readonly x?: number;
  readonly y?: number;
  readonly z?: string;
}

/** What the editor can undo; an import is an `add`, or has one among its events. */
export interface HistoryEvent {
  readonly t: string;
  readonly events?: readonly HistoryEvent[];
  readonly workspaces?: readonly { readonly id: string }[];
  /** Ids. */
  readonly nodes?: readonly string[];
}

/** The node at which reading begins: the topmost one, of several the one on the left. */
const firstOf = (nodes: readonly Placed[]): Placed | undefined =>
  [...nodes].sort((one, other) => (one.y ?? 0) - (other.y ?? 0) || (one.x ?? 0) - (other.x ?? 0))[0];

/** The first node on the first tab of an import that has a node of this package; undefined where it has none, or no tab. */
export function firstImported(
  event: HistoryEvent | undefined,
  nodeOf: (id: string) => Placed | null | undefined,
  isOurs: (type: string) => boolean,
): Placed | undefined {
  const added = event?.t === "multi" ? event.events?.find(({ t }) => t === "add") : event;
  const [tab] = (added?.t === "add" ? added.workspaces : undefined) ?? [];
  if (tab === undefined) {
    return undefined;
  }
  const nodes = (added?.nodes ?? []).map(nodeOf).filter((node) => node?.z === tab.id) as readonly Placed[];
  return nodes.some(({ type }) => isOurs(type))
    ? firstOf(nodes.filter(({ x, y }) => x !== undefined && y !== undefined))
    : undefined;
}
