import type { NewEvent } from "../../store/events/deliveries";
import { SHORT_MEMORY } from "../../webhook/duplicate-memory";
import { ExpiringCounts } from "../../webhook/expiring-counts";
import { SpareNames } from "../../webhook/spare-names";

/** Events of each kind whose keys are remembered, and for how many ms: a service redelivers inbound messages sooner than that. */
const MOST = 10_000;
const AGE = 48 * 3_600_000;

/** The events that an account knows, by what a copy would do, so that many of one kind do not push out another. */
export class KnownEvents {
  readonly #optOuts: ExpiringCounts;
  readonly #inbounds: ExpiringCounts;
  /** A status says no more when it comes again. */
  readonly #statuses: ExpiringCounts;
  readonly #sentBack = new Map<string, SpareNames>();

  constructor(now: () => number) {
    this.#optOuts = new ExpiringCounts(AGE, MOST, now);
    this.#inbounds = new ExpiringCounts(AGE, MOST, now);
    this.#statuses = new ExpiringCounts(SHORT_MEMORY, MOST, now);
  }

  /** Notes an event. @returns false where it was noted before */
  isNew({ key, kind, optOut }: Pick<NewEvent, "key" | "kind" | "optOut">): boolean {
    const keys = optOut !== null ? this.#optOuts : kind === "inbound" ? this.#inbounds : this.#statuses;
    if (keys.has(key)) {
      return false;
    }
    keys.set(key, 1);
    return true;
  }

  /** Events without an id that a webhook has sent back: the next equal one is the redelivery. */
  sentBack(receiver: string): SpareNames {
    const names = this.#sentBack.get(receiver) ?? new SpareNames();
    this.#sentBack.set(receiver, names);
    return names;
  }
}
