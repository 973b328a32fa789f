import { forgetContacts, forgetContactsOf } from "./contacts";
import { forgetCodes } from "./codes";
import type { Clock } from "./engine/clock";
import type { Engine } from "./engine/engine";
import { forgetSpent } from "./guards/limits";
import { forgetKeys } from "./guards/once-keys";
import { type Statement, statement } from "./schema/statement";
import { SLICE, sliced } from "./engine/sliced";
import { forgetRepliesOf, forgetWaits } from "./waits/forget-waits";

/** What was deleted about a number. */
export interface Deleted {
  /** Entries of the number as a recipient. */
  readonly recipients: number;
  readonly events: number;
  /** Entries that are still on their way; they stay. Cancel or wait, then delete again. */
  readonly open: number;
}

/**
 * The statements that delete old jobs of which everything is done.
 * @param open condition on a request `o` that keeps its whole job, however old that is
 */
const oldJobs = (name: string, open: string) => {
  const old = `j.account = ?3 AND j.taken_at < ?1 AND j.sealed = 1`;
  const done = `NOT EXISTS (SELECT 1 FROM requests o WHERE o.job = j.id AND ${open})`;
  return [
    statement(
      `${name}_recipients`,
      () => `DELETE FROM recipients WHERE (request, place) IN (
      SELECT c.request, c.place FROM jobs j CROSS JOIN requests r CROSS JOIN recipients c
      WHERE ${old} AND r.job = j.id AND c.request = r.id AND ${done} LIMIT ?2) RETURNING place`,
    ),
    statement(
      `${name}_requests`,
      () => `DELETE FROM requests WHERE id IN (
      SELECT r.id FROM jobs j CROSS JOIN requests r WHERE ${old} AND r.job = j.id AND ${done}
        AND NOT EXISTS (SELECT 1 FROM recipients c WHERE c.request = r.id)
      LIMIT ?2) RETURNING id`,
    ),
    statement(
      `${name}_jobs`,
      () => `DELETE FROM jobs WHERE id IN (
      SELECT j.id FROM jobs j WHERE ${old}
        AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.job = j.id) LIMIT ?2) RETURNING id`,
    ),
  ];
};

/** Whether a wait still needs a request, so that events find it. @param chosen condition on a row `w` of `wait_recipients` */
const isAwaited = (chosen: string): string =>
  `EXISTS (SELECT 1 FROM wait_recipients w WHERE ${chosen} AND w.what IS NULL)`;

const OLD_JOBS = oldJobs("retention", `(o.state <> 'emitted' OR ${isAwaited("w.request = o.id")})`);

// Nobody is left whom a result could reach. What has not left stays: only a person may decide that it is never sent.
const REMOVED_JOBS = oldJobs(
  "retention_removed",
  "o.state <> 'emitted' AND (o.state <> 'settled' OR o.settled_at >= ?1)",
);

/** Every account, found by a look at the index for each of them, not for each row. */
const ACCOUNTS = statement(
  "retention_accounts",
  () => `WITH RECURSIVE job_accounts (account) AS (
      SELECT min(account) FROM jobs
      UNION ALL SELECT (SELECT min(j.account) FROM jobs j WHERE j.account > a.account) FROM job_accounts a
        WHERE a.account IS NOT NULL),
    event_accounts (account) AS (
      SELECT min(account) FROM events
      UNION ALL SELECT (SELECT min(v.account) FROM events v WHERE v.account > a.account) FROM event_accounts a
        WHERE a.account IS NOT NULL)
    SELECT account FROM job_accounts WHERE account IS NOT NULL
    UNION SELECT account FROM event_accounts WHERE account IS NOT NULL`,
);

const OLD_EVENTS = statement(
  "retention_events",
  () => `DELETE FROM events WHERE id IN (
      SELECT v.id FROM events v WHERE v.account = ?3 AND v.received_at < ?1
        AND (SELECT r.id FROM requests r WHERE r.id = v.request) IS NULL LIMIT ?2)
    RETURNING id`,
);

/** Whether a request `r` is done, so that nobody needs its recipient ?1 any more. */
const DONE = `r.state = 'emitted' AND NOT ${isAwaited("w.request = r.id AND w.number = ?1")}`;

const NUMBER_SNAPSHOTS = statement(
  "retention_number_snapshots",
  () => `UPDATE jobs SET snapshot = NULL WHERE snapshot IS NOT NULL AND id IN (
      SELECT r.job FROM recipients c JOIN requests r ON r.id = c.request WHERE c.number = ?1)
    AND NOT EXISTS (SELECT 1 FROM requests o WHERE o.job = jobs.id AND o.state <> 'emitted')`,
);

const NUMBER_TEXTS = statement(
  "retention_number_texts",
  () => `UPDATE requests SET content = NULL, answer = NULL, client_message_id = NULL
    WHERE state = 'emitted' AND id IN (
      SELECT c.request FROM recipients c WHERE c.number = ?1
        AND NOT ${isAwaited("w.request = c.request")}
        AND NOT EXISTS (SELECT 1 FROM recipients o WHERE o.request = c.request AND o.number <> ?1))`,
);

const NUMBER_RECIPIENTS = statement(
  "retention_number_recipients",
  () => `DELETE FROM recipients WHERE (request, place) IN (
      SELECT c.request, c.place FROM recipients c JOIN requests r ON r.id = c.request
      WHERE c.number = ?1 AND ${DONE} LIMIT ?2) RETURNING place`,
);

const NUMBER_EVENTS = statement(
  "retention_number_events",
  () => `DELETE FROM events WHERE id IN (
      SELECT v.id FROM events v WHERE v.number = ?1
        AND (SELECT r.id FROM requests r WHERE r.id = v.request AND NOT (${DONE})) IS NULL LIMIT ?2)
    RETURNING id`,
);

const NUMBER_KEYS = statement(
  "retention_number_keys",
  () => `DELETE FROM once_keys WHERE (account, once_key, number) IN (
      SELECT k.account, k.once_key, k.number FROM once_keys k WHERE k.number = ?1 AND k.outcome IS NOT NULL LIMIT ?2)
    RETURNING number`,
);

// Of a number only its codes: who has made or tried one is a keyed hash among the counters, which end after an hour.
const NUMBER_CODES = statement(
  "retention_number_codes",
  () => `DELETE FROM codes WHERE (account, purpose, number) IN (
      SELECT c.account, c.purpose, c.number FROM codes c WHERE c.number = ?1 LIMIT ?2)
    RETURNING number`,
);

const NUMBER_OPEN = statement(
  "retention_number_open",
  () => `SELECT count(*) AS open FROM recipients c JOIN requests r ON r.id = c.request
    WHERE c.number = ?1 AND NOT (${DONE})`,
);

/** ms for which counters of limits stay: longer than a day of any time zone. */
const COUNTERS = 3 * 86_400_000;

/** ms for which it is known when somebody wrote: a little more than WhatsApp's window of 24 hours. */
const CONTACTS = 25 * 3_600_000;

/** Deletes what nobody needs any more, in slices between which everything else goes on. */
export class Retention {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes one slice of what an account took longer ago than `age` ms and is done. What is still on its way stays.
   * @returns whether there may be more: call again, after a pause
   * @throws StoreError
   */
  deleteOld(account: string, age: number, most = SLICE): Promise<boolean> {
    return this.#deleteSlice(OLD_JOBS, account, age, most);
  }

  /**
   * The same for an account that the flows no longer have. Results that nobody has seen are deleted too, `age` ms after they
   * came; what has not left stays until somebody cancels it.
   * @returns whether there may be more: call again, after a pause
   * @throws StoreError
   */
  deleteRemoved(account: string, age: number, most = SLICE): Promise<boolean> {
    return this.#deleteSlice(REMOVED_JOBS, account, age, most);
  }

  /** Every account that has messages or events in the store, in the flows or not. @throws StoreError */
  async accounts(): Promise<readonly string[]> {
    const [rows = []] = await this.engine.run([{ statement: ACCOUNTS, values: [] }]);
    return rows.map(({ account }) => String(account));
  }

  async #deleteSlice(
    jobs: readonly Statement[],
    account: string,
    age: number,
    most: number,
  ): Promise<boolean> {
    const before = this.clock.now() - age;
    const now = this.clock.now();
    const changes = await this.engine.run([
      ...[...jobs, OLD_EVENTS].map((each) => ({ statement: each, values: [before, most, account] })),
      forgetKeys(now, most),
      forgetSpent(now - COUNTERS, most),
      ...forgetWaits(now, before, most, account),
      forgetContacts(now - CONTACTS, most),
      ...forgetCodes(now, most),
    ]);
    if (changes.some((rows) => rows.length > 0)) {
      await this.engine.tidy();
    }
    return changes.some((rows) => rows.length === most);
  }

  /** Deletes everything about a number but what is on its way. @param number digits @throws StoreError */
  async deleteNumber(number: string): Promise<Deleted> {
    await this.engine.run([
      { statement: NUMBER_SNAPSHOTS, values: [number] },
      { statement: NUMBER_TEXTS, values: [number] },
    ]);
    const all = (each: typeof NUMBER_EVENTS): Promise<number> =>
      sliced(async (most) => {
        const [rows = []] = await this.engine.run([{ statement: each, values: [number, most] }]);
        return rows.length;
      });
    // Events need the recipients no more, while the open ones are found by them.
    const events = await all(NUMBER_EVENTS);
    const recipients = await all(NUMBER_RECIPIENTS);
    await all(NUMBER_KEYS);
    for (const forget of [forgetRepliesOf, forgetContactsOf]) {
      await sliced(async (most) => {
        const [rows = []] = await this.engine.run([forget(number, most)]);
        return rows.length;
      });
    }
    await all(NUMBER_CODES);
    const [[row] = []] = await this.engine.run([{ statement: NUMBER_OPEN, values: [number] }]);
    await this.engine.tidy();
    return { recipients, events, open: Number(row?.open ?? 0) };
  }
}
