import { deliveryRank } from "./delivery-rank";

/** A report on a message to one person. */
export interface TimedReport {
  /** The service's word, in lower case. */
  readonly status: string;
  /** Epoch ms that it names itself, else those at which it came in. */
  readonly at: number;
  /** Whether the time is its own. */
  readonly isOwn: boolean;
}

const FINAL = deliveryRank("failed");

/**
 * Epoch ms at which something was true that a report says. One that names no time was true before it came in, and before what it leads to:
 * reports overtake each other on their way.
 * @param all reports on the same message to the same person
 */
export function reportTime({ status, at, isOwn }: TimedReport, all: readonly TimedReport[]): number {
  const rank = deliveryRank(status);
  if (isOwn || rank >= FINAL) {
    return at;
  }
  return Math.min(at, ...all.filter((other) => deliveryRank(other.status) > rank).map((other) => other.at));
}

/** For reports that were true at the same moment: what leads to the other comes first. */
export const byRank = (one: string, other: string): number => deliveryRank(one) - deliveryRank(other);
