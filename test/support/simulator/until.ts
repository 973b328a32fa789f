/** Resolves as soon as the condition holds; the time limit of the test ends the waiting. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
