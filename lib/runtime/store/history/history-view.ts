import {
  type DeletedNumber,
  HISTORY_PAGE,
  type HistoryPage,
  type HistoryPlace,
  type HistoryQuery,
  type HistoryTally,
  type MessageLife,
  MOST_LOOKED,
  MOST_TALLIED,
  type ReceivedItem,
} from "../../../shared/history/history";
import type { MessageRecord } from "../../../shared/history/message-record";
import { isSkipped, OUTCOMES } from "../../../shared/outcomes";
import { shortReason } from "../../../texts/short-reason";
import type { HistoryCursor, HistoryEntry } from "../../../store/history/history-entry";
import type { HistoryFilter } from "../../../store/history/history-filter";
import type { HistoryFound } from "../../../store/history/history-search";
import type { ReceivedMessage } from "../../../store/history/received";
import { getEventChannel } from "../../../webhook/event-channel";
import { readCutEvent } from "./cut-event";
import { instantOf, messageRecord } from "./message-record";
import { isReceived, newestFirst } from "./newest-first";
import { readTimelineFacts, toTimeline } from "./message-timeline";
import type { AccountStore } from "../open-store";
import { searchedNumber } from "./searched-number";

export class NoNumber extends Error {}
export class Gone extends Error {}

type ForReader = <Made>(make: () => Made) => Made;

export interface HistorySearch extends HistoryFilter {
  /** The typed digits of `number`, which may be the end of a number. */
  readonly typed?: string;
}

/** @throws NoNumber */
export function filterOf(
  { account }: Pick<AccountStore, "account">,
  { number, ...rest }: HistoryQuery,
  defaultCountry: string,
): HistorySearch {
  const filter = { ...rest, account };
  return number === undefined
    ? filter
    : { ...filter, number: digitsOf(number, defaultCountry), typed: number.replace(/\D/g, "") };
}

/** @throws NoNumber */
export function digitsOf(number: string, defaultCountry: string): string {
  const digits = searchedNumber(number, defaultCountry);
  if (digits === null) {
    throw new NoNumber();
  }
  return digits;
}

/** Digits of the end of a number. */
const [SHORTEST_END, LONGEST_END] = [3, 10];
const EXPORT_PAGE = 500;

/** Searches by the end of a number if no message has the whole number. */
async function toStoreFilter(
  { store }: AccountStore,
  { typed, ...filter }: HistorySearch,
): Promise<HistoryFilter> {
  const { number, account, ...rest } = filter;
  const digits = typed ?? number;
  if (
    number === undefined ||
    digits === undefined ||
    (digits.length > LONGEST_END && !digits.startsWith("0"))
  ) {
    return filter;
  }
  const ofAccount = account === undefined ? {} : { account };
  // International numbers lack the zeros of a national number or of 00.
  const numberEnd = [digits.replace(/^0+/, ""), digits].find((end) => end.length >= SHORTEST_END);
  const whole = await store.history.look({ ...ofAccount, number }, null, 1, MOST_LOOKED);
  const hasWritten =
    account !== undefined && (await store.history.received({ account, number }, null, 1)).length > 0;
  return whole.entries.length > 0 || whole.next !== null || hasWritten || numberEnd === undefined
    ? filter
    : { ...rest, ...ofAccount, numberEnd };
}

/** Filters that only sent messages have. */
const OF_SENT = ["name", "clientMessageId", "transferId", "node", "outcome", "job"] as const;

/** Messages that people wrote and that fit; none for a filter that only sent messages have. */
async function searchReceived(
  { store, account }: AccountStore,
  filter: HistoryFilter,
  after: HistoryPlace | null,
): Promise<readonly ReceivedMessage[]> {
  if (OF_SENT.some((key) => filter[key] !== undefined)) {
    return [];
  }
  return store.history.received({ ...filter, account }, after?.received ?? null, HISTORY_PAGE + 1);
}

const receivedItem = ({ event, receivedAt, number, simulated, body }: ReceivedMessage): ReceivedItem => ({
  direction: "received",
  event,
  at: instantOf(receivedAt),
  sender: number === null ? null : `+${number}`,
  channel: body === null ? null : getEventChannel("inbound", readCutEvent(body)),
  simulated,
});

/** A page reads a limited number of messages, so it may have fewer entries than fit. @throws StoreError, Busy */
export const searchHistory = (
  place: AccountStore,
  filter: HistorySearch,
  after: HistoryPlace | null,
  mostLooked = MOST_LOOKED,
  forReader: ForReader = (make) => make(),
): Promise<HistoryPage> =>
  place.store.history.turns.take(async () => {
    const asked = await toStoreFilter(place, filter);
    const { history } = place.store;
    // One more entry shows that there is a next page.
    const sent = await history.look(asked, after?.sent ?? null, HISTORY_PAGE + 1, mostLooked);
    const received = await searchReceived(place, asked, after);
    const { messages, next } = newestFirst(sent, received, after, HISTORY_PAGE);
    const entries = messages.filter((each): each is HistoryEntry => !isReceived(each));
    const hasReply = await history.replied(entries);
    const replied = new Set(entries.filter((_entry, at) => hasReply[at]));
    const looksOn = sent.next !== null && messages.length < HISTORY_PAGE;
    const tally =
      after === null && asked.numberEnd === undefined && !looksOn ? await readTally(place, asked) : null;
    return {
      entries: forReader(() =>
        messages.map((message) => {
          if (isReceived(message)) {
            return receivedItem(message);
          }
          const record = messageRecord(message);
          const reason = getReason(record);
          return { ...record, direction: "sent", replied: replied.has(message), reason };
        }),
      ),
      next,
      ...(looksOn && { looked: sent.looked }),
      ...(tally !== null && { tally }),
    };
  });

/** A failed delivery says more than the response before it. */
function getReason(record: MessageRecord): string | null {
  const { outcome, delivery, statusName } = record;
  const hasFailed = outcome !== null && OUTCOMES[outcome].failure && delivery === null;
  return hasFailed && !isSkipped(statusName ?? "") ? shortReason(record) : null;
}

/** Null if the count needs too many reads. @throws StoreError */
async function readTally({ store }: AccountStore, filter: HistoryFilter): Promise<HistoryTally | null> {
  const { counts, complete } = await store.history.tally(filter, MOST_TALLIED + 1);
  const all = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const more = all > MOST_TALLIED;
  if (!complete && !more) {
    return null;
  }
  const open = counts.get(null) ?? 0;
  const outcomes = Object.fromEntries([...counts].filter(([outcome]) => outcome !== null));
  return { count: Math.min(all, MOST_TALLIED), more, outcomes, open };
}

export interface ExportPage {
  readonly entries: readonly HistoryEntry[];
  /** Recipients of each request, also those outside the search. */
  readonly sizes: ReadonlyMap<number, number>;
}

/** @throws StoreError, Busy */
export async function* readHistory(
  place: AccountStore,
  filter: HistorySearch,
): AsyncGenerator<ExportPage, void, undefined> {
  const { history } = place.store;
  const asked = await history.turns.take(() => toStoreFilter(place, filter));
  let after: HistoryCursor | null = null;
  do {
    const at: HistoryCursor | null = after;
    const { next, ...page }: ExportPage & HistoryFound = await history.turns.take(async () => {
      const found = await history.look(asked, at, EXPORT_PAGE, MOST_LOOKED);
      return { ...found, sizes: await history.sizes(found.entries) };
    });
    yield page;
    after = next;
  } while (after !== null);
}

/** Omits texts of recipients, which only users with permission to deploy may read. @throws StoreError, Gone */
export async function readLife(
  { store, account }: AccountStore,
  request: number,
  place: number,
  forReader: ForReader = (make) => make(),
): Promise<MessageLife> {
  const entry = await store.history.find(account, request, place);
  if (entry === null) {
    throw new Gone();
  }
  const facts = await readTimelineFacts(store.history, entry);
  return forReader(() => ({
    record: messageRecord(entry),
    steps: toTimeline(entry, ...facts).map((step) => ({ ...step, body: null })),
  }));
}

/** Deletes a number in all accounts, except messages under way. @throws StoreError, NoNumber */
export const deleteNumber = async (
  { store }: AccountStore,
  number: string,
  defaultCountry: string,
): Promise<DeletedNumber> => store.retention.deleteNumber(digitsOf(number, defaultCountry));
