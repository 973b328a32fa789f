import type { Call, Engine } from "./engine/engine";
import { statement } from "./schema/statement";
import type { ReplyChannel } from "./waits/wait";

/** An inbound message, as far as it says when somebody last wrote. */
export interface NewContact {
  readonly channel: ReplyChannel;
  /** Application that it was written to; blank for SMS. */
  readonly application: string;
  /** Digits of the sender. */
  readonly number: string;
  /** Epoch ms; never in the future, or somebody would count as having just written for too long. */
  readonly at: number;
}

/** Numbers of one operation. */
const PAGE = 1_000;

// Entries: number, channel, application, at. An event that comes late or once more does not move the time back.
const NOTE = statement(
  "contacts_note",
  ({ each }) => `INSERT INTO contacts (account, number, channel, application, at)
    SELECT CAST(?2 AS text), e.value ->> 0, e.value ->> 1, e.value ->> 2, CAST(e.value ->> 3 AS bigint)
      FROM ${each("?1", "e")} WHERE true
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
      SELECT c.account, c.number, c.channel, c.application FROM contacts c WHERE c.at < ?1 LIMIT ?2) RETURNING number`,
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

const keyOf = ({ number, channel, application }: NewContact): string =>
  JSON.stringify([number, channel, application]);

/**
 * Notes when people wrote. Each of them once, the latest time, in the order of the numbers: a statement of PostgreSQL must not change a
 * row twice, and two processes that note the same people must not wait for each other.
 */
export function contactChanges(account: string, inbounds: readonly NewContact[]): Call {
  const latest = new Map<string, NewContact>();
  for (const inbound of inbounds) {
    const key = keyOf(inbound);
    const known = latest.get(key);
    if (known === undefined || known.at < inbound.at) {
      latest.set(key, inbound);
    }
  }
  const entries = [...latest]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { number, channel, application, at }]) => [number, channel, application, at]);
  return { statement: NOTE, values: [JSON.stringify(entries), account] };
}

/** When people last wrote to an account, by channel and application. */
export class Contacts {
  constructor(
    private readonly engine: Engine,
    private readonly account: string,
  ) {}

  /**
   * @param application that they wrote to; blank for SMS
   * @param numbers digits
   * @returns epoch ms of the last message of those of the numbers of which one is known
   * @throws StoreError
   */
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
