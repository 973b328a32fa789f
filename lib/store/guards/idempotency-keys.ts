import type { Clock } from "../engine/clock";
import type { Call, Engine } from "../engine/engine";
import { call, rowsOfPages } from "../engine/query";
import { toPerson, withNumbers } from "../../shared/recipients/person";
import { personOf } from "../schema/person";
import { each, idOf, textsOf } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import type { FirstUse } from "./guard-calls";
import { recipientRows } from "./claimed";

/** The use of an idempotency key for a number. */
export interface KeyUse extends FirstUse {
  /** Digits. */
  readonly number: string;
  /** Of the content: see `Once.hash`. */
  readonly hash: string;
}

const FIND = statement("idempotency_keys_find")`
    SELECT k.number, k.content_hash AS hash, k.at,
      coalesce((SELECT f.outcome FROM messages f WHERE f.id = k.request), k.outcome) AS outcome
    FROM idempotency_keys k WHERE k.account = ?2 AND k.idempotency_key = ?3 AND k.until > ?4
      AND k.number IN (${textsOf("?1")})`;

// ?1 ids of requests that are settled.
const RECORD = statement("idempotency_keys_record")`
    UPDATE idempotency_keys SET outcome = (SELECT f.outcome FROM messages f WHERE f.id = idempotency_keys.request)
    WHERE (number, account, idempotency_key, request) IN (
      SELECT q.person, q.scope, q.idempotency_key, q.request
      FROM (${recipientRows(each("?1"), idOf(), "p.idempotency_key IS NOT NULL")}) q)`;

const KEY = "account, idempotency_key, number";
/** Deletes a slice of expired keys. ?1 epoch ms. */
export const DELETE_KEYS = deleteSlice(
  "idempotency_keys_delete",
  "idempotency_keys",
  KEY,
  "o.until <= ?1 ORDER BY o.until",
);
/** Those of a number whose messages have ended. */
export const KEYS_OF_NUMBER = deleteSlice(
  "idempotency_keys_delete_number",
  "idempotency_keys",
  KEY,
  `o.number = ${personOf("CAST(?1 AS text)")} AND o.outcome IS NOT NULL`,
);

/** Records outcomes of settled requests with keys: a key outlives its request in the history. */
export const noteKeys = (requests: readonly number[]): Call => call(RECORD, JSON.stringify(requests));

export class IdempotencyKeys {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly scope: string,
  ) {}

  /** The uses of a key for those of the numbers for which it is in use. @throws StoreError */
  async find(key: string, numbers: readonly string[]): Promise<readonly KeyUse[]> {
    const people = numbers.map(toPerson);
    const uses = await rowsOfPages<KeyUse>(this.engine, FIND, people, this.scope, key, this.clock.now());
    return withNumbers(uses, numbers);
  }
}
