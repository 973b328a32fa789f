import type { Verdict } from "../codec/verdict";

/** Bounds of the retries that the queue makes. Times in ms. */
export interface RetryBounds {
  readonly maxAttempts: number;
  readonly baseDelay: number;
  readonly maxDelay: number;
  /** With a longer `Retry-After` there is no retry: the message leaves by the output *try again*. */
  readonly longestWait: number;
}

export const RETRY_DEFAULTS: RetryBounds = {
  maxAttempts: 5,
  baseDelay: 500,
  maxDelay: 30_000,
  longestWait: 60_000,
};

/**
 * The pause before the next attempt. Pure.
 * @param random 0 ≤ random < 1, for the full jitter
 * @returns ms, or null for a request that is not sent again
 */
export function retryDelay(
  verdict: Pick<Verdict, "outcome" | "retry" | "attempts" | "retryAfter">,
  bounds: RetryBounds,
  random: number,
): number | null {
  // Any other outcome: the request may have arrived, or cannot succeed unchanged.
  if (verdict.retry !== "back-off" || verdict.outcome !== "retry-later") {
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
  // Full jitter on top of `Retry-After`, so that many waiting messages do not return at one instant.
  return wanted + random * ceiling;
}
