import type { FrontReport } from "./front-process";

const SECOND = 1_000;
/** ms in which a connection is new. */
const NEW = 100;

/** What the busiest second of a time was. */
export interface BusiestSecond {
  /** Requests. */
  readonly requests: number;
  /** Of these, how many may belong to an earlier time, because the process that noted them was held up. */
  readonly late: number;
  /** Epoch ms. */
  readonly at: number;
  /** Requests of the whole time. */
  readonly all: number;
  /** When each of them came, in ms from `at`; with a plus where its connection was new. */
  readonly requestsAt: readonly string[];
}

/**
 * Finds the second, beginning at any request, in which most requests came beyond those whose time is not sure.
 * @param from epoch ms, as `to`
 */
export function busiestSecond({ arrivals, stalls }: FrontReport, from: number, to: number): BusiestSecond {
  const counted = arrivals
    .filter(([at, path]) => at >= from && at < to && !path.includes("/oauth/"))
    .sort(([a], [b]) => a - b);
  const times = counted.map(([at]) => at);
  // What comes while the process is held up is noted within a few ms after it.
  const isLate = times.map((at) => stalls.some(([, end]) => at >= end - 1 && at <= end + 10));
  let most: BusiestSecond = { requests: 0, late: 0, at: from, all: times.length, requestsAt: [] };
  let first = 0;
  let late = 0;
  for (const [at, time] of times.entries()) {
    late += isLate[at] ? 1 : 0;
    while (time - (times[first] ?? 0) >= SECOND) {
      late -= isLate[first] ? 1 : 0;
      first++;
    }
    const requests = at - first + 1;
    if (requests - late > most.requests - most.late)
      most = { ...most, requests, late, at: times[first] ?? 0 };
  }
  const requestsAt = counted
    .filter(([at]) => at >= most.at && at < most.at + SECOND)
    .map(([at, , open]) => `${Math.round(at - most.at)}${open < NEW ? "+" : ""}`);
  return { ...most, requestsAt };
}
