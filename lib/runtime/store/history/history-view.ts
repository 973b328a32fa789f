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

/** What a person looks for. */
export interface HistorySearch extends HistoryFilter {
  /** The digits of `number` as they were typed, which may be the end of one. */
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

function digitsOf(number: string, defaultCountry: string): string {
  const digits = searchedNumber(number, defaultCountry);
  if (digits === null) {
    throw new NoNumber();
  }
  return digits;
}

/** Digits of the shortest and the longest end of a number that is looked for. */
const [SHORTEST_END, LONGEST_END] = [3, 10];
/** Messages that are read at once where each is compared, and for the export. */
const [COMPARED, EXPORT_PAGE] = [1000, 500];

/** Ends of numbers that were typed; empty for whole numbers, which the store finds at once. */
async function endsOf(
  { store }: AccountStore,
  { account, number, typed = number }: HistorySearch,
): Promise<readonly string[]> {
  if (number === undefined || typed === undefined || (typed.length > LONGEST_END && !typed.startsWith("0"))) {
    return [];
  }
  const filter = account === undefined ? { number } : { account, number };
  const whole = await store.history.search(filter, null, 1);
  // The zeros of a national number or of 00 are not in an international one; zeros within its last digits are.
  return whole.length > 0
    ? []
    : [typed, typed.replace(/^0+/, "")].filter((end) => end.length >= SHORTEST_END);
}

/** Whether the store is asked for no number, and each message is compared. */
const withoutNumber = ({ number: _number, typed: _typed, ...rest }: HistorySearch): HistoryFilter => rest;
const fits = ({ number }: HistoryEntry, ends: readonly string[]): boolean =>
  ends.some((end) => number.endsWith(end));

/**
 * A page of the history, newest first. Of a number that no message went to, the last digits are enough, at least three: for them
 * each message is compared, so a page looks through a limited number of them.
 * @throws StoreError
 */
export async function searchHistory(
  place: AccountStore,
  filter: HistorySearch,
  after: HistoryPlace | null,
  mostLooked = MOST_LOOKED,
): Promise<HistoryPage> {
  const ends = await endsOf(place, filter);
  const { found, next, looked } = await (ends.length === 0
    ? searchWhole(place, filter, after)
    : searchEnds(place, withoutNumber(filter), ends, after, mostLooked));
  const replied = await place.store.history.replied(found);
  const entries = found.map((entry, at) => ({ ...messageRecord(entry), replied: replied[at] ?? false }));
  const tally = after === null && ends.length === 0 ? await tallyOf(place, filter) : undefined;
  return { entries, next, ...(looked !== undefined && { looked }), ...(tally !== undefined && { tally }) };
}

/** How many messages a search finds. @throws StoreError */
async function tallyOf({ store }: AccountStore, filter: HistorySearch): Promise<HistoryTally> {
  const counts = await store.history.tally(filter, MOST_TALLIED + 1);
  const all = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const open = counts.get(null) ?? 0;
  const outcomes = Object.fromEntries([...counts].filter(([outcome]) => outcome !== null));
  return { count: Math.min(all, MOST_TALLIED), more: all > MOST_TALLIED, outcomes, open };
}

interface Found {
  readonly found: readonly HistoryEntry[];
  readonly next: HistoryPlace | null;
  readonly looked?: number;
}

async function searchWhole(
  { store }: AccountStore,
  filter: HistorySearch,
  after: HistoryPlace | null,
): Promise<Found> {
  // One more tells whether there is a next page.
  const rows = await store.history.search(filter, after, HISTORY_PAGE + 1);
  const found = rows.slice(0, HISTORY_PAGE);
  return { found, next: rows.length > HISTORY_PAGE ? (found.at(-1)?.cursor ?? null) : null };
}

async function searchEnds(
  { store }: AccountStore,
  filter: HistorySearch,
  ends: readonly string[],
  after: HistoryPlace | null,
  mostLooked: number,
): Promise<Found> {
  const found: HistoryEntry[] = [];
  let last = after;
  for (let looked = 0; looked < mostLooked; ) {
    const most = Math.min(COMPARED, mostLooked - looked);
    const rows: readonly HistoryEntry[] = await store.history.search(filter, last, most);
    for (const row of rows.filter((each) => fits(each, ends))) {
      if (found.length === HISTORY_PAGE) {
        return { found, next: found.at(-1)?.cursor ?? null };
      }
      found.push(row);
    }
    if (rows.length < most) {
      return { found, next: null };
    }
    looked += rows.length;
    last = rows.at(-1)?.cursor ?? last;
  }
  return { found, next: last, looked: mostLooked };
}

/** All that a search finds, page by page; for the end of a number it reads through all messages. @throws StoreError */
export async function* readHistory(
  place: AccountStore,
  filter: HistorySearch,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  const ends = await endsOf(place, filter);
  const asked = ends.length === 0 ? filter : withoutNumber(filter);
  let after: HistoryPlace | null = null;
  for (;;) {
    const page: readonly HistoryEntry[] = await place.store.history.search(asked, after, EXPORT_PAGE);
    yield ends.length === 0 ? page : page.filter((entry) => fits(entry, ends));
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
