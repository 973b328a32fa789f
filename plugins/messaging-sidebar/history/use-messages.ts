import { useEffect, useState } from "preact/hooks";
import type { HistoryPage, HistoryPlace, HistoryQuery } from "../../../lib/shared/history/history";
import { post, RequestFailure } from "../shared/api";
import { usePoll } from "../shared/use-poll";

export type Item = HistoryPage["entries"][number];

export const getKey = (item: Item): string =>
  item.direction === "sent" ? `sent ${item.request} ${item.place}` : `received ${item.event}`;

interface Shown {
  readonly items: readonly Item[];
  readonly next: HistoryPlace | null;
}

/**
 * Puts a new first page above the older items that are shown.
 * @param isRead true if the user reads an item: then the list stays as it is if items between are missing
 */
export function renew(shown: Shown, { entries, next }: HistoryPage, isRead: () => boolean): Shown {
  const found = new Set(entries.map(getKey));
  const end = shown.items.findLastIndex((item) => found.has(getKey(item)));
  const isApart = end === -1 && shown.items.length > 0 && entries.length > 0 && next !== null;
  if (isApart) {
    return isRead() ? shown : { items: entries, next };
  }
  const older = next === null ? [] : shown.items.slice(end + 1);
  return older.length === 0 ? { items: entries, next } : { items: [...entries, ...older], next: shown.next };
}

/** The messages that a search finds, which are renewed as long as the view is visible. */
export function useMessages(
  account: string,
  toQuery: () => HistoryQuery,
  isActive: boolean,
  isRead: () => boolean,
) {
  const search = (after: HistoryPlace | null): Promise<HistoryPage> =>
    post(account, "history/search", { query: toQuery(), after });
  const { data: page, failure: pollFailure, refresh } = usePoll("", isActive, () => search(null));
  const [shown, setShown] = useState<Shown>({ items: [], next: null });
  const [older, setOlder] = useState<{ looked?: number | undefined; failure?: unknown }>({});
  useEffect(() => {
    if (page !== null) setShown((before) => renew(before, page, isRead));
  }, [page]);
  const readMore = async (): Promise<void> => {
    try {
      const { entries, next, looked } = await search(shown.next);
      setShown(({ items }) => {
        const known = new Set(items.map(getKey));
        return { items: [...items, ...entries.filter((item) => !known.has(getKey(item)))], next };
      });
      setOlder({ looked });
    } catch (failure) {
      setOlder({ failure });
    }
  };
  const isBusy = pollFailure instanceof RequestFailure && pollFailure.fault === "busy" && page !== null;
  return {
    ...shown,
    tally: page?.tally,
    looked: older.looked ?? (shown.next === page?.next ? page?.looked : undefined),
    failure: older.failure ?? (isBusy ? null : pollFailure),
    isLoading: page === null && pollFailure === null,
    readMore,
    refresh,
  };
}
