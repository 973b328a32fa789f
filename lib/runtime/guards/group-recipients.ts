/** The longest work before the event loop runs in between. */
const SLICE_MS = 4;

/** The recipients without a reason, and those of each reason. */
export interface Groups<Reason> {
  readonly allowed: readonly string[];
  readonly held: ReadonlyMap<Reason, readonly string[]>;
}

/**
 * Groups recipients by the reason to hold them back, in their order, in slices with the event loop in between. The list must not be
 * changed before the promise settles.
 * @param reasonOf null for a recipient that is sent to
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
