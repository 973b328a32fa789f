import { type Cancelled, cancelling, cancelSlice, NOT_SENT, type Settling } from "./cancel-requests";
import type { Clock } from "../engine/clock";
import type { Engine, Value } from "../engine/engine";
import { SLICE, sliced } from "../engine/sliced";
import { rowsOf } from "../engine/query";
import { checked } from "../schema/expressions";
import { among, idsOf, sql } from "../schema/sql";
import { statement } from "../schema/statement";

// ?1 account, ?2 the last job of the page before, ?3 how many at most.
const OPEN_JOBS = statement("cancel_node_open_jobs")`
    SELECT DISTINCT o.job, o.node FROM outbox o
    WHERE o.job > ?2 AND ${checked("o.account")} = ?1 AND ${NOT_SENT} ORDER BY o.job LIMIT ?3`;

const CANCEL_JOBS = cancelling("cancel_node_jobs", sql`o.job IN (${idsOf("?2")}) AND ${NOT_SENT}`);

/** Conditions on a request. ?3 account, ?4 node. */
const OF_NODE = `o.account = ?3 AND ${NOT_SENT} AND o.node = ?4`;

// ?2 key, ?5 the last request of the slice before: keys of a large list are many rows of the index, done ones included.
const CANCEL_ONCE_KEY = cancelling(
  "cancel_node_once_key",
  sql`o.id ${among("SELECT p.id FROM policies p WHERE p.idempotency_key = ?2 AND p.id > ?5 AND p.id >= (SELECT min(n.id) FROM outbox n)")} AND ${OF_NODE}`,
  5,
);

const KEY = "CAST(?2 AS text)";

/**
 * Requests of a message with a client message id: the id itself, or with the number of a part behind it. The first part of a list is
 * told from a message whose own id ends in that way by its second one.
 */
const CANCEL_ID = cancelling(
  "cancel_node_id",
  sql`o.job ${among(`SELECT m.job FROM messages m WHERE m.client_id = ${KEY}
        UNION
        SELECT m.job FROM messages m WHERE m.client_id = ${KEY} || '-1' AND m.part = 0 AND EXISTS (
          SELECT 1 FROM messages s WHERE s.job = m.job AND s.job <> s.id AND s.part = 1 AND (s.client_id = ${KEY} || '-2'
            OR (s.client_id IS NULL AND coalesce(s.settled_by, '') <> 'policy')))`)}
      AND EXISTS (SELECT 1 FROM messages m WHERE m.id = o.id
        AND (m.client_id = ${KEY} OR substr(m.client_id, 1, length(${KEY}) + 1) = ${KEY} || '-'))
      AND ${OF_NODE}`,
  4,
);

/** Cancels one slice of what a statement finds. @returns ids of the requests */
type Cancel = (change: Settling, ...which: readonly Value[]) => Promise<readonly number[]>;

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
      total += await sliced(async (most) => (await cancel(CANCEL_JOBS, most, list)).length);
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
  const cancel: Cancel = (change, ...which) => cancelSlice(engine, clock, change, cancelled, which);
  if (keys === null) {
    return cancelAll(engine, account, node, cancel);
  }
  let total = 0;
  for (const key of new Set(keys)) {
    total += await sliced(async (most) => (await cancel(CANCEL_ID, most, key, account, node)).length);
    let after = 0;
    total += await sliced(async (most) => {
      const ids = await cancel(CANCEL_ONCE_KEY, most, key, account, node, after);
      after = Math.max(after, ...ids);
      return ids.length;
    });
  }
  return total;
}
