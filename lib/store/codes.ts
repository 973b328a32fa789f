import { randomBytes } from "node:crypto";
import type { Clock } from "./engine/clock";
import type { Call, Engine } from "./engine/engine";
import { call, rowOf, rowsOf } from "./engine/query";
import { each, placeOf } from "./schema/sql";
import { deleteSlice, statement } from "./schema/statement";

/** What a one-time code is for. */
export interface CodePlace {
  /** What the code proves, such as `login`. */
  readonly purpose: string;
  /** Digits. */
  readonly number: string;
}

/** A code that somebody may type, as a keyed hash. The code itself is stored nowhere. */
export interface NewCode extends CodePlace {
  readonly hash: string;
  /** ms for which it is valid. */
  readonly validFor: number;
  /** Wrong codes after which it is worth nothing. */
  readonly most: number;
}

/** Somebody whose actions are counted. */
export interface Counted {
  readonly what: "caller" | "number";
  /** A keyed hash. */
  readonly who: string;
  /** Actions in an hour. */
  readonly most: number;
}

/** What a try has found. Only of a code that is valid the hash is known, and then the try is counted already. */
export type CodeTry =
  | { readonly state: "valid"; readonly hash: string; readonly triesLeft: number }
  | { readonly state: "expired" | "too-many" | "none" };

/** Bytes of a key. */
export const KEY_SIZE = 32;

/** ms of one counter, and in which actions are limited. */
export const COUNTER = 600_000;
export const HOUR = 3_600_000;

/** Counters that an hour touches, the present one included, and the next one, which a process whose clock is ahead may have begun. */
const COUNTERS = HOUR / COUNTER + 2;

/** When the present counter began. @param now epoch ms */
export const counterAt = (now: number): number => now - (now % COUNTER);

// Entries: what, who, limit. Their counters stay locked until the end of the operation, so that those who count for somebody at the
// same time
// follow each other, also where the next counter begins. Always in the same order: nobody waits for each other.
const LOCK = statement("codes_lock")`
    INSERT INTO code_counts (account, what, who, starts, count)
    SELECT CAST(?1 AS text), e.value ->> 0, e.value ->> 1, s.starts, 0
    FROM ${each("?2")} CROSS JOIN (SELECT CAST(?3 AS bigint) - ${COUNTER} AS starts UNION ALL SELECT CAST(?3 AS bigint)) s
    WHERE true ORDER BY ${placeOf()}, s.starts
    ON CONFLICT (account, what, who, starts) DO UPDATE SET count = code_counts.count`;

const inAnHour = Array.from(
  { length: COUNTERS },
  (_, back) => `CAST(?3 AS bigint) + ${(1 - back) * COUNTER}`,
).join(", ");

const COUNT = statement("codes_count")`
    UPDATE code_counts SET count = count + 1
    WHERE account = ?1 AND starts = CAST(?3 AS bigint)
      AND (what, who) IN (SELECT e.value ->> 0, e.value ->> 1 FROM ${each("?2")})
      AND NOT EXISTS (SELECT 1 FROM ${each("?2", "l")} WHERE CAST(l.value ->> 2 AS bigint) <= (
        SELECT coalesce(sum(k.count), 0) FROM code_counts k
        WHERE k.starts IN (${inAnHour}) AND k.account = ?1 AND k.what = l.value ->> 0 AND k.who = l.value ->> 1))
    RETURNING what`;

const MAKE_KEY = statement("codes_make_key")`
    INSERT INTO code_keys (account, code_key) VALUES (?1, ?2) ON CONFLICT (account) DO NOTHING`;
const READ_KEY = statement("codes_key")`SELECT code_key FROM code_keys WHERE account = ?1`;

const PUT = statement("codes_put")`
    INSERT INTO codes (account, purpose, number, hash, made_at, until, tries, most)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7)
    ON CONFLICT (account, purpose, number) DO UPDATE SET hash = excluded.hash, made_at = excluded.made_at,
      until = excluded.until, tries = 0, most = excluded.most`;

const IS_PLACE = "account = ?1 AND purpose = ?2 AND number = ?3";

const TRY = statement("codes_try")`
    UPDATE codes SET tries = tries + 1 WHERE ${IS_PLACE} AND tries < most AND until > ?4
    RETURNING hash, most - tries AS tries_left`;

const STATE = statement("codes_state")`SELECT until FROM codes WHERE ${IS_PLACE}`;

const USE = statement("codes_use")`
    DELETE FROM codes WHERE ${IS_PLACE} AND hash = ?4 AND until > ?5 RETURNING number`;

const KEY = "account, purpose, number";
const FORGET = deleteSlice("codes_forget", "codes", KEY, "o.until <= ?1 ORDER BY o.until");
const FORGET_COUNTS = deleteSlice(
  "codes_forget_counts",
  "code_counts",
  "account, what, who, starts",
  "o.starts < ?1 ORDER BY o.starts",
);
// Who has made or tried a code is a keyed hash among the counters, which end after an hour.
export const CODES_OF_NUMBER = deleteSlice("codes_forget_number", "codes", KEY, "o.number = ?1");

/**
 * Deletes codes that ended an hour before `now` (epoch ms), so that a late check still hears that its code has expired, and counters that no
 * limit needs any more. A slice of each. Two calls.
 */
export const forgetCodes = (now: number, most: number): readonly Call[] => [
  call(FORGET, now - HOUR, most),
  call(FORGET_COUNTS, counterAt(now) - HOUR - COUNTER, most),
];

/** The one-time codes of an account in the store. */
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
   * Counts one action for each of them, where none of them has reached what it may do in an hour; else for none. An hour is the last
   * 60 to 70 minutes: counts are kept by ten minutes.
   * @returns whether it was counted
   */
  async count(counted: readonly Counted[]): Promise<boolean> {
    if (counted.length === 0) {
      return true;
    }
    const entries = counted
      .toSorted((a, b) => (a.what < b.what ? -1 : 1))
      .map(({ what, who, most }) => [what, who, most]);
    const values = [this.scope, JSON.stringify(entries), counterAt(this.clock.now())];
    const [, rows = []] = await this.engine.run([call(LOCK, ...values), call(COUNT, ...values)]);
    return rows.length > 0;
  }

  /** Replaces the code of the purpose and number. @returns epoch ms from which it is not valid any more */
  async put({ purpose, number, hash, validFor, most }: NewCode): Promise<number> {
    const now = this.clock.now();
    const until = now + validFor;
    await this.engine.run([call(PUT, this.scope, purpose, number, hash, now, until, most)]);
    return until;
  }

  /** Counts a try, before anybody can compare. */
  async try({ purpose, number }: CodePlace): Promise<CodeTry> {
    const place = [this.scope, purpose, number];
    const now = this.clock.now();
    const [[tried] = [], [found] = []] = await this.engine.run([
      call(TRY, ...place, now),
      call(STATE, ...place),
    ]);
    if (tried !== undefined) {
      return { state: "valid", hash: String(tried.hash), triesLeft: Number(tried.tries_left) };
    }
    return { state: found === undefined ? "none" : Number(found.until) <= now ? "expired" : "too-many" };
  }

  /** Takes a code that was right out of the store. @returns false where another call was faster, or there is a new one */
  async use({ purpose, number }: CodePlace, hash: string): Promise<boolean> {
    const rows = await rowsOf(this.engine, USE, this.scope, purpose, number, hash, this.clock.now());
    return rows.length > 0;
  }
}
