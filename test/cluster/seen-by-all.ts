import type { FlowLog, SeenEvent, SeenResult } from "../support/crash/flow-log";

/** An event that the flow of one Node-RED saw. */
export interface EventAt extends SeenEvent {
  /** Position of the Node-RED. */
  readonly node: number;
}

/** What the flows of all Node-REDs saw. */
export interface SeenByAll {
  /** By person. A life is one of one Node-RED: `hasEnded` knows which. */
  readonly results: Map<string, SeenResult[]>;
  readonly groups: Map<string, string[][]>;
  readonly caught: readonly string[];
  readonly events: readonly EventAt[];
  /** Whether a life was ended by force. */
  readonly hasEnded: (life: number) => boolean;
}

/** Lives of one Node-RED at most. */
const LIVES = 10_000;

/** Names a life of one Node-RED among those of all. @param life from 0 */
export const lifeAmongAll = (node: number, life: number): number => node * LIVES + life;

/** Puts the logs together; the first is that of the first Node-RED. */
export function seenByAll(
  logs: readonly Pick<FlowLog, "results" | "groups" | "caught" | "events" | "life">[],
): SeenByAll {
  const results = new Map<string, SeenResult[]>();
  const groups = new Map<string, string[][]>();
  for (const [node, log] of logs.entries()) {
    for (const [person, seen] of log.results) {
      const all = results.get(person) ?? [];
      all.push(...seen.map((each) => ({ ...each, life: lifeAmongAll(node, each.life) })));
      results.set(person, all);
    }
    for (const [mark, seen] of log.groups) groups.set(mark, [...(groups.get(mark) ?? []), ...seen]);
  }
  return {
    results,
    groups,
    caught: logs.flatMap(({ caught }) => caught),
    events: logs.flatMap(({ events }, node) => events.map((each) => ({ ...each, node }))),
    hasEnded: (life) => life % LIVES < (logs[Math.floor(life / LIVES)]?.life ?? 0),
  };
}
