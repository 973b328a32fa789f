import type { Clock } from "../engine/clock";
import type { Call, Engine } from "../engine/engine";
import { call, rowsOfPages } from "../engine/query";
import { each, idOf, textsOf } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import type { FirstUse } from "./guard-calls";
import { recipientRows } from "./claimed";

/** A once key that is in use for a number. */
export interface OnceUse extends FirstUse {
  /** Digits. */
  readonly number: string;
  /** Of the content: see `Once.hash`. */
  readonly hash: string;
}

const FIND = statement("once_keys_find")`
    SELECT k.number, k.hash, k.at,
      coalesce((SELECT f.outcome FROM messages f WHERE f.id = k.request), k.outcome) AS outcome
    FROM once_keys k WHERE k.account = ?2 AND k.once_key = ?3 AND k.until > ?4
      AND k.number IN (${textsOf("?1")})`;

// ?1 ids of requests that are settled.
const NOTE = statement("once_keys_note")`
    UPDATE once_keys SET outcome = (SELECT f.outcome FROM messages f WHERE f.id = once_keys.request)
    WHERE (number, account, once_key, request) IN (
      SELECT q.number, q.scope, q.idempotency_key, q.request
      FROM (${recipientRows(each("?1"), idOf(), "p.idempotency_key IS NOT NULL")}) q)`;

const KEY = "account, once_key, number";
/** Deletes a slice of the keys that are no longer in use at ?1, epoch ms. */
export const FORGET_KEYS = deleteSlice(
  "once_keys_forget",
  "once_keys",
  KEY,
  "o.until <= ?1 ORDER BY o.until",
);
/** Those of a number whose messages have ended. */
export const KEYS_OF_NUMBER = deleteSlice(
  "once_keys_forget_number",
  "once_keys",
  KEY,
  "o.number = ?1 AND o.outcome IS NOT NULL",
);

/** Writes how settled messages ended that hold once keys: a key outlives its request in the history. */
export const noteKeys = (requests: readonly number[]): Call => call(NOTE, JSON.stringify(requests));

/** The once keys of an account in the store. */
export class OnceKeys {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly scope: string,
  ) {}

  /** The uses of a key for those of the numbers for which it is in use. @throws StoreError */
  find(key: string, numbers: readonly string[]): Promise<readonly OnceUse[]> {
    return rowsOfPages<OnceUse>(this.engine, FIND, numbers, this.scope, key, this.clock.now());
  }
}
