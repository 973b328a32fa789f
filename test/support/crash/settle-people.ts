import { arrivalsOf } from "./arrivals";
import type { FlowLog } from "./flow-log";
import { groupBreach } from "./group-breach";
import { emptyRow, type KindRow, withSum } from "./kind-row";
import type { ServiceProcess, Treatment } from "./service-process";
import { KINDS, type PlannedMessage } from "./traffic";

/** What there is to compare when a run is over. */
export interface ObservedRun {
  readonly planned: readonly PlannedMessage[];
  /** Numbers whose request was marked as leaving when a process was killed, with the number of that kill, from 1. */
  readonly underWay: ReadonlyMap<string, number>;
  /** What the flows saw. */
  readonly seen: Pick<FlowLog, "results" | "groups"> & { readonly caught: readonly string[] };
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

/** One recipient of one message, and the records of it. */
export interface Person {
  readonly message: PlannedMessage;
  readonly number: string;
  readonly row: KindRow;
  /** The requests for it that reached the service. */
  readonly arrivals: readonly Treatment[];
  /** How often the service took the message. */
  readonly accepted: number;
  /** Notes what is wrong, with all the records. */
  readonly breach: (what: string) => void;
}

/**
 * Holds the records of the service against what the flows saw, and gives each recipient to `settlePerson`, which knows the store.
 * @param inStore what the store says of a number, for a breach
 * @param hasEnded whether a life of Node-RED ended by force
 * @param ungrouped ids of messages whose people may not come to a Join node together
 */
export function settlePeople(
  { planned, underWay, seen, service, breaches: before }: ObservedRun,
  inStore: (number: string) => string,
  hasEnded: (life: number) => boolean,
  ungrouped: ReadonlySet<string>,
  settlePerson: (person: Person) => void,
): Settled {
  const rows = new Map(KINDS.map((kind) => [kind, emptyRow(kind)]));
  const breaches = [...before];
  for (const caught of seen.caught) breaches.push(`an error reached a Catch node: ${caught}`);
  for (const strange of service.strange) breaches.push(`a request without a number: ${strange}`);
  for (const message of planned) {
    const row = rows.get(message.kind) ?? emptyRow(message.kind);
    row.messages++;
    for (const number of message.recipients) {
      row.people++;
      const arrivals = service.arrivals.get(number) ?? [];
      const accepted = service.accepted.get(number) ?? 0;
      const breach = (what: string): void => {
        breaches.push(
          `${message.id} ${number}: ${what} (store ${inStore(number)}, seen ${JSON.stringify(seen.results.get(number) ?? [])}, ` +
            `arrivals ${JSON.stringify(arrivals)}, accepted ${accepted}, ` +
            `under way at kill ${underWay.get(number) ?? "none"})`,
        );
      };
      settlePerson({ message, number, row, arrivals, accepted, breach });
    }
    const group = ungrouped.has(message.id) ? null : groupBreach(seen, message, hasEnded);
    if (group !== null) breaches.push(group);
  }
  return { rows: withSum([...rows.values()]), breaches };
}

/** Nothing is sent twice, whatever its outcome is. */
export function checkRequests({ row, arrivals, accepted, breach }: Person): void {
  if (accepted > 1) {
    row.sentTwice++;
    breach("sent more than once");
  }
  if (arrivalsOf(arrivals).repeatedAfterUncertain) breach("requested again although it may have arrived");
}

/** An outcome other than `unknown` says what the service did. */
export function checkOutcome({ row, arrivals, accepted, breach }: Person, outcome: string): void {
  if (outcome === "sent" || outcome === "queued") {
    row.accepted++;
    if (accepted !== 1) breach("called sent, but the service did not take it");
  } else {
    row.refused++;
    if (accepted > 0 || !arrivalsOf(arrivals).surelyNotTaken) breach("called not sent, which nobody can say");
  }
}
