import type { HistoryPage, SentItem } from "../../../lib/shared/history/history";

export const sentItems = ({ entries }: HistoryPage): readonly SentItem[] =>
  entries.filter((entry): entry is SentItem => entry.direction === "sent");
