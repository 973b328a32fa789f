import type { Call, Engine } from "./engine/engine";
import { statement } from "./schema/statement";
import type { ReplyChannel } from "./waits/wait";

/** An inbound message, as far as it says when somebody last wrote. */
export interface NewContact {
  /** Key of its event, whose row the same operation writes. */
  readonly key: string;
  readonly channel: ReplyChannel;
  /** Application that it was written to; blank for SMS. */
  readonly application: string;
  /** Digits of the sender. */
  readonly number: string;
  /** Epoch ms; never in the future, or somebody would count as having just written for too long. */
  readonly at: number;
}

/** When people last wrote to an account, by channel and application. */
export interface ContactList {
  /**
   * @param application that they wrote to; blank for SMS
   * @param numbers digits
   * @returns epoch ms of the last message of those of the numbers of which one is known
   * @throws StoreError
   */
  lastInbound(
    channel: ReplyChannel,
    application: string,
    numbers: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}

/** Numbers of one operation. */
const PAGE = 1_000;

// Entries: key of the event, number, channel, application, at. A copy of an event that was here before says nothing new: inbound messages have
// no time of their own, so it would count as just written. People in the order of their rows: two processes that note the same ones must
// not wait for each other.
const NOTE = statement(
  "contacts_note",
  ({ each }) => `INSERT INTO contacts (account, number, channel, application, at)
    SELECT CAST(?2 AS text), n.number, n.channel, n.application, max(n.at)
    FROM (SELECT e.value ->> 0 AS event_key, e.value ->> 1 AS number, e.value ->> 2 AS channel,
        e.value ->> 3 AS application, CAST(e.value ->> 4 AS bigint) AS at FROM ${each("?1", "e")}) n
    WHERE (SELECT v.applied FROM events v WHERE v.account = ?2 AND v.event_key = n.event_key) = 0
    GROUP BY n.number, n.channel, n.application ORDER BY n.number, n.channel, n.application
    ON CONFLICT (account, number, channel, application) DO UPDATE SET at = excluded.at
      WHERE excluded.at > contacts.at`,
);

const LAST = statement(
  "contacts_last",
  (d) => `SELECT number, at FROM contacts WHERE account = ?2 AND channel = ?3 AND application = ?4
    AND number IN (SELECT ${d.text("e")} FROM ${d.each("?1", "e")})`,
);

const FORGET = statement(
  "contacts_forget",
  () => `DELETE FROM contacts WHERE (account, number, channel, application) IN (
      SELECT c.account, c.number, c.channel, c.application FROM contacts c WHERE c.at < ?1
      ORDER BY c.at LIMIT ?2) RETURNING number`,
);
const FORGET_NUMBER = statement(
  "contacts_forget_number",
  () => `DELETE FROM contacts WHERE (account, number, channel, application) IN (
      SELECT c.account, c.number, c.channel, c.application FROM contacts c WHERE c.number = ?1 LIMIT ?2) RETURNING number`,
);

/** One slice of those who last wrote before `before`, epoch ms. */
export const forgetContacts = (before: number, most: number): Call => ({
  statement: FORGET,
  values: [before, most],
});

/** One slice of what is known of a number. */
export const forgetContactsOf = (number: string, most: number): Call => ({
  statement: FORGET_NUMBER,
  values: [number, most],
});

/** Notes when people wrote. To be run after the rows of the events are written and before they are marked as applied. */
export function contactChanges(account: string, inbounds: readonly NewContact[]): Call {
  const entries = inbounds.map(({ key, number, channel, application, at }) => [
    key,
    number,
    channel,
    application,
    at,
  ]);
  return { statement: NOTE, values: [JSON.stringify(entries), account] };
}

/** When people last wrote to an account, in the store. */
export class Contacts implements ContactList {
  constructor(
    private readonly engine: Engine,
    private readonly account: string,
  ) {}

  async lastInbound(
    channel: ReplyChannel,
    application: string,
    numbers: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const last = new Map<string, number>();
    for (let at = 0; at < numbers.length; at += PAGE) {
      const page = JSON.stringify(numbers.slice(at, at + PAGE));
      const [rows = []] = await this.engine.run([
        { statement: LAST, values: [page, this.account, channel, application] },
      ]);
      for (const row of rows) {
        last.set(String(row.number), Number(row.at));
      }
    }
    return last;
  }
}
