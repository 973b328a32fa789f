import type { Verdict } from "../codec/verdict";

/** Bounds of the pauses between tries, in ms. */
const BASE_DELAY = 500;
const MOST_DELAY = 30_000;
/** ms. With a longer `Retry-After` there is no retry: the message leaves by the output *try again*. */
export const LONGEST_RETRY_AFTER = 60_000;

/** The pause before the next attempt, in ms; null for none. @param maxAttempts in all @param random 0 ≤ random < 1, for the full jitter */
export function retryDelay(
  { outcome, retry, attempts, retryAfter }: Pick<Verdict, "outcome" | "retry" | "attempts" | "retryAfter">,
  maxAttempts: number,
  random: number,
): number | null {
  const wanted = retryAfter ?? 0;
  // Any other outcome: the request may have arrived, or cannot succeed unchanged.
  const isRepeatable = retry === "back-off" && outcome === "retry-later";
  if (!isRepeatable || attempts >= maxAttempts || wanted > LONGEST_RETRY_AFTER) {
    return null;
  }
  const ceiling = Math.min(MOST_DELAY, BASE_DELAY * 2 ** Math.max(0, attempts - 1));
  // Full jitter on top of `Retry-After`, so that many waiting messages do not return at one instant.
  return wanted + random * ceiling;
}
