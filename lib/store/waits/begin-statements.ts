import type { Dialect } from "../schema/dialect";
import { statement } from "../schema/statement";

// Entries: key, account, node, taker, kind, channel, transfer id, client message id, end, group, snapshot, recipient. The request is found as
// for events.
export const ADD = statement(
  "waits_add",
  (
    d,
  ) => `INSERT INTO waits (wait_key, account, node, taker, kind, channel, request, begun_at, until, phase, group_key, recipients, open,
      left_count, snapshot)
    WITH n AS MATERIALIZED (
      SELECT e.value ->> 0 AS wait_key, e.value ->> 1 AS account, e.value ->> 2 AS node, e.value ->> 3 AS taker,
        e.value ->> 4 AS kind, e.value ->> 5 AS channel, e.value ->> 8 AS until, e.value ->> 9 AS group_key,
        e.value ->> 10 AS snapshot, ${d.place("e")} AS place,
        coalesce(
          (SELECT r.id FROM requests r WHERE r.transfer_id = e.value ->> 6 AND r.account = e.value ->> 1
            ORDER BY r.id DESC LIMIT 1),
          (SELECT r.id FROM requests r WHERE r.client_message_id = e.value ->> 7 AND r.account = e.value ->> 1
            AND r.state IN ('leaving', 'settled', 'emitted')
            AND (r.transfer_id IS NULL OR e.value ->> 6 IS NULL)
            ORDER BY CASE WHEN EXISTS (
              SELECT 1 FROM recipients c WHERE c.request = r.id AND c.number = e.value ->> 11) THEN 0 ELSE 1 END,
            r.id DESC LIMIT 1)) AS request
      FROM ${d.each("?1", "e")})
    SELECT n.wait_key, n.account, n.node, n.taker, n.kind, n.channel, n.request, CAST(?2 AS bigint), CAST(n.until AS bigint), 'new',
      n.group_key, 0, 0, 0, n.snapshot
    FROM n WHERE n.request IS NOT NULL ORDER BY n.place ON CONFLICT (wait_key) DO NOTHING`,
);

const isBegun = ({ each, text, among }: Dialect, waits = "a"): string =>
  `${waits}.wait_key ${among(`SELECT ${text("e")} FROM ${each("?1", "e")}`)}`;

/** Rank that no delivery has: a wait for a reply ends by none. */
const NO_RANK = 9;

/** ?1 keys of waits that may be there already. */
export const DROP_REPEATED = statement(
  "waits_drop_repeated",
  (
    d,
  ) => `DELETE FROM waits WHERE phase = 'new' AND id IN (SELECT a.id FROM waits a CROSS JOIN wait_recipients w CROSS JOIN waits o
      WHERE ${isBegun(d)} AND w.request = a.request AND w.what IS NULL AND o.id = w.wait AND o.account = a.account
        AND o.node = a.node AND o.kind = a.kind)
    RETURNING wait_key`,
);

export const ADD_RECIPIENTS = statement(
  "waits_add_recipients",
  (d) => `INSERT INTO wait_recipients (wait, place, account, request, number, needs, asks, channel, replaced)
    SELECT a.id, c.place, a.account, a.request, c.number,
      CASE a.kind WHEN 'delivered' THEN 5 WHEN 'read' THEN 6 ELSE ${NO_RANK} END, CASE a.kind WHEN 'reply' THEN 1 ELSE 0 END,
      a.channel, 0
    FROM waits a JOIN recipients c ON c.request = a.request WHERE a.phase = 'new' AND ${isBegun(d)}`,
);

export const REPLACE = statement(
  "waits_replace",
  (d) => `UPDATE wait_recipients SET asks = 0, replaced = 1
    FROM (SELECT DISTINCT o.wait, o.place FROM waits a JOIN wait_recipients w ON w.wait = a.id AND w.asks = 1
      JOIN wait_recipients o ON o.account = w.account AND o.number = w.number AND o.asks = 1 AND o.what IS NULL AND o.wait < w.wait
        AND (o.channel = w.channel OR o.channel = 'any' OR w.channel = 'any')
      WHERE a.phase = 'new' AND ${isBegun(d)}) b
    WHERE wait_recipients.wait = b.wait AND wait_recipients.place = b.place`,
);

export const COUNT = statement(
  "waits_count",
  (d) => `UPDATE waits SET phase = 'open',
      recipients = (SELECT count(*) FROM wait_recipients w WHERE w.wait = waits.id),
      open = (SELECT count(*) FROM wait_recipients w WHERE w.wait = waits.id)
    WHERE phase = 'new' AND ${isBegun(d, "waits")}`,
);

export const BEGUN = statement("waits_begun", (d) => `SELECT a.* FROM waits a WHERE ${isBegun(d)}`);
