import { arrivalsOf } from "../support/crash/arrivals";
import type { SeenResult } from "../support/crash/flow-log";
import { groupBreach } from "../support/crash/group-breach";
import { emptyRow, type KindRow, withSum } from "../support/crash/kind-row";
import type { ServiceProcess } from "../support/crash/service-process";
import { KINDS, type PlannedMessage } from "../support/crash/traffic";
import type { LedgerEntry } from "./cluster-database";
import type { Disturbance } from "./disturbances";
import { handInKey } from "./hand-in";
import { disturbancesOf, type Owner, wasKilled } from "./owner";
import type { SeenByAll } from "./seen-by-all";

/** What there is to compare when a run is over. */
export interface Observed {
  readonly planned: readonly PlannedMessage[];
  /** Numbers whose request was marked as leaving by a process when it was killed, with the number of that kill, from 1. */
  readonly underWay: ReadonlyMap<string, number>;
  readonly disturbances: readonly Disturbance[];
  /** The process behind each instance of the store. */
  readonly owners: ReadonlyMap<string, Owner>;
  readonly seen: SeenByAll;
  /** The life that each hand-in went to, by `handInKey`. */
  readonly takers: ReadonlyMap<string, number>;
  /** Ids of messages whose people a deploy kept from a Join node. */
  readonly ungrouped: ReadonlySet<string>;
  readonly service: Pick<ServiceProcess, "arrivals" | "accepted" | "strange">;
  /** What was wrong already during the run. */
  readonly breaches: readonly string[];
}

export interface Settled {
  /** A row for each kind, the sum last. */
  readonly rows: readonly KindRow[];
  /** Every breach in words, each with the key of its message. */
  readonly breaches: readonly string[];
}

/** A node says so when a message is surely not in the store; the driver hands it in again. */
export const REFUSED = "STORE_UNAVAILABLE";
/** So it does where nobody can say whether the store has it, and the node stops. */
export const UNCERTAIN = "STORE_UNCERTAIN";
/** Without a heartbeat for the lease of 60 s an instance is called dead; it sends its heartbeats every 5 s. */
const LEASE = 60_000;
const LEAST_SILENCE = LEASE - 10_000;

/**
 * Holds the record of the service, the store, and what the flows of all Node-REDs saw against each other, person by person.
 * @param ledger by number
 */
export function settle(observed: Observed, ledger: ReadonlyMap<string, readonly LedgerEntry[]>): Settled {
  const rows = new Map(KINDS.map((kind) => [kind, emptyRow(kind)]));
  const breaches = [...observed.breaches];
  const { seen, service, planned, ungrouped } = observed;
  for (const caught of seen.caught) breaches.push(`an error reached a Catch node: ${caught}`);
  for (const strange of service.strange) breaches.push(`a request without a number: ${strange}`);
  for (const message of planned) {
    const row = rows.get(message.kind) ?? emptyRow(message.kind);
    row.messages++;
    for (const number of message.recipients) {
      new Person(observed, message, number, ledger.get(number) ?? [], row, breaches).settle();
    }
    if (ungrouped.has(message.id)) continue;
    const group = groupBreach(seen, message, seen.hasEnded);
    if (group !== null) breaches.push(group);
  }
  return { rows: withSum([...rows.values()]), breaches };
}

/** One recipient of one message. */
class Person {
  readonly #arrivals: readonly (string | null)[];
  readonly #accepted: number;
  /** Without those that say that the store could not be written. */
  readonly #seen: readonly SeenResult[];
  readonly #entry: LedgerEntry | undefined;

  constructor(
    private readonly observed: Observed,
    private readonly message: PlannedMessage,
    private readonly number: string,
    private readonly entries: readonly LedgerEntry[],
    private readonly row: KindRow,
    private readonly breaches: string[],
  ) {
    const { service, seen } = observed;
    this.#arrivals = service.arrivals.get(number) ?? [];
    this.#accepted = service.accepted.get(number) ?? 0;
    this.#seen = (seen.results.get(number) ?? []).filter(({ statusName }) => statusName !== REFUSED);
    [this.#entry] = entries;
  }

  settle(): void {
    const { row } = this;
    row.people++;
    if (this.#accepted > 1) {
      row.sentTwice++;
      this.#breach("sent more than once");
    }
    if (arrivalsOf(this.#arrivals).repeatedAfterUncertain) {
      this.#breach("requested again although it may have arrived");
    }
    if (this.#isDoubted) {
      row.unknownByFault++;
      return;
    }
    const outcome = this.#entry?.outcome ?? null;
    if (outcome === null && this.#accepted === 0) row.lost++;
    if (outcome === null || this.entries.length !== 1 || this.#entry?.state !== "emitted") {
      row.withoutOutcome++;
      this.#breach("has not exactly one outcome");
    }
    if (outcome === null) return;
    this.#checkSeen(outcome);
    this.#checkOutcome(outcome);
  }

  /** Its node stopped while nobody could say whether the store had the message. It had not, and the flow was told that nobody knows. */
  get #isDoubted(): boolean {
    const [only, ...others] = this.#seen;
    const isUncertain = only?.statusName === UNCERTAIN && others.length === 0;
    return isUncertain && this.entries.length === 0 && this.#arrivals.length === 0;
  }

  #checkSeen(outcome: string): void {
    const seen = this.#seen;
    if (seen.length > 1) this.row.repeated++;
    if (seen.length === 0) {
      this.row.unseen++;
      this.#breach("no flow saw its result");
    }
    const differing = seen.filter((each) => each.outcome !== outcome);
    if (differing.some((each) => each.outcome !== "unknown" || !this.#mayHaveBeenUnknown)) {
      this.#breach("a flow saw another outcome than the store has");
    }
    const original = seen.filter(({ restored }) => !restored);
    if (original.length > 1) this.#breach("seen twice, and not marked as restored");
    const { takers } = this.observed;
    if (original.some(({ mark, attempt, life }) => takers.get(handInKey(String(mark), attempt)) !== life)) {
      this.#breach("not marked as restored, although another process took it");
    }
    if (seen.some(({ mark }) => mark !== this.message.id))
      this.#breach("came back without a property of its message");
  }

  #checkOutcome(outcome: string): void {
    const { row } = this;
    const { unclear, surelyNotTaken } = arrivalsOf(this.#arrivals);
    const killed = this.observed.underWay.has(this.number);
    if (outcome === "unknown") {
      const disturbed = this.#isOrphan || !unclear;
      if (disturbed) row.unknownByKill++;
      else row.unknownByFault++;
      if (this.#isOrphan && !killed && !this.#wasSilent) {
        this.#breach("called unknown although its process was neither killed nor silent for the lease");
      }
      if (!this.#isOrphan && !unclear && this.#disturbances.length === 0) {
        this.#breach("unknown, but nothing was done to its process while it was under way");
      }
      return;
    }
    if (killed && !(outcome === "sent" && this.#entry?.settledBy === "event")) {
      this.#breach("was under way at a kill, and is neither unknown nor proved by an event");
    }
    if (outcome === "sent" || outcome === "queued") {
      row.accepted++;
      if (this.#accepted !== 1) this.#breach("called sent, but the service did not take it");
    } else {
      row.refused++;
      if (this.#accepted > 0 || !surelyNotTaken) this.#breach("called not sent, which nobody can say");
    }
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

  #breach(what: string): void {
    const { number, entries, observed, message } = this;
    const { name = "nobody" } = this.#owner ?? {};
    this.breaches.push(
      `${message.id} ${number}: ${what} (store ${JSON.stringify(entries)} of ${name}, ` +
        `seen ${JSON.stringify(observed.seen.results.get(number) ?? [])}, arrivals ${JSON.stringify(this.#arrivals)}, ` +
        `accepted ${this.#accepted}, under way at kill ${observed.underWay.get(number) ?? "none"})`,
    );
  }
}
