import { type Cancelled, cancelSlice, cancelText, NOT_LEFT } from "./cancel-requests";
import type { Clock } from "../engine/clock";
import type { Engine, Value } from "../engine/engine";
import { SLICE, sliced } from "../engine/sliced";
import { rowsOf } from "../engine/query";
import { idsOf, sql } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";

// The node stands in a subquery of its own: by its index the whole history of a node would be read.
const isOfNode = (node: string): string => `(SELECT j.node FROM jobs j WHERE j.id = r.job) = ${node}`;

// ?1 account, ?2 the last job of the page before, ?3 how many at most.
const OPEN_JOBS = statement("cancel_node_open_jobs")`
    SELECT DISTINCT r.job, (SELECT j.node FROM jobs j WHERE j.id = r.job) AS node FROM requests r
    WHERE r.account = ?1 AND r.job > ?2 AND ${NOT_LEFT} ORDER BY r.job LIMIT ?3`;

const CANCEL_JOBS = statement("cancel_node_jobs", cancelText(sql`r.job IN (${idsOf("?1")}) AND ${NOT_LEFT}`));

// ?6 account, ?7 node, ?8 the last request of the slice before: keys of a large list are many rows of the index, done ones included.
const CANCEL_ONCE_KEY = statement(
  "cancel_node_once_key",
  cancelText(
    `r.once_key = ?1 AND r.id > ?8 AND r.account = ?6 AND ${NOT_LEFT} AND ${isOfNode("?7")}`,
    "ORDER BY r.id",
  ),
);

const KEY = "CAST(?1 AS text)";

/**
 * Requests of a message with a client message id: the id itself, or with the number of a part behind it. The first part of a list is
 * told from a message whose own id ends in that way by its second one.
 */
const CANCEL_ID = statement(
  "cancel_node_id",
  cancelText(
    `r.job IN (
        SELECT o.job FROM requests o WHERE o.client_message_id = ${KEY}
        UNION
        SELECT o.job FROM requests o WHERE o.client_message_id = ${KEY} || '-1' AND o.part = 0 AND EXISTS (
          SELECT 1 FROM requests s WHERE s.job = o.job AND s.part = 1 AND (s.client_message_id = ${KEY} || '-2'
            OR (s.client_message_id IS NULL AND coalesce(s.settled_by, '') <> 'guard'))))
      AND (r.client_message_id = ${KEY} OR substr(r.client_message_id, 1, length(${KEY}) + 1) = ${KEY} || '-')
      AND r.account = ?6 AND ${NOT_LEFT} AND ${isOfNode("?7")}`,
  ),
);

/** Cancels one slice of what a statement finds. @returns ids of the requests */
type Cancel = (change: Statement, ...values: [string, number, ...Value[]]) => Promise<readonly number[]>;

/** Cancels what of a node has not left, page by page of all that is open. */
async function cancelAll(engine: Engine, account: string, node: string, cancel: Cancel): Promise<number> {
  let total = 0;
  for (let after = 0, found = SLICE; found === SLICE; ) {
    const rows = await rowsOf(engine, OPEN_JOBS, account, after, SLICE);
    found = rows.length;
    after = Number(rows.at(-1)?.job ?? after);
    const jobs = rows.filter((row) => row.node === node).map(({ job }) => Number(job));
    if (jobs.length > 0) {
      const list = JSON.stringify(jobs);
      total += await sliced(async (most) => (await cancel(CANCEL_JOBS, list, most)).length);
    }
  }
  return total;
}

/** As `QueueControl.cancelNode`. @throws StoreError */
export async function cancelNode(
  engine: Engine,
  clock: Clock,
  account: string,
  node: string,
  keys: readonly string[] | null,
  cancelled: Cancelled,
): Promise<number> {
  const cancel: Cancel = (change, ...values) => cancelSlice(engine, clock, change, cancelled, values);
  if (keys === null) {
    return cancelAll(engine, account, node, cancel);
  }
  let total = 0;
  for (const key of new Set(keys)) {
    total += await sliced(async (most) => (await cancel(CANCEL_ID, key, most, account, node)).length);
    let after = 0;
    total += await sliced(async (most) => {
      const ids = await cancel(CANCEL_ONCE_KEY, key, most, account, node, after);
      after = Math.max(after, ...ids);
      return ids.length;
    });
  }
  return total;
}
