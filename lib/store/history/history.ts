import { Turns } from "../../shared/async/turns";
import type { Row, Value } from "../engine/engine";
import { call } from "../engine/query";
import { Repository } from "../engine/repository";
import { type ConversationFilter, type ConversationFound, readConversation } from "./conversation";
import { columnsOf, ENTRY, type HistoryCursor, type HistoryEntry, toEntry } from "./history-entry";
import type { HistoryFilter } from "./history-filter";
import { type HistoryFound, type HistoryTallies, searchHistory, tallyHistory } from "./history-search";
import { type ReceivedCursor, type ReceivedFilter, type ReceivedMessage, searchReceived } from "./received";
import { isPerson, personOf } from "../schema/person";
import { each, idOf, lookUp, sql } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { getScope, isOfAccount } from "../schema/scope";

/** An event in the timeline of a message. */
export interface HistoryEvent {
  readonly kind: "report" | "status" | "inbound";
  readonly number: string | null;
  readonly status: string | null;
  /** Epoch ms by the event itself, and when it was received. */
  readonly at: number;
  readonly receivedAt: number;
  readonly body: string | null;
}

const FIND = statement(
  "history_find",
  sql`SELECT ${ENTRY} FROM (SELECT ${columnsOf("any")} FROM messages m LEFT JOIN recipients c ON c.request = m.id AND c.idx = ?2
      LEFT JOIN outbox o ON o.id = m.id
    WHERE m.id = ?1 AND m.account = ?3 AND (m.recipient IS NOT NULL OR c.request IS NOT NULL)) w WHERE w.place = ?2`,
);

// Events of one recipient of a list: of its number, and where it is the only one, of any number or none.
const EVENTS_OF_RECIPIENT = statement("history_events_of_recipient")`
    SELECT v.kind, v.number, v.status, v.at, v.received_at AS "receivedAt", v.body FROM events v
    WHERE v.request = ?1 AND (
      ${personOf("v.number")} = (SELECT ${personOf("c.recipient")} FROM recipients c WHERE c.request = ?1 AND c.idx = ?2)
      OR NOT EXISTS (SELECT 1 FROM recipients o WHERE o.request = ?1 AND o.idx <> ?2))
    ORDER BY v.at, v.id LIMIT ?3`;

const REPLIES = statement("history_replies")`
    SELECT kind, number, status, at, received_at AS "receivedAt", body FROM events
    WHERE ${isPerson("number", "?1")} AND ${isOfAccount("account", "?2")} AND kind = 'inbound' AND received_at >= ?3 ORDER BY received_at, id LIMIT ?4`;

/** A message of a person after a message to that person, and before the next one. */
const REPLIED = statement("history_replied")`
    SELECT 1 AS replied FROM events v
    WHERE ${isPerson("v.number", "?1")} AND v.account = ?5 AND v.kind = 'inbound' AND v.received_at >= ?3 AND v.received_at < coalesce(
      (SELECT min(n.accepted_at) FROM (
        SELECT x.id FROM (SELECT m.id FROM messages m WHERE ${isPerson("m.recipient", "?1")} AND m.id > ?4 ORDER BY m.id LIMIT 500) x
        UNION ALL
        SELECT y.id FROM (SELECT c.request AS id FROM recipients c WHERE ${isPerson("c.recipient", "?1")} AND c.request > ?4 ORDER BY c.request LIMIT 500) y
        ) l ${lookUp("messages", "n", "n.id = l.id")} WHERE n.account = ?2 AND n.accepted_at > ?3), 9007199254740991)
    LIMIT 1`;

/** Recipients of each of several requests. Of those that were deleted for a person most are counted: places are not given again. */
const SIZES = statement(
  "history_sizes",
  sql`SELECT ${idOf()} AS request, coalesce((SELECT max(c.idx) + 1 FROM recipients c WHERE c.request = ${idOf()}), 1) AS size
    FROM ${each("?1")}`,
);

/** Searches of one account that wait for each other, the one under way included. */
const MOST_SEARCHES = 20;

/**
 * Reads what became of messages. Every answer is a page, for there may be millions. All of it is read beside the thread or connection that
 * commits. Every call may throw StoreError.
 */
export class History extends Repository {
  /** Searches for people, who take turns. */
  readonly turns = new Turns(MOST_SEARCHES);

  /**
   * Searches until a page is full, the newest messages first; in those with an id, number or outcome that is not `sent`, the newest
   * requests. It may look at all messages for it.
   * @param after cursor of the last entry of the page before; null for the first page
   */
  async search(
    filter: HistoryFilter,
    after: HistoryCursor | null,
    most: number,
  ): Promise<readonly HistoryEntry[]> {
    return (await this.look(filter, after, most, Number.POSITIVE_INFINITY)).entries;
  }

  /**
   * Searches until a page is full, or a number of messages was looked at.
   * @param after `next` of the page before; null for the first page
   * @param budget messages to look at, at least about that
   */
  look(
    filter: HistoryFilter,
    after: HistoryCursor | null,
    most: number,
    budget: number,
  ): Promise<HistoryFound> {
    return searchHistory(this.engine, filter, after, most, budget);
  }

  /** Searches messages that people wrote, the newest first. @param after cursor of the last one of the page before; null for the first page */
  received(
    filter: ReceivedFilter,
    after: ReceivedCursor | null,
    max: number,
  ): Promise<readonly ReceivedMessage[]> {
    return searchReceived(this.engine, filter, after, max);
  }

  /** Counts what a search finds, by outcome. @param most where there are more, only so many are counted, and looked at */
  tally(filter: HistoryFilter, most: number): Promise<HistoryTallies> {
    return tallyHistory(this.engine, filter, most);
  }

  /** One recipient of one request; null where it is not there or belongs to another account. */
  async find(account: string, request: number, place: number): Promise<HistoryEntry | null> {
    const [row] = await this.#read(FIND, request, place, account);
    return row === undefined ? null : toEntry(row);
  }

  /** Events of one recipient of a request, by their time. @param place of the recipient in the request */
  recipientEvents(request: number, place: number, most: number): Promise<readonly HistoryEvent[]> {
    return this.#read<HistoryEvent>(EVENTS_OF_RECIPIENT, request, place, most);
  }

  /** Of each message whether its recipient wrote after it, and before the next message to that number. */
  async replied(entries: readonly HistoryEntry[]): Promise<readonly boolean[]> {
    const asked = entries.map(({ number, account, simulated, takenAt, request }) =>
      call(REPLIED, number, account, takenAt, request, getScope(account, simulated)),
    );
    const found = asked.length === 0 ? [] : await this.engine.read(asked);
    return entries.map((_entry, at) => (found[at]?.length ?? 0) > 0);
  }

  /** How many recipients the requests of entries have, by request. */
  async sizes(entries: readonly HistoryEntry[]): Promise<ReadonlyMap<number, number>> {
    const requests = [...new Set(entries.map(({ request }) => request))];
    const rows = requests.length === 0 ? [] : await this.#read(SIZES, JSON.stringify(requests));
    return new Map(rows.map(({ request, size }) => [Number(request), Number(size)]));
  }

  /** Inbound messages of a number since a time, in epoch ms. */
  replies(account: string, number: string, since: number, most: number): Promise<readonly HistoryEvent[]> {
    return this.#read<HistoryEvent>(REPLIES, number, account, since, most);
  }

  /** The newest messages of a person and to that person, on all channels, oldest first. */
  conversation(filter: ConversationFilter): Promise<ConversationFound> {
    return readConversation(this.engine, filter);
  }

  async #read<Result = Row>(each: Statement, ...values: readonly Value[]): Promise<readonly Result[]> {
    const [rows = []] = await this.engine.read([call(each, ...values)]);
    return rows as readonly Result[];
  }
}
