import type { Engine, Row } from "../engine/engine";
import { call, numberOrNull } from "../engine/query";
import { checked } from "../schema/expressions";
import { greatest, lookUpIfAny, STORED_BYTES } from "../schema/sql";
import { statement } from "../schema/statement";
import { getScope, SIMULATOR } from "../schema/scope";

/** What is asked for: an account, and the hour and day that its limits count in now. */
export interface PresentQuestion {
  readonly account: string;
  /** Where its messages go. */
  readonly destination: string;
  /** Epoch ms. */
  readonly now: number;
  readonly hourStarts: number;
  readonly dayStarts: number;
  /** Epoch ms from which `unknown` messages are counted. */
  readonly unknownSince: number;
}

/** What an account has in its store at this moment. Counts are requests; times are epoch ms. */
export interface Present {
  /** May leave now, to any destination. */
  readonly ready: number;
  /** Wait for a time, whatever the reason: those of the next two are among them. */
  readonly waiting: number;
  /** Wait for a rule: sending hours or a limit. */
  readonly forRule: number;
  /** Have failed, and wait for another try. */
  readonly forRetry: number;
  /** Paused by a person. */
  readonly paused: number;
  /** Their node does not exist. */
  readonly orphaned: number;
  readonly sending: number;
  /** Go to the destination, and are ready, overdue, to be tried again or being sent. */
  readonly mayLeave: number;
  /** Since when the one that was sent first is being sent. */
  readonly sendingSince: number | null;
  /** Id of the request that leaves next of those that are ready. */
  readonly first: number | null;
  /** When the first that waits for a time may leave to the destination. */
  readonly nextDue: number | null;
  /** Since when the longest waits that could have left, or that is to be tried again. What a rule held until just now does not count. */
  readonly oldest: number | null;
  /** People whose message ended as `unknown` and still is: 10,000 at most, of as many requests. */
  readonly unknown: number;
  /** Billed messages of the account in the hour and the day. */
  readonly spentHour: number;
  readonly spentDay: number;
  /** Bytes of the tables of all accounts, as the database counts them. */
  readonly bytes: number;
}

/** Requests, and people, that are looked at for what ended as `unknown`; requests for the oldest of those that are to be tried again. */
const [MOST_UNKNOWN, MOST_RETRIES] = [10_000, 100];

const READY = "account = ?1 AND state = 'queued' AND due IS NULL";
const OWN_READY = `${READY} AND destination = ?2`;
const WAITING = "account = ?1 AND state = 'queued' AND due IS NOT NULL";
const OWN_WAITING = `${WAITING} AND destination = ?2`;
const delayed = (postponed: 0 | 1): string =>
  `account = ?1 AND postponed = ${postponed} AND state = 'queued' AND due IS NOT NULL AND due > coalesce(scheduled, 0)`;

/** ?2 destination, ?3 now. */
const COUNTS = statement("present_counts")`
    SELECT (SELECT count(*) FROM outbox WHERE ${OWN_READY})
        + (SELECT count(*) FROM outbox WHERE ${OWN_WAITING} AND due <= ?3
          AND (postponed <> 0 OR due <= coalesce(scheduled, 0)))
        + (SELECT count(*) FROM outbox WHERE ${delayed(0)} AND destination = ?2)
        + (SELECT count(*) FROM outbox WHERE account = ?1 AND state = 'sending') AS may_leave,
      (SELECT min(sent_at) FROM outbox WHERE account = ?1 AND state = 'sending') AS sending_since,
      (SELECT r.id FROM outbox r WHERE ${OWN_READY}
        ORDER BY r.priority DESC, r.id LIMIT 1) AS first,
      (SELECT count(*) FROM outbox WHERE ${READY}) AS ready,
      (SELECT count(*) FROM outbox WHERE ${WAITING}) AS waiting,
      (SELECT min(due) FROM outbox WHERE ${OWN_WAITING}) AS due,
      (SELECT count(*) FROM outbox WHERE ${delayed(1)}) AS for_rule,
      (SELECT count(*) FROM outbox WHERE ${delayed(0)}) AS for_retry,
      ${["paused", "orphaned", "sending"]
        .map((state) => `(SELECT count(*) FROM outbox WHERE account = ?1 AND state = '${state}') AS ${state}`)
        .join(", ")}`;

/** The first of each priority, each looked up by the index in which they leave. */
const OLDEST_READY = statement("present_oldest")`
    WITH RECURSIVE levels (priority) AS (
      SELECT (SELECT r.priority FROM outbox r WHERE ${OWN_READY} ORDER BY r.priority DESC LIMIT 1)
      UNION ALL
      SELECT (SELECT r.priority FROM outbox r WHERE ${OWN_READY} AND r.priority < l.priority ORDER BY r.priority DESC LIMIT 1)
        FROM levels l WHERE l.priority IS NOT NULL)
    SELECT min((SELECT CASE WHEN f.postponed = 0 THEN ${greatest("m.accepted_at", "coalesce(f.scheduled, 0)")} END
      FROM (SELECT r.id, r.postponed, r.scheduled FROM outbox r
        WHERE ${OWN_READY} AND r.priority = l.priority ORDER BY r.id LIMIT 1) f CROSS JOIN messages m WHERE m.id = f.id)) AS oldest
    FROM levels l WHERE l.priority IS NOT NULL`;

const OLDEST_RETRY = statement("present_retried")`
    SELECT min((SELECT ${greatest("m.accepted_at", "coalesce(f.scheduled, 0)")} FROM messages m WHERE m.id = f.id)) AS oldest
    FROM (SELECT r.id, r.scheduled FROM outbox r WHERE ${delayed(0)} AND destination = ?2 ORDER BY r.due LIMIT ${MOST_RETRIES}) f`;

const UNKNOWN = statement("present_unknown")`
    SELECT count(*) AS count FROM (SELECT 1 AS one FROM (
      SELECT m.id, m.recipient, m.settled_at FROM messages m
      WHERE m.account = ?1 AND m.outcome = 'unknown' AND m.outcome <> 'sent' ORDER BY m.id DESC LIMIT ${MOST_UNKNOWN}) u
      ${lookUpIfAny("recipients", "c", "u.recipient IS NULL AND c.request = u.id")}
    WHERE u.settled_at >= ?2 AND (u.recipient IS NOT NULL OR c.request IS NOT NULL) LIMIT ${MOST_UNKNOWN}) p`;

const SPENT = statement("present_spent")`
    SELECT s.period, s.messages FROM quota_usage s WHERE s.starts = ?2 AND s.account = ?1 AND s.number = '' AND s.period = 'hour'
    UNION ALL
    SELECT s.period, s.messages FROM quota_usage s WHERE s.starts = ?3 AND s.account = ?1 AND s.number = '' AND s.period = 'day'`;

/** Requests on each side of one that are looked at for one that was accepted. */
const NEAR = 1_000;
const ACCEPTED_NEAR = statement("present_accepted_near")`
    SELECT max(m.settled_at) AS at FROM messages m WHERE m.id >= ?2 AND m.id <= ?3
      AND ${checked("m.account")} = ?1 AND ${checked("m.outcome")} IN ('sent', 'queued')`;

const BYTES = statement("present_bytes")`SELECT ${STORED_BYTES} AS bytes`;

/** Reads it in one snapshot, beside the thread or connection that commits. @throws StoreError (as a rejection) */
export async function presentOf(
  engine: Engine,
  { account, destination, now, hourStarts, dayStarts, unknownSince }: PresentQuestion,
): Promise<Present> {
  const [counts = [], ready = [], retried = [], unknown = [], spent = [], bytes = []] = await engine.read([
    call(COUNTS, account, destination, now),
    call(OLDEST_READY, account, destination),
    call(OLDEST_RETRY, account, destination),
    call(UNKNOWN, account, unknownSince),
    call(SPENT, getScope(account, destination === SIMULATOR), hourStarts, dayStarts),
    call(BYTES),
  ]);
  const count = (row: Row | undefined, name: string): number => Number(row?.[name] ?? 0);
  const ofPeriod = (period: string): number =>
    count(
      spent.find((row) => row.period === period),
      "messages",
    );
  const oldest = [ready[0], retried[0]].map((row) => numberOrNull(row?.oldest)).filter((at) => at !== null);
  return {
    ready: count(counts[0], "ready"),
    waiting: count(counts[0], "waiting"),
    forRule: count(counts[0], "for_rule"),
    forRetry: count(counts[0], "for_retry"),
    paused: count(counts[0], "paused"),
    orphaned: count(counts[0], "orphaned"),
    sending: count(counts[0], "sending"),
    mayLeave: count(counts[0], "may_leave"),
    sendingSince: numberOrNull(counts[0]?.sending_since),
    first: numberOrNull(counts[0]?.first),
    nextDue: numberOrNull(counts[0]?.due),
    oldest: oldest.length === 0 ? null : Math.min(...oldest),
    unknown: count(unknown[0], "count"),
    spentHour: ofPeriod("hour"),
    spentDay: ofPeriod("day"),
    bytes: count(bytes[0], "bytes"),
  };
}

/**
 * When one was last accepted of those that came just before or after a request, which mostly leave just before or after it, however many
 * have come since. Epoch ms; null for none. @throws StoreError (as a rejection)
 */
export async function acceptedNear(engine: Engine, account: string, request: number): Promise<number | null> {
  const [[row] = []] = await engine.read([call(ACCEPTED_NEAR, account, request - NEAR, request + NEAR)]);
  return numberOrNull(row?.at);
}
