import { type Disturbance, ON_STORE } from "./disturbances";
import type { EventAt } from "./seen-by-all";

/** What came of the events of the webhooks. */
export interface SettledEvents {
  /** Events that the service made. */
  readonly made: number;
  /** Of these, how many a flow saw. */
  readonly seen: number;
  /** Events that a flow saw once more after what was done to the first Node-RED, or to PostgreSQL; the copy says that it may be one. */
  readonly again: number;
  readonly breaches: readonly string[];
}

/** An event is marked as done shortly after the flow saw it: ms in which what is done to its Node-RED may keep that from happening. */
const BEFORE_DONE = 5_000;

/** The same for each copy of an event. */
export const eventKey = (payload: unknown): string => JSON.stringify(payload);

/**
 * Each event must have reached the flow of exactly one Node-RED. Another may see a copy, which says that it may be one, only where the first
 * was disturbed before it could mark the event as done.
 * @param made the events of the service, by key
 */
export function settleEvents(
  made: ReadonlySet<string>,
  seen: readonly EventAt[],
  disturbances: readonly Disturbance[],
): SettledEvents {
  const byKey = new Map<string, EventAt[]>();
  for (const each of seen) {
    const key = eventKey(each.payload);
    byKey.set(key, [...(byKey.get(key) ?? []), each]);
  }
  const breaches: string[] = [];
  let again = 0;
  for (const key of made) {
    if (!byKey.has(key)) breaches.push(`event ${key}: no flow saw it`);
  }
  for (const [key, copies] of byKey) {
    if (!made.has(key)) breaches.push(`event ${key}: the service made no such event`);
    if (copies.length === 1) continue;
    again++;
    const where = copies.map(({ node, readAt }) => `${node} at ${readAt}`).join(", ");
    const first = Math.min(...copies.map(({ readAt }) => readAt));
    const disturbed = disturbances.some(
      ({ kind, node, from, to }) =>
        (ON_STORE.includes(kind) || copies.some((copy) => copy.node === node)) &&
        first + BEFORE_DONE >= from &&
        first <= to + BEFORE_DONE,
    );
    if (!disturbed) breaches.push(`event ${key}: seen ${copies.length} times, by ${where}`);
    else if (copies.filter(({ possibleDuplicate }) => !possibleDuplicate).length > 1) {
      breaches.push(`event ${key}: seen ${copies.length} times without a mark, by ${where}`);
    }
  }
  return { made: made.size, seen: [...byKey.keys()].filter((key) => made.has(key)).length, again, breaches };
}
