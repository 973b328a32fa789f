import type { Outcome } from "../../shared/outcomes";
import type { Clock } from "../engine/clock";
import type { Engine, Value } from "../engine/engine";
import { rowsOf } from "../engine/query";
import { SETTLED_STATE } from "../schema/stored-values";
import { isStill } from "../schema/expressions";
import { chosen, type Sql, sql, type SqlPart } from "../schema/sql";
import type { Statement } from "../schema/statement";
import { resultOwnerTopics } from "../schema/topics";

/** What becomes of a request that was cancelled before it left. */
export interface Cancelled {
  readonly outcome: Outcome;
  /** The result as JSON. */
  readonly answer: string;
}

/** Of requests `r` that have not left, whatever they wait for. The second condition is that of the index of open ones. */
export const NOT_LEFT = "r.state IN ('queued', 'held', 'parked') AND r.state <> 'emitted'";

/** Settles requests `r` that have not left. ?1 which, ?2 how many at most, ?3 outcome, ?4 answer, ?5 now; further ones are free. */
export const cancelText = (which: SqlPart, order = ""): Sql => sql`
    UPDATE requests SET state = ${SETTLED_STATE}, outcome = ?3, answer = ?4, settled_by = 'cancel', settled_at = ?5,
      due = NULL, content = NULL
    WHERE id ${chosen(sql`SELECT r.id FROM requests r WHERE ${which} ${order} LIMIT ?2`)} AND ${isStill("queued", "held", "parked")}
    RETURNING id, (SELECT j.result_owner FROM jobs j WHERE j.id = requests.job) AS "resultOwner"`;

/** Cancels one slice, and wakes those who have to emit its results. @returns ids of the requests @throws StoreError */
export async function cancelSlice(
  engine: Engine,
  clock: Clock,
  change: Statement,
  { outcome, answer }: Cancelled,
  [which, most, ...more]: readonly [which: string | number, most: number, ...more: Value[]],
): Promise<readonly number[]> {
  const rows = await rowsOf(engine, change, which, most, outcome, answer, clock.now(), ...more);
  if (rows.length > 0) {
    await engine.run([], resultOwnerTopics(rows));
  }
  return rows.map(({ id }) => Number(id));
}
