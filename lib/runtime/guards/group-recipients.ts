/** Recipients that are grouped without a pause: some milliseconds of work. */
const FEW = 1_000;
/** Those of a longer list that are grouped in one turn of the event loop. */
const PER_TURN = 256;

/** The recipients without a reason, and those of each reason. */
export interface Groups<Reason> {
  readonly allowed: readonly string[];
  readonly held: ReadonlyMap<Reason, readonly string[]>;
}

/** Collects groups; the list itself stays the group of allowed ones as long as nothing is held back. */
class Grouping<Reason> {
  readonly #held = new Map<Reason, string[]>();
  #allowed: string[] | null = null;
  #next = 0;

  constructor(
    private readonly recipients: readonly string[],
    private readonly reasonOf: (recipient: string) => Reason | null,
  ) {}

  get isDone(): boolean {
    return this.#next >= this.recipients.length;
  }

  add(count: number): void {
    const end = Math.min(this.#next + count, this.recipients.length);
    for (; this.#next < end; this.#next++) {
      const recipient = this.recipients[this.#next] as string;
      const reason = this.reasonOf(recipient);
      if (reason === null) {
        this.#allowed?.push(recipient);
      } else {
        this.#allowed ??= this.recipients.slice(0, this.#next);
        const group = this.#held.get(reason);
        if (group === undefined) {
          this.#held.set(reason, [recipient]);
        } else {
          group.push(recipient);
        }
      }
    }
  }

  result(): Groups<Reason> {
    return { allowed: this.#allowed ?? this.recipients, held: this.#held };
  }
}

async function groupMany<Reason>(grouping: Grouping<Reason>): Promise<Groups<Reason>> {
  for (grouping.add(PER_TURN); !grouping.isDone; grouping.add(PER_TURN)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return grouping.result();
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
  const grouping = new Grouping(recipients, reasonOf);
  if (recipients.length > FEW) {
    return groupMany(grouping);
  }
  grouping.add(recipients.length);
  return grouping.result();
}
