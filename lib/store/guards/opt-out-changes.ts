import type { OptOutChange } from "../../shared/opt-outs/opt-out-change";
import { toPerson } from "../../shared/recipients/person";
import type { Call } from "../engine/engine";
import { call } from "../engine/query";
import { each, sql } from "../schema/sql";
import { statement } from "../schema/statement";

export interface OptOutOfEvent {
  /** Key of an event that the same operation stores. */
  readonly key: string;
  readonly change: OptOutChange;
}

// Entries: key of the event, number, scope. A copy of an event is marked as applied.
const isNew = sql`FROM ${each("?1")} WHERE EXISTS (
    SELECT 1 FROM events v WHERE v.account = ?2 AND v.event_key = e.value ->> 0 AND v.applied = 0)`;

const STOP = statement("opt_outs_stop")`
    INSERT INTO opt_outs (account, number, scope, at, source)
    SELECT CAST(?2 AS text), e.value ->> 1, e.value ->> 2, CAST(?3 AS bigint), 'inbound' ${isNew}
    ON CONFLICT (account, number) DO UPDATE SET scope = excluded.scope, at = excluded.at, source = excluded.source
      WHERE opt_outs.scope <> 'all' AND excluded.scope = 'all'`;

const START = statement("opt_outs_start")`
    DELETE FROM opt_outs WHERE account = ?2 AND number IN (SELECT e.value ->> 1 ${isNew})`;

/**
 * Applies opt-outs of events. Runs after the events are stored and before they are marked as applied.
 * @param events in their order
 */
export function optOutChanges(scope: string, now: number, events: readonly OptOutOfEvent[]): Call[] {
  const calls: Call[] = [];
  const people = events.map(({ key, change }) => ({
    key,
    change: { ...change, number: toPerson(change.number) },
  }));
  for (const round of roundsOf(withoutCopies(people))) {
    const stops = round.flatMap(({ key, change }) =>
      change.change === "stop" ? [[key, change.number, change.scope]] : [],
    );
    const starts = round.flatMap(({ key, change }) =>
      change.change === "start" ? [[key, change.number]] : [],
    );
    if (stops.length > 0) {
      calls.push(call(STOP, JSON.stringify(stops), scope, now));
    }
    if (starts.length > 0) {
      calls.push(call(START, JSON.stringify(starts), scope));
    }
  }
  return calls;
}

function withoutCopies(events: readonly OptOutOfEvent[]): readonly OptOutOfEvent[] {
  const keys = new Set<string>();
  return events.filter(({ key }) => !keys.has(key) && keys.add(key));
}

/** Sorts changes into rounds by number, which prevents deadlocks; changes of one number are in successive rounds. */
function roundsOf(events: readonly OptOutOfEvent[]): readonly (readonly OptOutOfEvent[])[] {
  const rounds: OptOutOfEvent[][] = [];
  const times = new Map<string, number>();
  const byNumber = events.toSorted((a, b) =>
    a.change.number < b.change.number ? -1 : a.change.number > b.change.number ? 1 : 0,
  );
  for (const event of byNumber) {
    const { number } = event.change;
    const time = times.get(number) ?? 0;
    times.set(number, time + 1);
    const round = rounds[time] ?? [];
    rounds[time] = round;
    round.push(event);
  }
  return rounds;
}
