import type { Row } from "../engine/engine";
import { changeInSlices, rowOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { isStill } from "../schema/expressions";
import { chosen, greatest, sql } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";

/** Requests of an account on their way. */
export interface QueueCounts {
  /** May leave now. */
  readonly ready: number;
  /** Wait for their time. */
  readonly waiting: number;
  readonly paused: number;
  /** Their node does not exist. */
  readonly orphaned: number;
  readonly sending: number;
  readonly settled: number;
  /** ms from now until the first waiting one may leave; null without one. */
  readonly nextDue: number | null;
}

const READY = "state = 'queued' AND due IS NULL";
const WAITING = "state = 'queued' AND due IS NOT NULL";

export const COUNTS = statement("requests_counts")`
    SELECT
    (SELECT count(*) FROM outbox WHERE account = ?1 AND ${READY}) AS ready,
    (SELECT count(*) FROM outbox WHERE account = ?1 AND ${WAITING}) AS waiting,
    ${["paused", "orphaned", "sending", "settled"]
      .map((state) => `(SELECT count(*) FROM outbox WHERE account = ?1 AND state = '${state}') AS ${state}`)
      .join(", ")},
    (SELECT min(due) FROM outbox WHERE account = ?1 AND ${WAITING}) AS due`;

const NEXT_DUE = statement("requests_next_due")`
    SELECT min(due) AS due FROM outbox WHERE account = ?1 AND destination = ?2 AND ${WAITING}`;

// Two ranges of each index: by `<>` all requests of the own destination are read as well.
const ELSEWHERE = statement("requests_elsewhere")`
    SELECT ${[READY, WAITING]
      .flatMap((which) => [`${which} AND destination < ?2`, `${which} AND destination > ?2`])
      .map((which) => `(SELECT count(*) FROM outbox WHERE account = ?1 AND ${which})`)
      .join(" + ")} AS count`;

/** Those that wait for something else than the time that they were scheduled for. What is changed is none of them any more. */
const shortened = (name: string, postponed: 0 | 1): Statement =>
  statement(name)`
    UPDATE outbox SET due = ${greatest("?3", "coalesce(scheduled, 0)")}
    WHERE id ${chosen(sql`
      SELECT o.id FROM outbox o WHERE o.account = ?1 AND o.postponed = ${postponed} AND o.state = 'queued'
        AND o.due IS NOT NULL AND o.due > ?3 AND o.due > coalesce(o.scheduled, 0)
      ORDER BY o.due LIMIT ?2`)} AND ${isStill("queued")} RETURNING id`;

const LIMIT_DELAYS = shortened("requests_limit_delays", 0);
const LOOK_AGAIN = shortened("requests_look_again", 1);

/** The requests of an account that wait or are on their way, all together. */
export class Backlog extends Repository {
  async counts(account: string): Promise<QueueCounts> {
    const row = await rowOf(this.engine, COUNTS, account);
    const count = (name: string): number => Number(row?.[name] ?? 0);
    return {
      ready: count("ready"),
      waiting: count("waiting"),
      paused: count("paused"),
      orphaned: count("orphaned"),
      sending: count("sending"),
      settled: count("settled"),
      nextDue: this.#until(row),
    };
  }

  /** ms from now until the first of the waiting requests may leave; null where none waits. */
  async nextDue(account: string, destination: string): Promise<number | null> {
    const row = await rowOf(this.engine, NEXT_DUE, account, destination);
    return this.#until(row);
  }

  /** Counts queued requests that were accepted for another destination. */
  async countElsewhere(account: string, destination: string): Promise<number> {
    const row = await rowOf(this.engine, ELSEWHERE, account, destination);
    return Number(row?.count ?? 0);
  }

  /** Looks again at what waits for a rule of the account, which may be another one now. @returns number of requests */
  lookAgain(account: string): Promise<number> {
    return changeInSlices(this.engine, LOOK_AGAIN, [account, this.clock.now()]);
  }

  /**
   * Lets no request wait longer than this from now on: for the start, and for a computer's clock that was set back. What was scheduled,
   * and what waits for a rule, keeps its time.
   * @param longest ms of the longest pause before another try
   * @returns number of requests that would have waited longer
   */
  limitDelays(account: string, longest: number): Promise<number> {
    return changeInSlices(this.engine, LIMIT_DELAYS, [account, this.clock.now() + longest]);
  }

  #until(row: Row | undefined): number | null {
    return row?.due == null ? null : Math.max(0, Number(row.due) - this.clock.now());
  }
}
