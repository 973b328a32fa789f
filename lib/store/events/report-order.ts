import { deliveryRank } from "./delivery-rank";

export interface TimedReport {
  /** Status in lower case. */
  readonly status: string;
  /** Epoch ms of the report, else of its receipt. */
  readonly at: number;
  readonly isOwn: boolean;
}

const FINAL = deliveryRank("failed");

/**
 * Returns the epoch ms of a status. One without a time precedes its receipt and higher statuses.
 * @param all reports on the same message to the same recipient
 */
export function reportTime({ status, at, isOwn }: TimedReport, all: readonly TimedReport[]): number {
  const rank = deliveryRank(status);
  if (isOwn || rank >= FINAL) {
    return at;
  }
  return Math.min(at, ...all.filter((other) => deliveryRank(other.status) > rank).map((other) => other.at));
}

/** Sorts reports of the same time by rank. */
export const byRank = (one: string, other: string): number => deliveryRank(one) - deliveryRank(other);
