import type { WaitKind } from "../../shared/fields/wait-fields";
import { Batches } from "../engine/batches";
import type { Clock } from "../engine/clock";
import type { Call, Engine, Row } from "../engine/engine";
import type { Dialect } from "../schema/dialect";
import { sliced } from "../engine/sliced";
import { statement } from "../schema/statement";
import { waitsTopic } from "./waits-topic";
import {
  ASSIGN_EARLIER,
  ASSIGN_RECENTLY,
  HEARD_BEFORE,
  HEARD_MEANWHILE,
  HEARD_RECENTLY,
} from "./heard-statements";
import type {
  Heard,
  HeardRecipient,
  HeardWait,
  NewWait,
  OpenWait,
  PendingReply,
  ReplyChannel,
  SilentWaits,
  WaitStore,
} from "./wait";

// Entries: key, account, node, taker, kind, channel, transfer id, client message id, end, group, snapshot, recipient. The request is found as
// for events.
const ADD = statement(
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

const isBegun = ({ each, text }: Dialect): string =>
  `a.wait_key IN (SELECT ${text("e")} FROM ${each("?1", "e")})`;

/** Rank that no delivery has: a wait for a reply ends by none. */
const NO_RANK = 9;

/** ?1 keys of waits that may be there already. */
const DROP_REPEATED = statement(
  "waits_drop_repeated",
  (
    d,
  ) => `DELETE FROM waits WHERE phase = 'new' AND id IN (SELECT a.id FROM waits a CROSS JOIN wait_recipients w CROSS JOIN waits o
      WHERE ${isBegun(d)} AND w.request = a.request AND w.what IS NULL AND o.id = w.wait AND o.account = a.account
        AND o.node = a.node AND o.kind = a.kind)
    RETURNING wait_key`,
);

const ADD_RECIPIENTS = statement(
  "waits_add_recipients",
  (d) => `INSERT INTO wait_recipients (wait, place, account, request, number, needs, asks, channel, replaced)
    SELECT a.id, c.place, a.account, a.request, c.number,
      CASE a.kind WHEN 'delivered' THEN 5 WHEN 'read' THEN 6 ELSE ${NO_RANK} END, CASE a.kind WHEN 'reply' THEN 1 ELSE 0 END,
      a.channel, 0
    FROM waits a JOIN recipients c ON c.request = a.request WHERE a.phase = 'new' AND ${isBegun(d)}`,
);

const REPLACE = statement(
  "waits_replace",
  (d) => `UPDATE wait_recipients SET asks = 0, replaced = 1
    FROM (SELECT DISTINCT o.wait, o.place FROM waits a JOIN wait_recipients w ON w.wait = a.id AND w.asks = 1
      JOIN wait_recipients o ON o.account = w.account AND o.number = w.number AND o.asks = 1 AND o.what IS NULL AND o.wait < w.wait
        AND (o.channel = w.channel OR o.channel = 'any' OR w.channel = 'any')
      WHERE a.phase = 'new' AND ${isBegun(d)}) b
    WHERE wait_recipients.wait = b.wait AND wait_recipients.place = b.place`,
);

const COUNT = statement(
  "waits_count",
  (d) => `UPDATE waits SET phase = 'open',
      recipients = (SELECT count(*) FROM wait_recipients w WHERE w.wait = waits.id),
      open = (SELECT count(*) FROM wait_recipients w WHERE w.wait = waits.id)
    WHERE phase = 'new' AND id IN (SELECT a.id FROM waits a WHERE ${isBegun(d)})`,
);

const BEGUN = statement("waits_begun", (d) => `SELECT a.* FROM waits a WHERE ${isBegun(d)}`);
const ONE = statement("waits_one", () => "SELECT * FROM waits WHERE id = ?1");

/** Only waits of the nodes of a JSON array. */
const isOf = ({ each, text }: Dialect, column: string, nodes: string): string =>
  `${column} IN (SELECT ${text("e")} FROM ${each(nodes, "e")})`;

/** ?1 taker, ?2 most, ?3 nodes. */
const HEARD = (d: Dialect): string => `SELECT w.* FROM wait_recipients w JOIN waits a ON a.id = w.wait
    WHERE w.what IN ('happened', 'failed') AND a.taker = ?1 AND ${isOf(d, "a.node", "?3")} ORDER BY w.wait, w.place LIMIT ?2`;
const HEARD_ROWS = statement(
  "waits_heard",
  (d) => `SELECT h.wait, h.place, h.number, h.what, h.status, h.at, p.body FROM (${HEARD(d)}) h
    LEFT JOIN replies p ON p.id = h.reply ORDER BY h.wait, h.place`,
);
const HEARD_WAITS = statement(
  "waits_heard_waits",
  (d) => `SELECT a.* FROM waits a WHERE a.id IN (SELECT DISTINCT h.wait FROM (${HEARD(d)}) h) ORDER BY a.id`,
);

/** Waits that ended in silence, whole groups, the oldest first. ?1 taker, ?2 most, ?3 nodes. */
const SILENT = (d: Dialect): string => `SELECT a.* FROM waits a
    WHERE a.phase = 'over' AND a.open > 0 AND a.taker = ?1
      AND coalesce(a.group_key, a.wait_key) IN (
        SELECT coalesce(f.group_key, f.wait_key) FROM (
          SELECT o.id, o.group_key, o.wait_key FROM waits o
          WHERE o.phase = 'over' AND o.open > 0 AND o.taker = ?1 AND ${isOf(d, "o.node", "?3")}
            AND EXISTS (SELECT 1 FROM wait_recipients w WHERE w.wait = o.id AND w.what = 'silent')
          ORDER BY o.id LIMIT ?2) f)`;
// The message of a group is made from its first one.
const SILENT_WAITS = statement(
  "waits_silent",
  (
    d,
  ) => `SELECT s.id, s.wait_key, s.node, s.kind, s.begun_at, s.until, s.group_key, s.left_count, s.recipients, s.open,
      CASE WHEN s.turn = 1 THEN s.snapshot END AS snapshot
    FROM (SELECT x.*, row_number() OVER (PARTITION BY coalesce(x.group_key, x.wait_key) ORDER BY x.id) AS turn FROM (${SILENT(d)}) x
      WHERE EXISTS (SELECT 1 FROM wait_recipients w WHERE w.wait = x.id AND w.what = 'silent')) s
    ORDER BY s.id`,
);
const SILENT_ROWS = statement(
  "waits_silent_rows",
  (d) => `SELECT w.wait, w.place, w.number, w.replaced FROM wait_recipients w
    WHERE w.what = 'silent' AND w.wait IN (SELECT x.id FROM (${SILENT(d)}) x) ORDER BY w.wait, w.place`,
);

const REPLIES = statement(
  "waits_replies",
  (d) => `SELECT p.id, p.wait, p.place, p.number, p.channel, p.body, p.at, p.received_at, a.node,
      (SELECT count(*) FROM wait_recipients w WHERE w.wait = p.wait AND w.place = p.place AND w.what IS NULL) AS open
    FROM replies p JOIN waits a ON a.id = p.wait WHERE p.wait IS NOT NULL AND a.taker = ?1 AND ${isOf(d, "a.node", "?3")} ORDER BY p.wait, p.id LIMIT ?2`,
);

const ANSWER = statement(
  "waits_answer",
  () => `UPDATE wait_recipients SET what = 'happened', at = ?4, reply = ?1, asks = 0
    WHERE wait = ?2 AND place = ?3 AND what IS NULL RETURNING place`,
);
const TAKE_REPLY = statement(
  "waits_take_reply",
  () => `UPDATE replies SET wait = NULL, state = CASE WHEN EXISTS (
      SELECT 1 FROM wait_recipients w WHERE w.wait = ?2 AND w.place = ?3 AND w.reply = ?1) THEN 'taken' ELSE state END
    WHERE id = ?1`,
);
const ANSWERED_BY = statement(
  "waits_answered_by",
  () => "SELECT place FROM wait_recipients WHERE wait = ?2 AND place = ?3 AND reply = ?1",
);
const SET_ASIDE = statement(
  "waits_set_aside",
  () => "UPDATE replies SET wait = NULL, state = 'later' WHERE id = ?1",
);
const DROP_REPLY = statement("waits_drop_reply", () => "DELETE FROM replies WHERE id = ?1");

/** A reply that came in time is looked at before the wait ends. */
const hasLooked = (wait: string): string => `NOT EXISTS (SELECT 1 FROM replies p WHERE p.wait = ${wait}.id)`;

const DUE = statement(
  "waits_due",
  (d) => `UPDATE waits SET phase = CASE WHEN group_key IS NULL THEN 'ending' ELSE 'due' END
    WHERE id IN (SELECT a.id FROM waits a WHERE a.phase = 'open' AND a.taker = ?1 AND a.until <= ?2 AND ${isOf(d, "a.node", "?4")} AND ${hasLooked("a")}
      ORDER BY a.until, a.id LIMIT ?3)
    RETURNING group_key`,
);
/** None of its waits goes on, and all replies to them are looked at. */
const isOfClosedGroup = `NOT EXISTS (SELECT 1 FROM waits g WHERE g.group_key = waits.group_key AND g.phase = 'open')
      AND group_key NOT IN (SELECT g.group_key FROM replies p CROSS JOIN waits g
        WHERE p.wait > 0 AND g.id = p.wait AND g.phase = 'due' AND g.group_key IS NOT NULL)`;
const END_GROUPS = statement(
  "waits_end_groups",
  () => `UPDATE waits SET phase = 'ending'
    WHERE phase = 'due' AND taker = ?1 AND group_key IS NOT NULL AND ${isOfClosedGroup}`,
);
/** Nothing is `ending` but in the operation that makes it so. ?1 now. */
const SILENCE = statement(
  "waits_silence",
  () => `UPDATE wait_recipients SET what = 'silent', at = ?1, asks = 0
    WHERE what IS NULL AND wait IN (SELECT a.id FROM waits a WHERE a.phase = 'ending') RETURNING place`,
);
const END = statement(
  "waits_end",
  () => "UPDATE waits SET phase = 'over' WHERE phase = 'ending' RETURNING taker",
);
const NEXT_END = statement(
  "waits_next_end",
  (
    d,
  ) => `SELECT a.until FROM waits a WHERE a.phase = 'open' AND a.taker = ?1 AND ${isOf(d, "a.node", "?2")} AND ${hasLooked("a")}
    ORDER BY a.until, a.id LIMIT 1`,
);

/** Entries of ?1: wait, place. */
const leftWaits = (d: Dialect): string =>
  `SELECT DISTINCT CAST(e.value ->> 0 AS bigint) AS id FROM ${d.each("?1", "e")}`;
const FORGET_REPLIES = statement(
  "waits_forget_replies",
  (
    d,
  ) => `DELETE FROM replies WHERE id IN (SELECT w.reply FROM ${d.each("?1", "e")} CROSS JOIN wait_recipients w
      WHERE w.wait = CAST(e.value ->> 0 AS bigint) AND w.place = CAST(e.value ->> 1 AS integer) AND w.reply IS NOT NULL)`,
);
const FORGET = statement(
  "waits_forget",
  (d) => `DELETE FROM wait_recipients WHERE (wait, place) IN (
      SELECT CAST(e.value ->> 0 AS bigint), CAST(e.value ->> 1 AS integer) FROM ${d.each("?1", "e")})`,
);
const RECOUNT = statement(
  "waits_recount",
  (d) => `UPDATE waits SET open = b.open, left_count = left_count + waits.open - b.open,
      phase = CASE WHEN b.open = 0 THEN 'over' ELSE phase END, snapshot = CASE WHEN b.open = 0 THEN NULL ELSE snapshot END
    FROM (SELECT l.id, (SELECT count(*) FROM wait_recipients w WHERE w.wait = l.id) AS open FROM (${leftWaits(d)}) l) b
    WHERE waits.id = b.id`,
);
const END_GROUPS_OF = statement(
  "waits_end_groups_of",
  (d) => `UPDATE waits SET phase = 'ending'
    WHERE phase = 'due' AND group_key IN (SELECT o.group_key FROM (${leftWaits(d)}) l CROSS JOIN waits o WHERE o.id = l.id)
      AND ${isOfClosedGroup}`,
);

const ADOPT = statement(
  "waits_adopt",
  (d) => `UPDATE waits SET taker = ?1
    WHERE id ${d.chosen(`SELECT a.id FROM waits a
      WHERE a.id > ?5 AND a.account = ?2 AND a.open > 0 AND ${isOf(d, "a.node", "?3")}
        AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = a.taker AND i.dead_at IS NULL)
      ORDER BY a.id LIMIT ?4`)}
    RETURNING id`,
);

const OPEN = statement(
  "waits_open",
  () => `SELECT a.node, sum(a.open) AS open FROM waits a
    WHERE a.account = ?2 AND a.open > 0 AND a.taker = ?1 GROUP BY a.node`,
);

/** ms for which a wait that is over is known, so that the same one is not begun again after an error. */
const KNOWN = 60 * 60 * 1000;
const FORGET_OVER = statement(
  "waits_forget_over",
  () => `DELETE FROM waits WHERE id IN (
      SELECT a.id FROM waits a WHERE a.begun_at < ?1 AND a.phase = 'over' AND a.open = 0 LIMIT ?2) RETURNING id`,
);
/** Waits of nodes that are gone end nowhere. */
const FORGET_ABANDONED = statement(
  "waits_forget_abandoned",
  () => `DELETE FROM waits WHERE id IN (
      SELECT a.id FROM waits a WHERE a.begun_at < ?1 AND a.until < ?1 AND a.account = ?3 LIMIT ?2) RETURNING id`,
);
const FORGET_ABANDONED_RECIPIENTS = statement(
  "waits_forget_abandoned_recipients",
  () => `DELETE FROM wait_recipients WHERE wait IN (
      SELECT a.id FROM waits a WHERE a.begun_at < ?1 AND a.until < ?1 AND a.account = ?3 LIMIT ?2) RETURNING wait`,
);
const FORGET_OLD_REPLIES = statement(
  "waits_forget_old_replies",
  () => `DELETE FROM replies WHERE id IN (
      SELECT p.id FROM replies p WHERE p.received_at < ?1 AND p.account = ?4
        AND ((p.state = 'new' AND p.wait IS NULL) OR p.received_at < ?3) LIMIT ?2) RETURNING id`,
);
const FORGET_NUMBER = statement(
  "waits_forget_number",
  () => `DELETE FROM replies WHERE id IN (
      SELECT p.id FROM replies p WHERE p.number = ?1 AND p.wait IS NULL AND p.state <> 'taken' LIMIT ?2) RETURNING id`,
);

/**
 * One slice of what nobody needs any more.
 * @param before epoch ms: what waits and replies of an account are older than is deleted whatever it is
 */
export const forgetWaits = (now: number, before: number, most: number, account: string): readonly Call[] => [
  { statement: FORGET_OVER, values: [now - KNOWN, most] },
  { statement: FORGET_ABANDONED_RECIPIENTS, values: [before, most, account] },
  { statement: FORGET_ABANDONED, values: [before, most, account] },
  { statement: FORGET_OLD_REPLIES, values: [now - KNOWN, most, before, account] },
];

/** One slice of the replies of a number, but for those that a wait has. */
export const forgetRepliesOf = (number: string, most: number): Call => ({
  statement: FORGET_NUMBER,
  values: [number, most],
});

const entryOf = (wait: NewWait) => {
  const {
    key,
    account,
    node,
    taker,
    kind,
    channel,
    transferId,
    clientMessageId,
    until,
    group,
    snapshot,
    recipient,
  } = wait;
  return [
    key,
    account,
    node,
    taker,
    kind,
    channel,
    transferId,
    clientMessageId,
    until,
    group,
    snapshot,
    recipient,
  ];
};

/** A wait, and a place in it. */
type LeftEnd = readonly [number, number];

/** The waits of all accounts in one database. */
export class WaitRows implements WaitStore {
  readonly #begins = new Batches<NewWait, OpenWait | "goes on" | null>((all) => this.#beginAll(all));
  readonly #ends = new Batches<readonly LeftEnd[], undefined>((all) => this.#leftAll(all));

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  begin(wait: NewWait): Promise<OpenWait | "goes on" | null> {
    return this.#begins.add(wait);
  }

  async #beginAll(all: readonly NewWait[]): Promise<readonly (OpenWait | "goes on" | null)[]> {
    const keys = JSON.stringify(all.map(({ key }) => key));
    const repeated = all.flatMap(({ key, repeated }) => (repeated ? [key] : []));
    const rows = await this.engine.run([
      { statement: ADD, values: [JSON.stringify(all.map(entryOf)), this.clock.now()] },
      { statement: DROP_REPEATED, values: [JSON.stringify(repeated)] },
      ...[ADD_RECIPIENTS, REPLACE, COUNT, ASSIGN_EARLIER, HEARD_BEFORE, BEGUN].map((each) => ({
        statement: each,
        values: [keys],
      })),
    ]);
    const begun = new Map((rows.at(-1) ?? []).map((row) => [String(row.wait_key), toWait(row)]));
    const goingOn = new Set((rows[1] ?? []).map((row) => String(row.wait_key)));
    return all.map(({ key }) => {
      if (goingOn.has(key)) {
        return "goes on";
      }
      const wait = begun.get(key) ?? null;
      return wait?.recipients === 0 ? null : wait;
    });
  }

  async heard(taker: string, most: number, nodes: readonly string[]): Promise<readonly HeardWait[]> {
    const values = [taker, most, JSON.stringify(nodes)];
    const [rows = [], waits = []] = await this.engine.run([
      { statement: HEARD_ROWS, values },
      { statement: HEARD_WAITS, values },
    ]);
    const byWait = groupBy(rows, ({ wait }) => Number(wait));
    return waits.map((row) => {
      const wait = toWait(row);
      return { wait, heard: (byWait.get(wait.id) ?? []).map(toHeard) };
    });
  }

  async silent(taker: string, most: number, nodes: readonly string[]): Promise<readonly SilentWaits[]> {
    const values = [taker, most, JSON.stringify(nodes)];
    const [waits = [], rows = []] = await this.engine.run([
      { statement: SILENT_WAITS, values },
      { statement: SILENT_ROWS, values },
    ]);
    const byWait = groupBy(rows, ({ wait }) => Number(wait));
    const groups = groupBy(waits.map(toWait), ({ group, key }) => group ?? key);
    return [...groups.values()].map((members) => ({
      waits: members.map((wait) => {
        const silent = byWait.get(wait.id) ?? [];
        return {
          wait,
          numbers: silent.map(({ number }) => String(number)),
          places: silent.map(({ place }) => Number(place)),
          replaced: silent.some(({ replaced }) => Number(replaced) === 1),
        };
      }),
    }));
  }

  async replies(taker: string, most: number, nodes: readonly string[]): Promise<readonly PendingReply[]> {
    const values = [taker, most, JSON.stringify(nodes)];
    const [rows = []] = await this.engine.run([{ statement: REPLIES, values }]);
    return rows.map(toReply);
  }

  async answered({ id, wait, place, at }: PendingReply): Promise<boolean> {
    const [, , rows = []] = await this.engine.run([
      { statement: ANSWER, values: [id, wait, place, at] },
      { statement: TAKE_REPLY, values: [id, wait, place] },
      { statement: ANSWERED_BY, values: [id, wait, place] },
    ]);
    return rows.length > 0;
  }

  async passed({ id, wait }: PendingReply, stays: boolean): Promise<void> {
    await this.engine.run([
      { statement: stays ? SET_ASIDE : DROP_REPLY, values: [id] },
      { statement: HEARD_MEANWHILE, values: [wait] },
    ]);
  }

  async expire(taker: string, most: number, nodes: readonly string[]): Promise<number> {
    const now = this.clock.now();
    const [due = []] = await this.engine.run([
      { statement: DUE, values: [taker, now, most, JSON.stringify(nodes)] },
      { statement: END_GROUPS, values: [taker] },
      { statement: SILENCE, values: [now] },
      { statement: END, values: [] },
    ]);
    return due.length;
  }

  async nextEnd(taker: string, nodes: readonly string[]): Promise<number | null> {
    const values = [taker, JSON.stringify(nodes)];
    const [[row] = []] = await this.engine.run([{ statement: NEXT_END, values }]);
    return row === undefined ? null : Number(row.until);
  }

  left(wait: number, places: readonly number[]): Promise<void> {
    return this.#ends.add(places.map((place) => [wait, place] as const));
  }

  async #leftAll(all: readonly (readonly LeftEnd[])[]): Promise<readonly undefined[]> {
    const values = [JSON.stringify(all.flat())];
    const results = await this.engine.run([
      ...[FORGET_REPLIES, FORGET, RECOUNT, END_GROUPS_OF].map((each) => ({ statement: each, values })),
      { statement: SILENCE, values: [this.clock.now()] },
      { statement: END, values: [] },
    ]);
    await tellTakers(this.engine, [results.at(-1) ?? []]);
    return all.map(() => undefined);
  }

  async adopt(taker: string, account: string, nodes: readonly string[]): Promise<number> {
    const list = JSON.stringify(nodes);
    let after = 0;
    return sliced(async (most) => {
      const values = [taker, account, list, most, after];
      const [rows = []] = await this.engine.run([{ statement: ADOPT, values }]);
      after = rows.reduce((last, { id }) => Math.max(last, Number(id)), after);
      return rows.length;
    });
  }

  async open(taker: string, account: string): Promise<ReadonlyMap<string, number>> {
    const [rows = []] = await this.engine.run([{ statement: OPEN, values: [taker, account] }]);
    return new Map(rows.map(({ node, open }) => [String(node), Number(open)]));
  }

  async recheck(age: number): Promise<void> {
    const values = [this.clock.now() - age];
    const told = await this.engine.run([
      { statement: HEARD_RECENTLY, values },
      { statement: ASSIGN_RECENTLY, values },
    ]);
    await tellTakers(this.engine, told);
  }

  async wait(id: number): Promise<OpenWait | null> {
    const [[row] = []] = await this.engine.run([{ statement: ONE, values: [id] }]);
    return row === undefined ? null : toWait(row);
  }
}

/** Wakes the instances that statements have named as `taker`. */
export async function tellTakers(engine: Engine, told: readonly (readonly Row[])[]): Promise<void> {
  const takers = new Set(told.flatMap((rows) => rows.map(({ taker }) => taker)));
  takers.delete(null);
  if (takers.size > 0) {
    // What is written is written. Whoever misses it looks by itself later.
    await engine
      .run(
        [],
        [...takers].map((taker) => waitsTopic(String(taker))),
      )
      .catch(() => {});
  }
}

function groupBy<Key, Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => Key): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [entry]);
    } else {
      group.push(entry);
    }
  }
  return groups;
}

const toWait = (row: Row): OpenWait => ({
  id: Number(row.id),
  key: String(row.wait_key),
  node: String(row.node),
  kind: String(row.kind) as WaitKind,
  beganAt: Number(row.begun_at),
  until: Number(row.until),
  group: row.group_key === null ? null : String(row.group_key),
  left: Number(row.left_count),
  recipients: Number(row.recipients),
  open: Number(row.open),
  snapshot: row.snapshot === null ? null : String(row.snapshot),
});

const toHeard = (row: Row): HeardRecipient => ({
  place: Number(row.place),
  number: String(row.number),
  what: String(row.what) as Heard,
  status: row.status === null ? null : String(row.status),
  at: Number(row.at),
  reply: row.body === null ? null : String(row.body),
});

const toReply = (row: Row): PendingReply => ({
  id: Number(row.id),
  wait: Number(row.wait),
  place: Number(row.place),
  node: String(row.node),
  number: String(row.number),
  channel: String(row.channel) as ReplyChannel,
  body: String(row.body),
  at: Number(row.at),
  receivedAt: Number(row.received_at),
  isOpen: Number(row.open) > 0,
});
