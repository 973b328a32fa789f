import type { Call, Row } from "../engine/engine";
import { call, rowOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { greatest, NOW, type Sql, sql, type SqlPart, textsOf } from "../schema/sql";
import { statement } from "../schema/statement";

/** How requests to a service origin follow each other, in all processes together. */
export interface Rate {
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** ms between two requests. */
  readonly interval: number;
  /** ms before the first turn: what the process needs until it can use one. */
  readonly lead: number;
  /** ms from the first turn that can be had to the last one. */
  readonly ahead: number;
}

/** Turns that were given. The one of number `n` from 0 is at `first + n * interval`. */
export interface Turns {
  readonly granted: number;
  /** ms from the moment `askedAt` to the first turn. */
  readonly first: number;
  /** ms from `askedAt` until there may be further ones; 0 where more were to be had than were needed. */
  readonly wait: number;
  /** Epoch ms by the clock of the database. */
  readonly askedAt: number;
}

/** ms from now to the furthest turn, without its interval, and to the end of the longest back-off, and more. */
const LONGEST = 120_000;

/** Whether no request may leave for the origin now. @param origin a placeholder */
export const blocked = (origin: SqlPart): Sql => sql`
    EXISTS (SELECT 1 FROM rates b WHERE b.origin = ${origin} AND b.blocked_until > ${NOW}
    AND b.blocked_until <= ${NOW} + ${LONGEST})`;

/** Holds the row until the end of the operation, so that those who ask at the same time follow each other. */
const LOCK = statement("rates_lock")`
    INSERT INTO rates (origin, next_at, first_at, granted, fitting, asked_at, blocked_until)
    VALUES (?1, 0, 0, 0, 0, 0, 0) ON CONFLICT (origin) DO UPDATE SET granted = 0`;

// ?1 origin, ?2 µs between two, ?3 ms before the first, ?4 ms to the last, ?5 turns wanted.
// Times that are too far ahead were written before the database's clock was set back.
const grant = (wanted: SqlPart): Sql => sql`
    UPDATE rates SET
      next_at = t.first_at + t.granted * CAST(?2 AS bigint), first_at = t.first_at, granted = t.granted, fitting = t.fitting,
      asked_at = t.asked_at
    FROM (SELECT u.*, CASE WHEN u.fitting < u.wanted THEN u.fitting ELSE u.wanted END AS granted FROM (
      SELECT s.*, CASE WHEN s.first_at > s.last_at THEN 0 ELSE (s.last_at - s.first_at) / CAST(?2 AS bigint) + 1 END AS fitting,
        ${wanted} AS wanted FROM (
        SELECT a.asked_at, (a.asked_at + CAST(?3 AS bigint) + CAST(?4 AS bigint)) * 1000 AS last_at,
          ${greatest(
            greatest(
              sql`CASE WHEN r.next_at > (a.asked_at + ${LONGEST}) * 1000 + CAST(?2 AS bigint) THEN 0 ELSE r.next_at END`,
              "(a.asked_at + CAST(?3 AS bigint)) * 1000",
            ),
            `CASE WHEN r.blocked_until > a.asked_at + ${LONGEST} THEN 0 ELSE r.blocked_until * 1000 END`,
          )} AS first_at
        FROM rates r CROSS JOIN (SELECT ${NOW} AS asked_at) a WHERE r.origin = ?1) s) u) t
    WHERE rates.origin = ?1
    RETURNING rates.first_at AS first_at, rates.granted AS granted, rates.fitting AS fitting, rates.asked_at AS asked_at`;

// ?6 account, ?7 process, ?8 operations of which nothing is claimed, ?9 destination. Turns that nobody could use are not taken.
const GRANT_WAITING = statement(
  "rates_grant_waiting",
  grant(
    sql`(SELECT count(*) FROM (SELECT 1 AS one FROM outbox q WHERE q.account = ?6 AND q.state = 'queued' AND q.due IS NULL
      AND q.destination = ?9 AND (q.owner IS NULL OR q.owner = ?7) AND q.operation NOT IN (${textsOf("?8")})
      AND NOT EXISTS (SELECT 1 FROM paused_accounts p WHERE p.account = ?6) LIMIT ?5) w)`,
  ),
);

const GRANT = statement("rates_grant", grant("CAST(?5 AS bigint)"));

const BLOCK = statement("rates_block")`
    INSERT INTO rates (origin, next_at, first_at, granted, fitting, asked_at, blocked_until)
    VALUES (?1, 0, 0, 0, 0, 0, ${NOW} + CAST(?2 AS bigint)) ON CONFLICT (origin) DO UPDATE SET
      blocked_until = CASE WHEN rates.blocked_until > ${NOW} + ${LONGEST} THEN excluded.blocked_until
        ELSE ${greatest("rates.blocked_until", "excluded.blocked_until")} END`;

const BLOCKED = statement("rates_blocked")`
    SELECT blocked_until - ${NOW} AS left_ms FROM rates
    WHERE origin = ?1 AND blocked_until <= ${NOW} + ${LONGEST}`;

const valuesOf = ({ origin, interval, lead, ahead }: Rate): readonly (string | number)[] => [
  origin,
  Math.max(1, Math.round(interval * 1000)),
  Math.ceil(lead),
  Math.ceil(ahead),
];

/** Begins an operation that claims: takes as many turns as the account has requests, at most `most`. Two calls. */
export const grantWaiting = (
  rate: Rate,
  account: string,
  owner: string,
  most: number,
  destination: string,
  pausedOperations: readonly string[] = [],
): readonly Call[] => [
  call(LOCK, rate.origin),
  call(GRANT_WAITING, ...valuesOf(rate), most, account, owner, JSON.stringify(pausedOperations), destination),
];

const CLOCK = statement("rates_now")`SELECT ${NOW} AS now`;

/** @param row of the second of these calls */
export function readTurns(row: Row | undefined, { lead, ahead, interval }: Rate): Turns {
  const number = (name: string): number => Number(row?.[name] ?? 0);
  const askedAt = number("asked_at");
  const granted = number("granted");
  const first = number("first_at") / 1000 - askedAt;
  // Whoever got all that fitted may have the next one as soon as its time is near.
  const isAll = granted >= number("fitting");
  const wait = isAll ? Math.max(1, first + granted * interval - lead - ahead) : 0;
  return { granted, first, wait, askedAt };
}

/** One token bucket for each service origin, for all processes. docs/service.md, Status codes. */
export class Rates extends Repository {
  /** Takes turns for requests that were claimed and have missed theirs. */
  async take(rate: Rate, most: number): Promise<Turns> {
    const [, rows = []] = await this.engine.run([
      call(LOCK, rate.origin),
      call(GRANT, ...valuesOf(rate), most),
    ]);
    return readTurns(rows[0], rate);
  }

  /** Epoch ms by the clock of the database. */
  async now(): Promise<number> {
    const row = await rowOf(this.engine, CLOCK);
    return Number(row?.now);
  }

  /** Nothing leaves for the origin for `ms`; a longer pause in force stays. */
  async block(origin: string, ms: number): Promise<void> {
    await this.engine.run([call(BLOCK, origin, Math.ceil(ms))]);
  }

  /** ms for which nothing may leave for the origin; below 0 the time since the last back-off, if there was one. */
  async blockedFor(origin: string): Promise<number> {
    const row = await rowOf(this.engine, BLOCKED, origin);
    return Number(row?.left_ms ?? Number.NEGATIVE_INFINITY);
  }
}
