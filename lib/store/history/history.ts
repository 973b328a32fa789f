import { Turns } from "../../shared/async/turns";
import type { ShownOutcome } from "../../shared/outcomes";
import type { Row, Value } from "../engine/engine";
import { call } from "../engine/query";
import { Repository } from "../engine/repository";
import { type ConversationFilter, type ConversationFound, readConversation } from "./conversation";
import {
  entriesOf,
  type HistoryCursor,
  type HistoryEntry,
  type HistoryFilter,
  type HistoryFound,
  type HistoryTallies,
  searchHistory,
  shownOutcomeOf,
  tallyHistory,
  toEntry,
} from "./history-search";
import { each, idOf, sql } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";

export type { HistoryCursor, HistoryEntry, HistoryFilter, HistoryFound } from "./history-search";

/** Recipients that have the same outcome and the same status so far. */
export interface HistoryCount {
  readonly channel: string;
  /** null for what is still on its way. */
  readonly outcome: ShownOutcome | null;
  readonly delivery: string | null;
  readonly count: number;
}

/** What is counted. */
export interface HistoryPeriod {
  readonly account: string;
  /** Epoch ms at which the messages were taken: from this one on, and up to, without, this one. */
  readonly from: number;
  readonly to: number;
  readonly node?: string;
}

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
  entriesOf(
    (columns) => `SELECT ${columns} FROM requests r CROSS JOIN jobs j CROSS JOIN recipients c
    WHERE r.id = ?1 AND j.id = r.job AND j.account = ?3 AND c.request = r.id AND c.place = ?2`,
  ),
);

// Events of one recipient: of its number, and where it is the only one, of any number or none.
const EVENTS_OF_RECIPIENT = statement("history_events_of_recipient")`
    SELECT v.kind, v.number, v.status, v.at, v.received_at AS "receivedAt", v.body FROM events v
    WHERE v.request = ?1 AND (
      v.number = (SELECT c.number FROM recipients c WHERE c.request = ?1 AND c.place = ?2)
      OR NOT EXISTS (SELECT 1 FROM recipients o WHERE o.request = ?1 AND o.place <> ?2))
    ORDER BY v.at, v.id LIMIT ?3`;

const REPLIES = statement("history_replies")`
    SELECT kind, number, status, at, received_at AS "receivedAt", body FROM events
    WHERE number = ?1 AND account = ?2 AND kind = 'inbound' AND received_at >= ?3 ORDER BY received_at, id LIMIT ?4`;

/** A message of a person after a message to that person, and before the next one. */
const REPLIED = statement("history_replied")`
    SELECT 1 AS replied FROM events v
    WHERE v.number = ?1 AND v.account = ?2 AND v.kind = 'inbound' AND v.received_at >= ?3 AND v.received_at < coalesce(
      (SELECT j.taken_at FROM (SELECT request FROM recipients WHERE number = ?1 AND request > ?4 ORDER BY request LIMIT 500) c
          CROSS JOIN requests r CROSS JOIN jobs j
        WHERE r.id = c.request AND j.id = r.job AND j.account = ?2 AND j.taken_at > ?3
        ORDER BY c.request LIMIT 1), 9007199254740991)
    LIMIT 1`;

/** Recipients of each of several requests. Of those that were deleted for a person most are counted: places are not given again. */
const SIZES = statement(
  "history_sizes",
  sql`SELECT ${idOf()} AS request, (SELECT max(c.place) + 1 FROM recipients c WHERE c.request = ${idOf()}) AS size
    FROM ${each("?1")}`,
);

/** Recipients that one page of a count aims at: the database does nothing else meanwhile. */
const COUNT_PAGE = 10_000;
/** Requests of the first page, which may have a thousand recipients each, and of any page. */
const [FIRST_COUNTED, MOST_COUNTED] = [10, 100];

/** Counts the requests of a page. One whose recipients were deleted counts 0, but the page has passed it. */
const countText = (requests: string): string => `SELECT p.channel, p.outcome, c.delivery,
    count(c.request) AS count, max(p.part) AS part
  FROM (${requests}) p LEFT JOIN recipients c ON c.request = p.request
  GROUP BY p.channel, p.outcome, c.delivery`;

/** Requests of the jobs of a period after a job, oldest first. */
const NEXT_COUNTED = `SELECT j.taken_at, j.id AS job, r.part, r.id AS request, j.channel, ${shownOutcomeOf("r")} AS outcome
  FROM jobs j CROSS JOIN requests r
  WHERE r.job = j.id AND j.account = ?1 AND j.taken_at >= ?2 AND j.taken_at < ?3 AND (j.taken_at, j.id) > (?2, ?5)
    AND (CAST(?4 AS text) IS NULL OR j.node = ?4)
  ORDER BY j.taken_at, j.id, r.part LIMIT ?6`;

const COUNT_NEXT = statement("history_count_next", countText(NEXT_COUNTED));
const COUNT_END = statement("history_count_end")`
    SELECT p.taken_at, p.job, p.part FROM (${NEXT_COUNTED}) p
    ORDER BY p.taken_at DESC, p.job DESC, p.part DESC LIMIT 1`;

/** Further requests of a job of which a page has had some. */
const COUNT_REST = statement(
  "history_count_rest",
  countText(`SELECT r.part, r.id AS request, j.channel, ${shownOutcomeOf("r")} AS outcome FROM jobs j CROSS JOIN requests r
    WHERE j.id = ?1 AND r.job = j.id AND r.part > ?2 ORDER BY r.part LIMIT ?3`),
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

  /** Counts what a search finds, by outcome. @param most where there are more, only so many are counted, and looked at */
  tally(filter: HistoryFilter, most: number): Promise<HistoryTallies> {
    return tallyHistory(this.engine, filter, most);
  }

  /** One recipient of one request; null where it is not there or belongs to another account. */
  async find(account: string, request: number, place: number): Promise<HistoryEntry | null> {
    const [row] = await this.#read(FIND, request, place, account);
    return row === undefined ? null : toEntry(row);
  }

  /**
   * Counts the recipients of a period by channel, outcome and delivery. The database counts page by page, so that messages are
   * sent meanwhile; what happens to a message that is counted already does not show.
   */
  async count({ account, from, to, node }: HistoryPeriod): Promise<readonly HistoryCount[]> {
    const counts = new Map<string, HistoryCount>();
    let most = FIRST_COUNTED;
    const add = (rows: readonly Row[]): void => {
      let added = 0;
      for (const { channel, outcome, delivery, count } of rows as unknown as readonly HistoryCount[]) {
        const key = JSON.stringify([channel, outcome, delivery]);
        if (count > 0) {
          counts.set(key, { channel, outcome, delivery, count: count + (counts.get(key)?.count ?? 0) });
        }
        added += count;
      }
      const fitting = Math.floor((most * COUNT_PAGE) / Math.max(added, 1));
      most = Math.max(1, Math.min(fitting, 2 * most, MOST_COUNTED));
    };
    let [time, job] = [from, -1];
    for (;;) {
      const values: Value[] = [account, time, to, node ?? null, job, most];
      const [next = [], [end] = []] = await this.engine.read([
        call(COUNT_NEXT, ...values),
        call(COUNT_END, ...values),
      ]);
      add(next);
      if (end === undefined) {
        return [...counts.values()];
      }
      [time, job] = [Number(end.taken_at), Number(end.job)];
      // The page may have ended within a job.
      let part = Number(end.part);
      for (let rest = await this.#read(COUNT_REST, job, part, most); rest.length > 0; ) {
        add(rest);
        part = Math.max(...rest.map((row) => Number(row.part)));
        rest = await this.#read(COUNT_REST, job, part, most);
      }
    }
  }

  /** Events of one recipient of a request, by their time. @param place of the recipient in the request */
  recipientEvents(request: number, place: number, most: number): Promise<readonly HistoryEvent[]> {
    return this.#read<HistoryEvent>(EVENTS_OF_RECIPIENT, request, place, most);
  }

  /** Of each message whether its recipient wrote after it, and before the next message to that number. */
  async replied(entries: readonly HistoryEntry[]): Promise<readonly boolean[]> {
    const asked = entries.map(({ number, account, takenAt, request }) =>
      call(REPLIED, number, account, takenAt, request),
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
