import type { ConversationMessage } from "../../shared/history/conversation-message";
import { MOST_LOOKED } from "../../shared/history/history";
import type { MessageRecord, TimelineStep } from "../../shared/history/message-record";
import type { History } from "../../store/history/history";
import type { HistoryEntry } from "../../store/history/history-entry";
import type { HistoryFilter } from "../../store/history/history-filter";
import { conversationMessage } from "../store/history/conversation";
import { messageRecord } from "../store/history/message-record";
import { readTimeline } from "../store/history/message-timeline";
import { countReport, type ReportStore } from "./count-report";
import { type LogReport, reportOf } from "./log-report";
import type { LogQuery } from "./log-query";

/** A record that was looked up by id or number has its timeline as well. */
export interface LogRecord extends MessageRecord {
  readonly timeline?: readonly TimelineStep[];
}

/** What the log says. */
export interface LogAnswer {
  /** Records, the newest message first; a conversation, the oldest first; a report. */
  readonly value: readonly LogRecord[] | readonly ConversationMessage[] | LogReport;
  /** Recipients that were found or counted; messages of a conversation. */
  readonly count: number;
  /** Of a search and a conversation: whether there are more than the limit, or may be behind those that were looked at; null for the other kinds. */
  readonly more: boolean | null;
}

/** Recipients of one message id. A request has up to a thousand, and an id of the flow may have been used again. */
const MOST_OF_ID = 2_000;

async function withTimelines(
  history: History,
  entries: readonly HistoryEntry[],
): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  // One after the other: a long list must not fill the queue of the database, which sends wait for.
  for (const entry of entries) {
    records.push({ ...messageRecord(entry), timeline: await readTimeline(history, entry) });
  }
  return records;
}

/** The filter without what is not asked for. */
const filterOf = (
  filter: {
    readonly [Key in keyof HistoryFilter]: HistoryFilter[Key] | undefined;
  },
): HistoryFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as HistoryFilter;

/** Messages with this id, which is the flow's or, where there is none of the flow, the service's. */
async function findById(history: History, account: string, id: string): Promise<readonly HistoryEntry[]> {
  const own = await history.search({ account, clientMessageId: id }, null, MOST_OF_ID);
  return own.length > 0 ? own : history.search({ account, transferId: id }, null, MOST_OF_ID);
}

/** Asks the log of an account. @param zone IANA name, of the days of a report @throws StoreError */
export async function answerQuery(place: ReportStore, query: LogQuery, zone: string): Promise<LogAnswer> {
  const { account, store } = place;
  const { history } = store;
  switch (query.kind) {
    case "id": {
      const value = await withTimelines(history, await findById(history, account, query.messageId));
      return { value, count: value.length, more: null };
    }
    case "number": {
      const { number, until } = query;
      // The end of a period does not belong to it.
      const filter = filterOf({ account, number, to: until === undefined ? undefined : until + 1 });
      const value = await withTimelines(history, await history.search(filter, null, 1));
      return { value, count: value.length, more: null };
    }
    case "search": {
      const { limit, number, name, outcome, node, from, to } = query;
      const filter = filterOf({ account, number, name, outcome, node, from, to });
      // No index has names: a search for one looks through as many messages as a page of the sidebar does, in turn with others.
      const { entries, next } =
        name === undefined
          ? { entries: await history.search(filter, null, limit + 1), next: null }
          : await history.turns.wait(() => history.look(filter, null, limit + 1, MOST_LOOKED));
      const value = entries.slice(0, limit).map(messageRecord);
      return { value, count: value.length, more: entries.length > limit || next !== null };
    }
    case "report": {
      const { from = null, to, step } = query;
      const value = reportOf(await countReport(place, { ...query, from, to, step }, zone));
      return { value, count: value.messages, more: null };
    }
    case "conversation": {
      const { number, from: since = 0, limit } = query;
      const asked = { account, number, since, most: limit, unsent: false };
      const { messages, more } = await history.turns.wait(() => history.conversation(asked));
      return { value: messages.map(conversationMessage), count: messages.length, more };
    }
  }
}
