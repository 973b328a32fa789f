/** Recipients that are grouped without a pause: some milliseconds of work. */
const FEW = 1_000;
/** Those of a longer list that are grouped in one turn of the event loop. */
const PER_TURN = 256;

/** The recipients without a reason, and those of each reason. */
export interface Groups<Reason> {
  readonly allowed: readonly string[];
  readonly held: ReadonlyMap<Reason, readonly string[]>;
}

/**
 * Groups recipients by the reason to hold them back, in their order. A long list is grouped in slices, with the event loop in between;
 * it must not be changed before the promise settles.
 * @param reasonOf null for a recipient that is sent to
 */
export function groupRecipients<Reason>(
  recipients: readonly string[],
  reasonOf: (recipient: string) => Reason | null,
): Groups<Reason> | Promise<Groups<Reason>> {
  const held = new Map<Reason, string[]>();
  // The list itself, as long as nothing is held back.
  let allowed: string[] | null = null;
  const add = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const recipient = recipients[at] as string;
      const reason = reasonOf(recipient);
      if (reason === null) {
        allowed?.push(recipient);
        continue;
      }
      allowed ??= recipients.slice(0, at);
      const group = held.get(reason);
      if (group === undefined) {
        held.set(reason, [recipient]);
      } else {
        group.push(recipient);
      }
    }
  };
  const addAll = async (): Promise<Groups<Reason>> => {
    for (let from = 0; from < recipients.length; from += PER_TURN) {
      if (from > 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      add(from, Math.min(from + PER_TURN, recipients.length));
    }
    return { allowed: allowed ?? recipients, held };
  };
  if (recipients.length > FEW) {
    return addAll();
  }
  add(0, recipients.length);
  return { allowed: allowed ?? recipients, held };
}
