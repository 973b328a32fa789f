import type { Call, Engine } from "../engine/engine";
import { call, rowsOfPages } from "../engine/query";
import { each, textsOf } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import type { ReplyChannel } from "../waits/wait";

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

// Entries: key of the event, number, channel, application, at. A copy of an event that was here before says nothing new: inbound
// messages have
// no time of their own, so it would count as just written. People in the order of their rows: two processes that note the same ones must
// not wait for each other.
const NOTE = statement("contacts_note")`
    INSERT INTO contacts (account, number, channel, application, at)
    SELECT CAST(?2 AS text), n.number, n.channel, n.application, max(n.at)
    FROM (SELECT e.value ->> 0 AS event_key, e.value ->> 1 AS number, e.value ->> 2 AS channel,
        e.value ->> 3 AS application, CAST(e.value ->> 4 AS bigint) AS at FROM ${each("?1")}) n
    WHERE (SELECT v.applied FROM events v WHERE v.account = ?2 AND v.event_key = n.event_key) = 0
    GROUP BY n.number, n.channel, n.application ORDER BY n.number, n.channel, n.application
    ON CONFLICT (account, number, channel, application) DO UPDATE SET at = excluded.at
      WHERE excluded.at > contacts.at`;

const LAST = statement("contacts_last")`
    SELECT number, at FROM contacts WHERE account = ?2 AND channel = ?3 AND application = ?4
    AND number IN (${textsOf("?1")})`;

const KEY = "account, number, channel, application";
/** Deletes a slice of those who last wrote before ?1, epoch ms. */
export const FORGET_CONTACTS = deleteSlice("contacts_forget", "contacts", KEY, "o.at < ?1 ORDER BY o.at");
export const CONTACTS_OF_NUMBER = deleteSlice("contacts_forget_number", "contacts", KEY, "o.number = ?1");

/** Notes when people wrote. To be run after the rows of the events are written and before they are marked as applied. */
export function contactChanges(account: string, inbounds: readonly NewContact[]): Call {
  const fields = ["key", "number", "channel", "application", "at"] as const;
  const entries = inbounds.map((each) => fields.map((field) => each[field]));
  return call(NOTE, JSON.stringify(entries), account);
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
    const rows = await rowsOfPages(this.engine, LAST, numbers, this.account, channel, application);
    return new Map(rows.map(({ number, at }) => [String(number), Number(at)]));
  }
}
