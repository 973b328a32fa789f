import type { ConversationMessage } from "../../../lib/shared/history/conversation-message";
import { MOST_LOOKED } from "../../../lib/shared/history/history";
import type { MessageRecord, TimelineStep } from "../../../lib/shared/history/message-record";
import type { History } from "../../../lib/store/history/history";
import type { HistoryEntry } from "../../../lib/store/history/history-entry";
import type { HistoryFilter } from "../../../lib/store/history/history-filter";
import { conversationMessage } from "../../../lib/runtime/store/history/conversation";
import { messageRecord } from "../../../lib/runtime/store/history/message-record";
import { readTimeline } from "../../../lib/runtime/store/history/message-timeline";
import { countReport, type ReportStore } from "../../../lib/runtime/report/count-report";
import { type LogReport, reportOf } from "../../../lib/runtime/report/log-report";
import type { LogQuery } from "./log-query";

export interface LogRecord extends MessageRecord {
  readonly timeline?: readonly TimelineStep[];
}

export interface LogAnswer {
  /** Records: newest first. Conversation: oldest first. */
  readonly value: readonly LogRecord[] | readonly ConversationMessage[] | LogReport;
  readonly count: number;
  /** True if a search or conversation has more than the limit; null for the other kinds. */
  readonly more: boolean | null;
}

/** A request has up to a thousand recipients, and a flow may repeat its id. */
const MOST_OF_ID = 2_000;

async function withTimelines(
  history: History,
  entries: readonly HistoryEntry[],
): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  // One after the other: a long list must not fill the queue of the database, which sends need.
  for (const entry of entries) {
    records.push({ ...messageRecord(entry), timeline: await readTimeline(history, entry) });
  }
  return records;
}

const toFilter = (
  filter: {
    readonly [Key in keyof HistoryFilter]: HistoryFilter[Key] | undefined;
  },
): HistoryFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as HistoryFilter;

/** Finds messages by the id of the flow or, without one, of the service. */
async function findById(history: History, account: string, id: string): Promise<readonly HistoryEntry[]> {
  const own = await history.search({ account, clientMessageId: id }, null, MOST_OF_ID);
  return own.length > 0 ? own : history.search({ account, transferId: id }, null, MOST_OF_ID);
}

/** Answers a query. @param zone IANA name, for the days of a report @throws StoreError */
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
      // The end of a period is exclusive.
      const filter = toFilter({ account, number, to: until === undefined ? undefined : until + 1 });
      const value = await withTimelines(history, await history.search(filter, null, 1));
      return { value, count: value.length, more: null };
    }
    case "search": {
      const { limit, number, name, outcome, node, from, to } = query;
      const filter = toFilter({ account, number, name, outcome, node, from, to });
      // No index contains names, so the search reads as many messages as a page of the sidebar.
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
