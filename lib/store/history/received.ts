import type { Engine } from "../engine/engine";
import { call } from "../engine/query";
import { isPerson } from "../schema/person";
import { getScope } from "../schema/scope";
import { statement } from "../schema/statement";

export interface ReceivedFilter {
  readonly account: string;
  /** Digits of the sender. */
  readonly number?: string;
  /** Last digits of the sender. */
  readonly numberEnd?: string;
  /** Epoch ms. */
  readonly from?: number;
  readonly to?: number;
}

/** Continues a search behind an event. */
export type ReceivedCursor = readonly [receivedAt: number, event: number];

/** A message that a person wrote. */
export interface ReceivedMessage {
  readonly event: number;
  /** Epoch ms. */
  readonly receivedAt: number;
  /** Digits; null for a messenger without phone numbers. */
  readonly number: string | null;
  readonly simulated: boolean;
  /** The start of the event as JSON; null if texts were not stored. */
  readonly body: string | null;
}

/** Events that are compared with the end of a number. */
const MAX_COMPARED = 10_000;
/** Characters of an event that tell its channel. */
const MAX_BODY = 2_000;

/** ?1 live scope, ?2 simulated scope, ?3 from, ?4 to, ?5 and ?6 cursor, ?7 events to compare, ?8 end of the number, ?9 rows, ?10 number */
const select = (name: string, ofNumber: string) => {
  const arm = (scope: string): string => `SELECT * FROM (
      SELECT id AS event, account, number, received_at AS "receivedAt", substr(body, 1, ${MAX_BODY}) AS body FROM events
      WHERE account = ${scope} AND kind = 'inbound'${ofNumber}
        AND received_at >= ?3 AND received_at < ?4 AND (received_at, id) < (?5, ?6)
      ORDER BY received_at DESC, id DESC LIMIT ?7) s`;
  return statement(name)`SELECT w.event, w.number, w."receivedAt", w.body,
      CASE WHEN w.account = ?2 THEN 1 ELSE 0 END AS simulated
    FROM (${arm("?1")} UNION ALL ${arm("?2")}) w
    WHERE coalesce(w.number, '') LIKE '%' || CAST(?8 AS text)
    ORDER BY w."receivedAt" DESC, w.event DESC LIMIT ?9`;
};

const RECEIVED = select("history_received", "");
const RECEIVED_FROM = select("history_received_from", ` AND ${isPerson("number", "?10")}`);

/**
 * Searches messages that people wrote, the newest first.
 * @param after cursor of the last message of the page before; null for the first page
 * @throws StoreError
 */
export async function searchReceived(
  engine: Engine,
  { account, number, numberEnd = "", from = 0, to = Number.MAX_SAFE_INTEGER }: ReceivedFilter,
  after: ReceivedCursor | null,
  max: number,
): Promise<readonly ReceivedMessage[]> {
  const [time, event] = after ?? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const compared = numberEnd === "" ? max : MAX_COMPARED;
  const scopes = [getScope(account, false), getScope(account, true)] as const;
  const values = [...scopes, from, to, time, event, compared, numberEnd, max] as const;
  const asked = number === undefined ? call(RECEIVED, ...values) : call(RECEIVED_FROM, ...values, number);
  const [rows = []] = await engine.read([asked]);
  return rows.map((row) => ({
    ...(row as unknown as Omit<ReceivedMessage, "simulated">),
    simulated: Number(row.simulated) === 1,
  }));
}

export const receivedCursor = ({ receivedAt, event }: ReceivedMessage): ReceivedCursor => [receivedAt, event];
