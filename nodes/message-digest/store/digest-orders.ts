import { type DigestOrder, SENSITIVE_KEY } from "./digest";
import type { Engine } from "../../../lib/store/engine/engine";
import { changeInSlices } from "../../../lib/store/engine/query";
import { awaited, greatest, lookUp, sql } from "../../../lib/store/schema/sql";
import { statement } from "../../../lib/store/schema/statement";

// ?1 account, ?2 how many, ?3 node, ?4 key or null, ?5 the same of sensitive messages.
const ofOrder = `d.account = ?1 AND d.node = ?3 AND (CAST(?4 AS text) IS NULL OR d.digest_key IN (?4, ?5))`;
const FLUSH = statement("digests_flush")`
    UPDATE digests SET muted = 0, next_at = CAST(?6 AS bigint), wake_at = CAST(?6 AS bigint)
    WHERE id ${awaited(sql`SELECT d.id FROM digests d
      WHERE ${ofOrder} AND d.count > 0 AND (d.next_at > CAST(?6 AS bigint) OR d.muted = 1) ORDER BY d.digest_key LIMIT ?2`)} RETURNING id`;
const DROP = statement("digests_drop")`
    UPDATE digests SET total = total - count, count = 0, batch = batch + 1, wake_at = ${greatest("next_at", "last_at + quiet")}
    WHERE id ${awaited(sql`SELECT d.id FROM digests d WHERE ${ofOrder} AND d.count > 0 ORDER BY d.digest_key LIMIT ?2`)} RETURNING id`;
const MUTE = statement("digests_mute")`
    UPDATE digests SET muted = 1, wake_at = ${greatest("next_at", "last_at + quiet")}
    WHERE id ${awaited(sql`SELECT d.id FROM digests d WHERE ${ofOrder} AND d.muted = 0 ORDER BY d.digest_key LIMIT ?2`)} RETURNING id`;
const DELETE_DROPPED_ITEMS = statement("digests_delete_dropped_items")`
    DELETE FROM digest_items WHERE (digest, batch, idx) IN (
      SELECT o.digest, o.batch, o.idx FROM digests d
        ${lookUp("digest_items", "o", "o.digest = d.id AND o.batch < d.batch AND (d.phase IS NULL OR o.batch > d.emission_batch)")}
      WHERE ${ofOrder} LIMIT ?2) RETURNING digest`;
/** Digests that emitted nothing emit no end. */
const DELETE_DROPPED = statement("digests_delete_dropped")`
    DELETE FROM digests WHERE id ${awaited(sql`SELECT d.id FROM digests d
      WHERE ${ofOrder} AND d.total = 0 AND d.muted = 0 AND d.phase IS NULL ORDER BY d.digest_key LIMIT ?2`)} RETURNING id`;
const ORDERS = { flush: FLUSH, drop: DROP, mute: MUTE } as const;

/** Carries out an order on collected messages. @param key null for all keys @param now epoch ms @throws StoreError */
export async function orderDigests(
  engine: Engine,
  order: DigestOrder,
  [account, node, key]: readonly [account: string, node: string, key: string | null],
  now: number,
): Promise<void> {
  const of = [account, node, key, key === null ? null : SENSITIVE_KEY + key] as const;
  await changeInSlices(engine, ORDERS[order], [...of, ...(order === "flush" ? [now] : [])]);
  if (order === "drop") {
    await changeInSlices(engine, DELETE_DROPPED_ITEMS, of);
    await changeInSlices(engine, DELETE_DROPPED, of);
  }
}
