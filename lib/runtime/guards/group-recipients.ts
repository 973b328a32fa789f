/** The longest work before the event loop runs in between. */
const SLICE_MS = 4;

export interface Groups<Reason> {
  readonly allowed: readonly string[];
  readonly held: ReadonlyMap<Reason, readonly string[]>;
}

/**
 * Groups recipients by the reason to block them, in slices. The list must not change before the promise settles.
 * @param reasonOf null for an allowed recipient
 */
export async function groupRecipients<Reason>(
  recipients: readonly string[],
  reasonOf: (recipient: string) => Reason | null,
): Promise<Groups<Reason>> {
  const allowed: string[] = [];
  const held = new Map<Reason, string[]>();
  let start = performance.now();
  for (const recipient of recipients) {
    if (performance.now() - start >= SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      start = performance.now();
    }
    const reason = reasonOf(recipient);
    if (reason === null) {
      allowed.push(recipient);
    } else {
      const group = held.get(reason) ?? [];
      held.set(reason, group);
      group.push(recipient);
    }
  }
  return { allowed, held };
}
