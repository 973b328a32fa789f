import type {
  HistoryPage,
  HistoryPlace,
  HistoryQuery,
  HistoryRow,
  HistoryTally,
} from "../../shared/history/history";
import { searchHistory } from "./history-link";

/** Where the search goes on in each account that has more; null there for its beginning. */
export type Places = ReadonlyMap<string, HistoryPlace | null>;

/** A page of the messages of one account, or of several. */
export interface SeveralPage extends Omit<HistoryPage, "next"> {
  /** Null where this page is the last one. */
  readonly next: Places | null;
  /** Accounts that could not be searched, and why. */
  readonly without: readonly { readonly account: string; readonly failure: unknown }[];
}

/** The page of one account, while it is divided. */
interface Part {
  readonly account: string;
  readonly after: HistoryPlace | null;
  readonly page: HistoryPage;
  taken: number;
}

const placeOf = ({ takenAt, job, part, place, request }: HistoryRow): HistoryPlace => [
  Date.parse(takenAt),
  job,
  part,
  place,
  request,
];

export const beginningOf = (accounts: readonly string[]): Places =>
  new Map(accounts.map((account) => [account, null]));

/**
 * Searches accounts, each from its place on, and puts what they find into one list, newest first.
 * @param search of one account
 * @throws what the search of a single account throws, and where none of several can be searched that of the first one
 */
export async function searchHistories(
  places: Places,
  query: HistoryQuery,
  search: typeof searchHistory = searchHistory,
): Promise<SeveralPage> {
  const answers = await Promise.all(
    [...places].map(([account, after]) =>
      search(account, query, after).then(
        (page): Part => ({ account, after, page, taken: 0 }),
        (failure: unknown) => ({ account, failure }),
      ),
    ),
  );
  const parts = answers.filter((answer) => "page" in answer);
  const without = answers.filter((answer) => "failure" in answer);
  const [first] = without;
  if (parts.length === 0 && first !== undefined) {
    throw first.failure;
  }
  const entries = merged(parts);
  const next = new Map(parts.flatMap((part) => goingOn(part)));
  const looked = parts.reduce((sum, { page }) => sum + (page.looked ?? 0), 0);
  const tally = tallyOf(parts);
  return {
    entries,
    next: next.size === 0 ? null : next,
    ...(looked > 0 && { looked }),
    ...(tally !== null && { tally }),
    without,
  };
}

/** Newest first, up to the end of the first account that has more: what it has behind that is not known yet. */
function merged(parts: readonly Part[]): readonly HistoryRow[] {
  const entries: HistoryRow[] = [];
  for (;;) {
    if (parts.some(({ page, taken }) => taken === page.entries.length && page.next !== null)) {
      return entries;
    }
    let newest: Part | null = null;
    let newestRow: HistoryRow | null = null;
    for (const part of parts) {
      const row = part.page.entries[part.taken];
      if (row !== undefined && (newestRow === null || row.takenAt > newestRow.takenAt)) {
        newest = part;
        newestRow = row;
      }
    }
    if (newest === null || newestRow === null) {
      return entries;
    }
    newest.taken++;
    entries.push(newestRow);
  }
}

/** Where a part goes on: behind the last of its messages that is in the list. */
function goingOn({ account, after, page, taken }: Part): readonly (readonly [string, HistoryPlace | null])[] {
  const { entries, next } = page;
  if (taken === entries.length) {
    return next === null ? [] : [[account, next]];
  }
  const last = entries[taken - 1];
  return [[account, last === undefined ? after : placeOf(last)]];
}

/** How many all find together; null where that of one is not known. */
function tallyOf(parts: readonly Part[]): HistoryTally | null {
  const tallies = parts.flatMap(({ page: { tally } }) => tally ?? []);
  if (tallies.length < parts.length) {
    return null;
  }
  const outcomes: Record<string, number> = {};
  for (const [outcome, n] of tallies.flatMap((tally) => Object.entries(tally.outcomes))) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + n;
  }
  return {
    count: tallies.reduce((sum, { count }) => sum + count, 0),
    more: tallies.some(({ more }) => more),
    outcomes,
    open: tallies.reduce((sum, { open }) => sum + open, 0),
  };
}
