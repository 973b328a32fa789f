import { arrivalsOf } from "../support/crash/arrivals";
import type { SeenResult } from "../support/crash/flow-log";
import {
  checkOutcome,
  checkRequests,
  type ObservedRun,
  type Person,
  type Settled,
  settlePeople,
} from "../support/crash/settle-people";
import type { LedgerEntry } from "./cluster-database";
import type { Disturbance } from "./disturbances";
import { handInKey } from "./hand-in";
import { disturbancesOf, type Owner, wasKilled } from "./owner";
import type { SeenByAll } from "./seen-by-all";

export interface Observed extends ObservedRun {
  readonly disturbances: readonly Disturbance[];
  /** The process behind each instance of the store. */
  readonly owners: ReadonlyMap<string, Owner>;
  readonly seen: SeenByAll;
  /** The life that each hand-in went to, by `handInKey`. */
  readonly takers: ReadonlyMap<string, number>;
  /** Ids of messages whose people a deploy kept from a Join node. */
  readonly ungrouped: ReadonlySet<string>;
}

/** A node says so when a message is surely not in the store; the driver hands it in again. */
const REFUSED = "STORE_UNAVAILABLE";
/** So it does where nobody can say whether the store has it, and the node stops. */
const UNCERTAIN = "STORE_UNCERTAIN";
/** Without a heartbeat for the lease of 60 s an instance is called dead; it sends its heartbeats every 5 s. */
const LEASE = 60_000;
const LEAST_SILENCE = LEASE - 10_000;

/**
 * Holds the record of the service, the store, and what the flows of all Node-REDs saw against each other, person by person.
 * @param ledger by number
 */
export function settle(observed: Observed, ledger: ReadonlyMap<string, readonly LedgerEntry[]>): Settled {
  const { seen, ungrouped, owners } = observed;
  const entriesOf = (number: string): readonly LedgerEntry[] => ledger.get(number) ?? [];
  const inStore = (number: string): string => {
    const { name = "nobody" } = owners.get(entriesOf(number)[0]?.owner ?? "") ?? {};
    return `${JSON.stringify(entriesOf(number))} of ${name}`;
  };
  return settlePeople(observed, inStore, seen.hasEnded, ungrouped, (person) =>
    new Settlement(observed, person, entriesOf(person.number)).check(),
  );
}

/** Of one recipient of one message. */
class Settlement {
  /** Without those that say that the store could not be written. */
  readonly #seen: readonly SeenResult[];
  readonly #entry: LedgerEntry | undefined;

  constructor(
    private readonly observed: Observed,
    private readonly person: Person,
    private readonly entries: readonly LedgerEntry[],
  ) {
    const seen = observed.seen.results.get(person.number) ?? [];
    this.#seen = seen.filter(({ statusName }) => statusName !== REFUSED);
    [this.#entry] = entries;
  }

  check(): void {
    const { row, accepted, breach } = this.person;
    checkRequests(this.person);
    if (this.#isDoubted) {
      row.unknownByFault++;
      return;
    }
    const outcome = this.#entry?.outcome ?? null;
    if (outcome === null && accepted === 0) row.lost++;
    if (outcome === null || this.entries.length !== 1 || this.#entry?.state !== "emitted") {
      row.withoutOutcome++;
      breach("has not exactly one outcome");
    }
    if (outcome === null) return;
    this.#checkSeen(outcome);
    if (outcome === "unknown") this.#checkUnknown();
    else this.#checkKnown(outcome);
  }

  /** Its node stopped while nobody could say whether the store had the message. It had not, and the flow was told that nobody knows. */
  get #isDoubted(): boolean {
    const [only, ...others] = this.#seen;
    const isUncertain = only?.statusName === UNCERTAIN && others.length === 0;
    return isUncertain && this.entries.length === 0 && this.person.arrivals.length === 0;
  }

  #checkSeen(outcome: string): void {
    const seen = this.#seen;
    const { row, message, breach } = this.person;
    if (seen.length > 1) row.repeated++;
    if (seen.length === 0) {
      row.unseen++;
      breach("no flow saw its result");
    }
    const differing = seen.filter((each) => each.outcome !== outcome);
    if (differing.some((each) => each.outcome !== "unknown" || !this.#mayHaveBeenUnknown)) {
      breach("a flow saw another outcome than the store has");
    }
    const original = seen.filter(({ restored }) => !restored);
    if (original.length > 1) breach("seen twice, and not marked as restored");
    const { takers } = this.observed;
    if (original.some(({ mark, attempt, life }) => takers.get(handInKey(String(mark), attempt)) !== life)) {
      breach("not marked as restored, although another process took it");
    }
    if (seen.some(({ mark }) => mark !== message.id)) breach("came back without a property of its message");
  }

  #checkUnknown(): void {
    const { row, arrivals, breach } = this.person;
    const { unclear } = arrivalsOf(arrivals);
    if (this.#isOrphan || !unclear) row.unknownByKill++;
    else row.unknownByFault++;
    if (this.#isOrphan && !this.#wasUnderWay && !this.#wasSilent) {
      breach("called unknown although its process was neither killed nor silent for the lease");
    }
    if (!this.#isOrphan && !unclear && this.#disturbances.length === 0) {
      breach("unknown, but nothing was done to its process while it was under way");
    }
  }

  #checkKnown(outcome: string): void {
    if (this.#wasUnderWay && !(outcome === "sent" && this.#entry?.settledBy === "event")) {
      this.person.breach("was under way at a kill, and is neither unknown nor proved by an event");
    }
    checkOutcome(this.person, outcome);
  }

  get #wasUnderWay(): boolean {
    return this.observed.underWay.has(this.person.number);
  }

  get #isOrphan(): boolean {
    return this.#entry?.settledBy === "orphan";
  }

  get #owner(): Owner | undefined {
    return this.observed.owners.get(this.#entry?.owner ?? "");
  }

  /** What was done to its process, or to PostgreSQL, while the request was under way. */
  get #disturbances(): readonly Disturbance[] {
    const { leftAt, settledAt } = this.#entry ?? {};
    return disturbancesOf(this.observed.disturbances, this.#owner, leftAt ?? 0, settledAt ?? 0);
  }

  /** Others may call its process dead. */
  get #wasSilent(): boolean {
    return this.#disturbances.some(({ from, to }) => to - from >= LEAST_SILENCE);
  }

  /** Others may have called it unknown before an event or a late answer said better. */
  get #mayHaveBeenUnknown(): boolean {
    const { settledBy } = this.#entry ?? {};
    return settledBy === "event" || wasKilled(this.#owner) || this.#disturbances.length > 0;
  }
}
