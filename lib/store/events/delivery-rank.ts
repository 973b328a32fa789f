/**
 * How far each status moves a delivery: a later one replaces an earlier one whatever order they come in. A message that
 * arrived has arrived, whatever else is said of it.
 */
const RANKS: Readonly<Record<string, number>> = {
  accepted: 1,
  sent: 2,
  // The service goes on trying.
  undelivered: 3,
  failed: 4,
  expired: 4,
  deleted: 4,
  rejected: 4,
  delivered: 5,
  read: 6,
};
/** A word that nobody knows here says less than a final one. */
const OTHER = 2;

/** @param status the service's word, in lower case */
export const deliveryRank = (status: string): number => RANKS[status] ?? OTHER;
