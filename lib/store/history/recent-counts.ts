import type { ShownOutcome } from "../../shared/outcomes";
import type { Engine } from "../engine/engine";
import { call } from "../engine/query";
import { statement } from "../schema/statement";
import { shownOutcomeOf } from "./history-filter";

/** What is counted: results that left their node, and events that came, of a time, in epoch ms: from one on, and up to, without, another. */
export interface RecentPeriod {
  readonly account: string;
  readonly from: number;
  readonly to: number;
  /** Only the newest people, and events. */
  readonly most: number;
}

/** People with the same outcome, and the minute since the epoch in which their results left. */
export interface RecentMinute {
  readonly outcome: ShownOutcome;
  /** null before the last hour. */
  readonly minute: number | null;
  readonly count: number;
}

/** Events of a minute. */
export interface RecentEvents {
  readonly minute: number | null;
  readonly count: number;
}

/** People of a node with the same outcome, for the same reason. */
export interface RecentOutcome {
  readonly outcome: ShownOutcome;
  readonly operation: string;
  /** Of a failure, as the store keeps it; else null. */
  readonly answer: string | null;
  readonly count: number;
}

/** Counts, and since when: later than asked for where there are more than were counted. */
export interface Recent<Count> {
  readonly counts: readonly Count[];
  /** Epoch ms. */
  readonly since: number;
}

const HOUR = 3_600_000;

const COUNTED = "r.state = 'emitted' AND r.emitted_at < ?3";

/** The newest people of those taken since ?2, without an outcome where their results did not leave before ?3: so it has an end in a long queue. */
const peopleText = (columns: string, owner: string): string =>
  `SELECT j.taken_at, CASE WHEN ${COUNTED} THEN ${shownOutcomeOf("r")} END AS outcome, ${columns}
    FROM jobs j CROSS JOIN requests r LEFT JOIN recipients c ON c.request = r.id
    WHERE r.job = j.id AND ${owner} AND j.taken_at >= ?2 ORDER BY j.taken_at DESC, j.id DESC LIMIT ?4`;

const minuteOf = (time: string): string => `CASE WHEN ${time} >= ?5 THEN ${time} / 60000 END`;

const OF_ACCOUNT = statement(
  "history_recent_of_account",
  `SELECT p.outcome, p.minute, count(*) AS count, min(p.taken_at) AS first
  FROM (${peopleText(`CASE WHEN ${COUNTED} THEN ${minuteOf("r.emitted_at")} END AS minute`, "j.account = ?1")}) p
  GROUP BY p.outcome, p.minute`,
);

// Its account is asked outside, so that no other index than that of the node is taken.
const OF_NODE = statement(
  "history_recent_of_node",
  `SELECT p.outcome, p.operation, p.answer, count(*) AS count, min(p.taken_at) AS first FROM (${peopleText(
    `j.account, r.operation, CASE WHEN r.outcome IN ('sent', 'queued') THEN NULL ELSE r.answer END AS answer`,
    "j.node = ?5",
  )}) p WHERE p.account = ?1 GROUP BY p.outcome, p.operation, p.answer`,
);

const EVENTS = statement(
  "history_recent_events",
  `SELECT ${minuteOf("p.received_at")} AS minute, count(*) AS count, min(p.received_at) AS first
  FROM (SELECT account, received_at FROM events
    WHERE received_at >= ?2 AND received_at < ?3 ORDER BY received_at DESC LIMIT ?4) p
  WHERE p.account = ?1 GROUP BY 1`,
);

/** Counts what an account has done, beside the thread or connection that commits. @throws StoreError (as a rejection) */
export async function recentOfAccount(
  engine: Engine,
  { account, from, to, most }: RecentPeriod,
): Promise<{ readonly people: Recent<RecentMinute>; readonly events: Recent<RecentEvents> }> {
  const values = [account, from, to, most, to - HOUR] as const;
  const [people = [], events = []] = await engine.read([
    call(OF_ACCOUNT, ...values),
    call(EVENTS, ...values),
  ]);
  return { people: recentOf(people, from, most), events: recentOf(events, from, most) };
}

/** Counts what a node has sent. @param node its identity @throws StoreError (as a rejection) */
export async function recentOfNode(
  engine: Engine,
  node: string,
  { account, from, to, most }: RecentPeriod,
): Promise<Recent<RecentOutcome>> {
  const [rows = []] = await engine.read([call(OF_NODE, account, from, to, most, node)]);
  return recentOf(rows, from, most);
}

/** @param rows with an outcome, or null for what is not counted; events have none */
function recentOf<Count extends { readonly count: number }>(
  rows: readonly object[],
  from: number,
  most: number,
): Recent<Count> {
  const all = rows as readonly (Count & { readonly first: number; readonly outcome?: ShownOutcome | null })[];
  const isAll = all.reduce((sum, { count }) => sum + count, 0) < most;
  const since = isAll ? from : Math.min(...all.map(({ first }) => Number(first)));
  return { counts: all.filter(({ outcome }) => outcome !== null), since };
}
