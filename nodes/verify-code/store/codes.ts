import { randomBytes } from "node:crypto";
import type { Clock } from "../../../lib/store/engine/clock";
import type { Call, Engine } from "../../../lib/store/engine/engine";
import { call, rowOf, rowsOf } from "../../../lib/store/engine/query";
import { personOf } from "../../../lib/store/schema/person";
import { each, placeOf } from "../../../lib/store/schema/sql";
import { deleteSlice, statement } from "../../../lib/store/schema/statement";

export interface CodeId {
  readonly purpose: string;
  /** Digits. */
  readonly number: string;
}

/** A code as a keyed hash. The code itself is not stored. */
export interface NewCode extends CodeId {
  readonly hash: string;
  /** ms for which it is valid. */
  readonly validFor: number;
  /** Wrong codes that invalidate it. */
  readonly most: number;
}

export interface Counted {
  readonly kind: "caller" | "number";
  readonly subject: string;
  readonly most: number;
}

/** Result of an attempt, which is counted. */
export type CodeTry =
  | { readonly state: "valid"; readonly hash: string; readonly triesLeft: number }
  | { readonly state: "expired" | "too-many" | "none" };

const KEY_SIZE = 32;

/** ms of one counter, and in which actions are limited. */
export const COUNTER = 600_000;
export const HOUR = 3_600_000;

/** Counters of an hour, and the next one, which a process with a fast clock may have started. */
const COUNTERS = HOUR / COUNTER + 2;

export const counterAt = (now: number): number => now - (now % COUNTER);

// Entries: kind, subject, limit. Locks their counters in one order, so that counts of a subject are serial.
const LOCK = statement("codes_lock")`
    INSERT INTO code_counts (account, kind, subject, starts, count)
    SELECT CAST(?1 AS text), e.value ->> 0, e.value ->> 1, s.starts, 0
    FROM ${each("?2")} CROSS JOIN (SELECT CAST(?3 AS bigint) - ${COUNTER} AS starts UNION ALL SELECT CAST(?3 AS bigint)) s
    WHERE true ORDER BY ${placeOf()}, s.starts
    ON CONFLICT (account, kind, subject, starts) DO UPDATE SET count = code_counts.count`;

const inAnHour = Array.from(
  { length: COUNTERS },
  (_, back) => `CAST(?3 AS bigint) + ${(1 - back) * COUNTER}`,
).join(", ");

const COUNT = statement("codes_count")`
    UPDATE code_counts SET count = count + 1
    WHERE account = ?1 AND starts = CAST(?3 AS bigint)
      AND (kind, subject) IN (SELECT e.value ->> 0, e.value ->> 1 FROM ${each("?2")})
      AND NOT EXISTS (SELECT 1 FROM ${each("?2", "l")} WHERE CAST(l.value ->> 2 AS bigint) <= (
        SELECT coalesce(sum(k.count), 0) FROM code_counts k
        WHERE k.starts IN (${inAnHour}) AND k.account = ?1 AND k.kind = l.value ->> 0 AND k.subject = l.value ->> 1))
    RETURNING kind`;

const MAKE_KEY = statement("codes_make_key")`
    INSERT INTO code_keys (account, code_key) VALUES (?1, ?2) ON CONFLICT (account) DO NOTHING`;
const READ_KEY = statement("codes_key")`SELECT code_key FROM code_keys WHERE account = ?1`;

const PUT = statement("codes_put")`
    INSERT INTO codes (account, purpose, number, hash, until, attempts, max_attempts)
    VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)
    ON CONFLICT (account, purpose, number) DO UPDATE SET hash = excluded.hash, until = excluded.until,
      attempts = 0, max_attempts = excluded.max_attempts`;

const IS_CODE = "account = ?1 AND purpose = ?2 AND number = ?3";

const TRY = statement("codes_try")`
    UPDATE codes SET attempts = attempts + 1 WHERE ${IS_CODE} AND attempts < max_attempts AND until > ?4
    RETURNING hash, max_attempts - attempts AS remaining`;

const STATE = statement("codes_state")`SELECT until FROM codes WHERE ${IS_CODE}`;

const USE = statement("codes_use")`
    DELETE FROM codes WHERE ${IS_CODE} AND hash = ?4 AND until > ?5 RETURNING number`;

const KEY = "account, purpose, number";
const DELETE = deleteSlice("codes_delete", "codes", KEY, "o.until <= ?1 ORDER BY o.until");
const DELETE_COUNTS = deleteSlice(
  "codes_delete_counts",
  "code_counts",
  "account, kind, subject, starts",
  "o.starts < ?1 ORDER BY o.starts",
);
export const CODES_OF_NUMBER = deleteSlice(
  "codes_delete_number",
  "codes",
  KEY,
  `o.number = ${personOf("CAST(?1 AS text)")}`,
);

/**
 * Deletes a slice of old counters, and of codes that expired an hour before `now` (epoch ms).
 */
export const deleteCodes = (now: number, most: number): readonly Call[] => [
  call(DELETE, now - HOUR, most),
  call(DELETE_COUNTS, counterAt(now) - HOUR - COUNTER, most),
];

export class Codes {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    readonly scope: string,
  ) {}

  /** The random key of its hashes: 32 bytes, the same in every process. */
  async key(): Promise<Buffer> {
    const made = randomBytes(KEY_SIZE).toString("base64url");
    const row =
      (await rowOf(this.engine, READ_KEY, this.scope)) ??
      (await this.engine.run([call(MAKE_KEY, this.scope, made), call(READ_KEY, this.scope)]))[1]?.[0];
    return Buffer.from(String(row?.code_key), "base64url");
  }

  /**
   * Counts one action for each subject, or for none if one has reached its limit of the last 60 to 70 minutes.
   * @returns whether it was counted
   */
  async count(counted: readonly Counted[]): Promise<boolean> {
    if (counted.length === 0) {
      return true;
    }
    const entries = counted
      .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
      .map(({ kind, subject, most }) => [kind, subject, most]);
    const values = [this.scope, JSON.stringify(entries), counterAt(this.clock.now())];
    const [, rows = []] = await this.engine.run([call(LOCK, ...values), call(COUNT, ...values)]);
    return rows.length > 0;
  }

  /** Replaces the code of the purpose and number. @returns epoch ms of its expiry */
  async put({ purpose, number, hash, validFor, most }: NewCode): Promise<number> {
    const until = this.clock.now() + validFor;
    await this.engine.run([call(PUT, this.scope, purpose, number, hash, until, most)]);
    return until;
  }

  /** Counts an attempt, before the comparison. */
  async try({ purpose, number }: CodeId): Promise<CodeTry> {
    const code = [this.scope, purpose, number];
    const now = this.clock.now();
    const [[tried] = [], [found] = []] = await this.engine.run([
      call(TRY, ...code, now),
      call(STATE, ...code),
    ]);
    if (tried !== undefined) {
      return { state: "valid", hash: String(tried.hash), triesLeft: Number(tried.remaining) };
    }
    return { state: found === undefined ? "none" : Number(found.until) <= now ? "expired" : "too-many" };
  }

  /** Deletes a right code. @returns false if another call was faster, or there is a new one */
  async use({ purpose, number }: CodeId, hash: string): Promise<boolean> {
    const rows = await rowsOf(this.engine, USE, this.scope, purpose, number, hash, this.clock.now());
    return rows.length > 0;
  }
}
