import type { Outcome } from "../../shared/outcomes";
import type { Clock } from "../engine/clock";
import type { Call, Engine, Value } from "../engine/engine";
import { call } from "../engine/query";
import { isStill, type State } from "../schema/expressions";
import { chosen, type Sql, sql, type SqlPart } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { resultOwnerTopics } from "../schema/topics";

/** What becomes of a request that was cancelled before it left. */
export interface Cancelled {
  readonly outcome: Outcome;
  /** The result as JSON. */
  readonly answer: string;
}

/** Condition on requests `o` that were not sent, whatever they wait for. */
export const NOT_SENT = "o.state IN ('queued', 'paused', 'orphaned')";

/** Two statements: the outcome, then the end in the outbox. Both choose the same requests. */
export interface Settling {
  readonly outcome: Statement;
  readonly end: Statement;
}

/**
 * Settles requests `o` without a response.
 * @param set of messages; its parameters follow those of `which`
 * @param which of those in one of the states; ?1 is how many at most, its own parameters follow
 */
export function settling(
  name: string,
  states: readonly State[],
  set: SqlPart,
  which: SqlPart,
  order = "ORDER BY o.id",
): Settling {
  const found = (condition: SqlPart): Sql =>
    sql`SELECT o.id FROM outbox o WHERE ${which} ${condition} ${order} LIMIT ?1`;
  const hasOutcome = "AND (SELECT m.outcome FROM messages m WHERE m.id = o.id) IS NOT NULL";
  return {
    outcome: statement(`${name}_outcome`)`
    UPDATE messages SET ${set} WHERE id ${chosen(found(""))} AND coalesce(outcome, '') = '' RETURNING id`,
    end: statement(name)`
    UPDATE outbox SET state = 'settled', due = NULL, content = NULL WHERE id ${chosen(found(hasOutcome))} AND ${isStill(...states)}
    RETURNING id, node, result_owner AS "resultOwner"`,
  };
}

/** Cancels requests `o`. @param values number of parameters of `which`, with ?1 */
export function cancelling(name: string, which: SqlPart, values = 2, order?: string): Settling {
  const [outcome, response, now] = [1, 2, 3].map((at) => `?${values + at}`);
  const set = `outcome = ${outcome}, response = ${response}, settled_by = 'cancel', settled_at = ${now}`;
  return settling(name, ["queued", "paused", "orphaned"], set, which, order);
}

/**
 * Runs both, and wakes those who have to emit the results.
 * @param which values of the choice @param set values of what is set
 * @returns ids of the requests
 * @throws StoreError (as a rejection)
 */
export async function settleSlice(
  engine: Engine,
  { outcome, end }: Settling,
  which: readonly Value[],
  set: readonly Value[],
  further: (ids: readonly number[]) => readonly Call[] = () => [],
): Promise<readonly number[]> {
  const [, rows = []] = await engine.run([call(outcome, ...which, ...set), call(end, ...which)]);
  const ids = rows.map(({ id }) => Number(id));
  if (ids.length > 0) {
    await engine.run(further(ids), resultOwnerTopics(rows));
  }
  return ids;
}

/** Cancels one slice. @returns ids of the requests @throws StoreError (as a rejection) */
export const cancelSlice = (
  engine: Engine,
  clock: Clock,
  change: Settling,
  { outcome, answer }: Cancelled,
  which: readonly Value[],
): Promise<readonly number[]> => settleSlice(engine, change, which, [outcome, answer, clock.now()]);
