import type { Clock } from "./engine/clock";
import type { Engine } from "./engine/engine";
import { sliced } from "./engine/sliced";
import type { Dialect } from "./schema/dialect";
import { isStill } from "./schema/is-still";
import { type Statement, statement } from "./schema/statement";

/** Requests of an account on their way. */
export interface QueueCounts {
  /** May leave now. */
  readonly ready: number;
  /** Wait for their time. */
  readonly waiting: number;
  readonly held: number;
  /** Their node does not exist. */
  readonly parked: number;
  readonly leaving: number;
  readonly settled: number;
  /** ms from now until the first waiting one may leave; null without one. */
  readonly nextDue: number | null;
}

const COUNTS = statement(
  "requests_counts",
  () => `SELECT
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'queued' AND due IS NULL) AS ready,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'queued' AND due IS NOT NULL) AS waiting,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'held') AS held,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'parked') AS parked,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'leaving') AS leaving,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'settled') AS settled,
    (SELECT min(due) FROM requests WHERE account = ?1 AND state = 'queued' AND due IS NOT NULL) AS next_due`,
);

const NEXT_DUE = statement(
  "requests_next_due",
  () => "SELECT min(due) AS due FROM requests WHERE account = ?1 AND state = 'queued' AND due IS NOT NULL",
);

/** Those that wait for something else than the time that they were scheduled for. What is changed is none of them any more. */
const shorten = (
  d: Dialect,
  postponed: 0 | 1,
): string => `UPDATE requests SET due = ${d.greatest("?2", "coalesce(scheduled, 0)")}
    WHERE id ${d.chosen(`
      SELECT r.id FROM requests r WHERE r.account = ?1 AND r.postponed = ${postponed} AND r.state = 'queued'
        AND r.due IS NOT NULL AND r.due > ?2 AND r.due > coalesce(r.scheduled, 0)
      ORDER BY r.due LIMIT ?3`)} AND ${isStill("queued")} RETURNING id`;

const LIMIT_DELAYS = statement("requests_limit_delays", (d) => shorten(d, 0));

const LOOK_AGAIN = statement("requests_look_again", (d) => shorten(d, 1));

/** The requests of an account that wait or are on their way, all together. */
export class Backlog {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  /** @throws StoreError */
  async counts(account: string): Promise<QueueCounts> {
    const [[row] = []] = await this.engine.run([{ statement: COUNTS, values: [account] }]);
    const count = (name: string): number => Number(row?.[name] ?? 0);
    return {
      ready: count("ready"),
      waiting: count("waiting"),
      held: count("held"),
      parked: count("parked"),
      leaving: count("leaving"),
      settled: count("settled"),
      nextDue: row?.next_due == null ? null : Math.max(0, Number(row.next_due) - this.clock.now()),
    };
  }

  /** ms from now until the first of the waiting requests may leave; null where none waits. @throws StoreError */
  async nextDue(account: string): Promise<number | null> {
    const [[row] = []] = await this.engine.run([{ statement: NEXT_DUE, values: [account] }]);
    return row?.due == null ? null : Math.max(0, Number(row.due) - this.clock.now());
  }

  /**
   * Looks again at what waits for a rule of the account, which may be another one now.
   * @returns number of requests
   * @throws StoreError
   */
  lookAgain(account: string): Promise<number> {
    return this.#shorten(LOOK_AGAIN, account, this.clock.now());
  }

  /**
   * Lets no request wait longer than this from now on: for the start, and for a computer's clock that was set back, after which
   * the times of waiting requests are too far ahead.
   * What was scheduled, and what waits for a rule, keeps its time.
   * @param longest ms of the longest pause before another try
   * @returns number of requests that would have waited longer
   * @throws StoreError
   */
  limitDelays(account: string, longest: number): Promise<number> {
    return this.#shorten(LIMIT_DELAYS, account, this.clock.now() + longest);
  }

  #shorten(change: Statement, account: string, latest: number): Promise<number> {
    return sliced(async (most) => {
      const [rows = []] = await this.engine.run([{ statement: change, values: [account, latest, most] }]);
      return rows.length;
    });
  }
}
