import {
  type DeletedNumber,
  HISTORY_PAGE,
  type HistoryPage,
  type HistoryPlace,
  type HistoryQuery,
  type MessageLife,
} from "../../../shared/history";
import type { HistoryEntry, HistoryFilter } from "../../../store/history";
import { messageRecord } from "./message-record";
import { readTimeline } from "./message-timeline";
import type { AccountStore } from "../open-store";
import { searchedNumber } from "./searched-number";

/** The number that was typed cannot be one. */
export class NoNumber extends Error {}
/** A message or job is not there any more. */
export class Gone extends Error {}

/** @throws NoNumber */
export function filterOf(
  { account }: Pick<AccountStore, "account">,
  { number, ...rest }: HistoryQuery,
  defaultCountry: string,
): HistoryFilter {
  const filter = { ...rest, account };
  return number === undefined ? filter : { ...filter, number: digitsOf(number, defaultCountry) };
}

function digitsOf(number: string, defaultCountry: string): string {
  const digits = searchedNumber(number, defaultCountry);
  if (digits === null) {
    throw new NoNumber();
  }
  return digits;
}

/** A page of the history, newest first. @throws StoreError */
export async function searchHistory(
  { store }: AccountStore,
  filter: HistoryFilter,
  after: HistoryPlace | null,
): Promise<HistoryPage> {
  // One more tells whether there is a next page.
  const found = await store.history.search(filter, after, HISTORY_PAGE + 1);
  const entries = found.slice(0, HISTORY_PAGE);
  return {
    entries: entries.map(messageRecord),
    next: found.length > HISTORY_PAGE ? (entries.at(-1)?.cursor ?? null) : null,
  };
}

/** Entries that a search of the export reads at once. */
const EXPORT_PAGE = 500;

/** All that a search finds, page by page. @throws StoreError */
export async function* readHistory(
  { store }: AccountStore,
  filter: HistoryFilter,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  let after: HistoryPlace | null = null;
  for (;;) {
    const page: readonly HistoryEntry[] = await store.history.search(filter, after, EXPORT_PAGE);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < EXPORT_PAGE) {
      return;
    }
    after = last.cursor;
  }
}

/**
 * One message to one recipient, with its steps. Texts of people are left out: who may see them may deploy, and finds them in the flow.
 * @throws StoreError, Gone
 */
export async function lifeOf(
  { store, account }: AccountStore,
  request: number,
  place: number,
): Promise<MessageLife> {
  const entry = await store.history.find(account, request, place);
  if (entry === null) {
    throw new Gone();
  }
  const steps = await readTimeline(store.history, entry);
  return { record: messageRecord(entry), steps: steps.map((step) => ({ ...step, body: null })) };
}

/** Deletes everything about a number but what is on its way, of all accounts in this store. @throws StoreError, NoNumber */
export const deleteNumber = async (
  { store }: AccountStore,
  number: string,
  defaultCountry: string,
): Promise<DeletedNumber> => store.retention.deleteNumber(digitsOf(number, defaultCountry));
