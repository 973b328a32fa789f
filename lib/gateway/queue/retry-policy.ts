import type { Verdict } from "../codec/verdict";

/** Bounds of our own retries. Times in ms. */
export interface RetryBounds {
  readonly maxAttempts: number;
  readonly baseDelay: number;
  readonly maxDelay: number;
  /** A longer `Retry-After` is not waited for: the message leaves by *try again* instead. */
  readonly longestWait: number;
}

export const RETRY_DEFAULTS: RetryBounds = {
  maxAttempts: 5,
  baseDelay: 500,
  maxDelay: 30_000,
  longestWait: 60_000,
};

/** Retry-later, yet not by us: waiting a moment does not help, or somebody must be told. */
const NOT_BY_US: ReadonlySet<string> = new Set([
  "MSG_LIMIT_EXCEEDED", // used up for a long time
  "QUEUE_FULL", // retrying would fill it further
  "CLOSING", // nobody is left to wait
]);

/**
 * How long to wait before trying again, or null for not at all. Pure.
 * @param random 0 ≤ random < 1, for the full jitter
 */
export function retryDelay(
  verdict: Pick<Verdict, "outcome" | "statusName" | "attempts" | "retryAfter">,
  bounds: RetryBounds,
  random: number,
): number | null {
  // Everything else may have reached somebody, or cannot succeed unchanged.
  if (verdict.outcome !== "retry-later" || NOT_BY_US.has(verdict.statusName)) {
    return null;
  }
  if (verdict.attempts >= bounds.maxAttempts) {
    return null;
  }
  const wanted = verdict.retryAfter ?? 0;
  if (wanted > bounds.longestWait) {
    return null;
  }
  const ceiling = Math.min(bounds.maxDelay, bounds.baseDelay * 2 ** Math.max(0, verdict.attempts - 1));
  // Full jitter on top of what was asked for, so that many waiting messages do not return at one instant.
  return wanted + random * ceiling;
}
