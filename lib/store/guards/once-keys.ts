import type { Outcome } from "../../shared/outcomes";
import type { Clock } from "../engine/clock";
import type { Call, Engine } from "../engine/engine";
import { statement } from "../schema/statement";
import { keysOf } from "./claimed";
import type { FirstUse } from "./guard-calls";

/** A once key that is in use for a number. */
export interface OnceUse extends FirstUse {
  /** Digits. */
  readonly number: string;
  /** Of the content: see `Once.hash`. */
  readonly hash: string;
}

/** The once keys of an account, to look at. A request takes them as it leaves. */
export interface OnceKeyList {
  /** The uses of a key for those of the numbers for which it is in use. @throws StoreError */
  find(key: string, numbers: readonly string[]): Promise<readonly OnceUse[]>;
}

/** Numbers of one operation. */
const PAGE = 1_000;

const FIND = statement(
  "once_keys_find",
  (d) => `SELECT k.number, k.hash, k.at,
      coalesce((SELECT f.outcome FROM requests f WHERE f.id = k.request), k.outcome) AS outcome
    FROM once_keys k WHERE k.account = ?2 AND k.once_key = ?3 AND k.until > ?4
      AND k.number IN (SELECT ${d.text("e")} FROM ${d.each("?1", "e")})`,
);

// Entries: ids of requests that are settled.
const NOTE = statement(
  "once_keys_note",
  (d) => `UPDATE once_keys SET outcome = (SELECT f.outcome FROM requests f WHERE f.id = once_keys.request)
    WHERE (number, account, once_key, request) IN (${keysOf(d)})`,
);

const FORGET = statement(
  "once_keys_forget",
  () => `DELETE FROM once_keys WHERE (account, once_key, number) IN (
      SELECT k.account, k.once_key, k.number FROM once_keys k WHERE k.until <= ?1 ORDER BY k.until LIMIT ?2)
    RETURNING number`,
);

/** Writes how settled messages ended that hold once keys: a key outlives its request in the history. */
export const noteKeys = (requests: readonly number[]): Call => ({
  statement: NOTE,
  values: [JSON.stringify(requests)],
});

/** Deletes keys that are no longer in use at `now` (epoch ms), a slice of them. */
export const forgetKeys = (now: number, most: number): Call => ({ statement: FORGET, values: [now, most] });

/** The once keys of an account in the store. */
export class OnceKeys implements OnceKeyList {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly account: string,
  ) {}

  async find(key: string, numbers: readonly string[]): Promise<readonly OnceUse[]> {
    const found: OnceUse[] = [];
    for (let at = 0; at < numbers.length; at += PAGE) {
      const page = JSON.stringify(numbers.slice(at, at + PAGE));
      const [rows = []] = await this.engine.run([
        { statement: FIND, values: [page, this.account, key, this.clock.now()] },
      ]);
      for (const row of rows) {
        const { number, hash, outcome } = row;
        found.push({
          number: String(number),
          hash: String(hash),
          at: Number(row.at),
          outcome: outcome as Outcome | null,
        });
      }
    }
    return found;
  }
}
