const PACE_MS = 25;

/**
 * Asks again and again until the answer is something, and gives it back.
 * @param what completes the sentence "waited in vain for …"
 * @param probe gives undefined, null or false while the condition does not hold; what it throws ends the waiting
 * @param deadline ms
 * @throws Error after the deadline
 */
export async function waitFor<Found>(
  what: string | (() => string),
  probe: () => Found | undefined | null | false | Promise<Found | undefined | null | false>,
  deadline = 120_000,
): Promise<Found> {
  const end = performance.now() + deadline;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) {
      return found;
    }
    if (performance.now() > end) {
      throw new Error(`waited ${deadline / 1000} s in vain for ${typeof what === "string" ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
}
