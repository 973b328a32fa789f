/**
 * Ranks of statuses: a higher one replaces a lower one in any order of events.
 */
const RANKS: Readonly<Record<string, number>> = {
  accepted: 1,
  sent: 2,
  // The service continues to try.
  undelivered: 3,
  failed: 4,
  expired: 4,
  deleted: 4,
  rejected: 4,
  delivered: 5,
  read: 6,
};
/** Rank of an unknown status, below the final ones. */
const OTHER = 2;

/** @param status in lower case */
export const deliveryRank = (status: string): number => RANKS[status] ?? OTHER;
