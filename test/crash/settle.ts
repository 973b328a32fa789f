import { arrivalsOf } from "../support/crash/arrivals";
import type { LedgerEntry } from "./read-ledger";
import type { FlowLog } from "../support/crash/flow-log";
import { groupBreach } from "../support/crash/group-breach";
import { emptyRow, type KindRow, withSum } from "../support/crash/kind-row";
import type { ServiceProcess } from "../support/crash/service-process";
import { KINDS, type PlannedMessage } from "../support/crash/traffic";

/** What there is to compare when a run is over. */
export interface Observed {
  readonly planned: readonly PlannedMessage[];
  /** Ids of the messages that were taken. */
  readonly taken: ReadonlySet<string>;
  /** Numbers whose request was marked as leaving when a process was killed, with the number of that kill, from 1. */
  readonly underWay: ReadonlyMap<string, number>;
  /** What the flow saw. */
  readonly seen: Pick<FlowLog, "results" | "groups" | "caught" | "life">;
  readonly service: Pick<ServiceProcess, "arrivals" | "accepted" | "strange">;
  /** What was wrong already at a kill. */
  readonly breaches: readonly string[];
}

export interface Settled {
  /** A row for each kind, the sum last. */
  readonly rows: readonly KindRow[];
  /** Every breach in words. */
  readonly breaches: readonly string[];
}

/**
 * Holds the service's log, the ledger and what the flow saw against each other, person by person.
 * @param ledger by number; null for a run without a store
 */
export function settle(
  observed: Observed,
  ledger: ReadonlyMap<string, readonly LedgerEntry[]> | null,
): Settled {
  const rows = new Map(KINDS.map((kind) => [kind, emptyRow(kind)]));
  const breaches = [...observed.breaches];
  const { seen, service, planned } = observed;
  for (const caught of seen.caught) breaches.push(`an error reached a Catch node: ${caught}`);
  for (const strange of service.strange) breaches.push(`a request without a number: ${strange}`);
  for (const message of planned) {
    const row = rows.get(message.kind) ?? emptyRow(message.kind);
    row.messages++;
    for (const number of message.recipients) settlePerson(observed, ledger, message, number, row, breaches);
    const group = groupBreach(seen, message, (life) => life < seen.life);
    if (group !== null) breaches.push(group);
  }
  return { rows: withSum([...rows.values()]), breaches };
}

function settlePerson(
  observed: Observed,
  ledger: ReadonlyMap<string, readonly LedgerEntry[]> | null,
  { id }: PlannedMessage,
  number: string,
  row: KindRow,
  breaches: string[],
): void {
  const { service, taken, underWay } = observed;
  const seen = observed.seen.results.get(number) ?? [];
  const arrivals = service.arrivals.get(number) ?? [];
  const { unclear, surelyNotTaken, repeatedAfterUncertain } = arrivalsOf(arrivals);
  const accepted = service.accepted.get(number) ?? 0;
  const entries = ledger?.get(number) ?? [];
  const [entry] = entries;
  const outcome = ledger === null ? (seen[0]?.outcome ?? null) : (entry?.outcome ?? null);
  const breach = (what: string): void => {
    breaches.push(
      `${id} ${number}: ${what} (ledger ${JSON.stringify(entries)}, seen ${JSON.stringify(seen)}, ` +
        `arrivals ${JSON.stringify(arrivals)}, accepted ${accepted}, under way at kill ${underWay.get(number) ?? "none"})`,
    );
  };
  row.people++;
  if (accepted > 1) {
    row.sentTwice++;
    breach("sent more than once");
  }
  if (repeatedAfterUncertain) breach("requested again although it may have arrived");
  if (taken.has(id)) {
    if (outcome === null && accepted === 0) row.lost++;
    if (outcome === null || (ledger !== null && (entries.length !== 1 || entry?.state !== "emitted"))) {
      row.withoutOutcome++;
      breach("has not exactly one outcome");
    }
  } else if (ledger !== null) {
    breach("was never taken");
  }
  if (seen.length > 1) row.repeated++;
  if (outcome === null) return;
  if (seen.length === 0) row.unseen++;
  if (seen.some((each) => each.outcome !== outcome))
    breach("the flow saw another outcome than the ledger has");
  if (seen.filter(({ restored }) => !restored).length > 1) breach("seen twice, and not marked as restored");
  if (seen.some(({ mark }) => mark !== id)) breach("came back without a property of its message");
  const killed = underWay.has(number);
  if (outcome === "unknown") {
    if (killed) row.unknownByKill++;
    else row.unknownByFault++;
    if (!killed && !unclear) breach("unknown, but neither a kill nor a cut came while it was under way");
    if (ledger !== null && killed !== (entry?.settledBy === "orphan")) breach("unknown for another reason");
    if (killed && seen.some(({ restored }) => !restored)) breach("orphaned, and not marked as restored");
    return;
  }
  if (killed && ledger !== null) breach("was under way at a kill, and is not unknown");
  if (outcome === "sent" || outcome === "queued") {
    row.accepted++;
    if (accepted !== 1) breach("called sent, but the service did not take it");
  } else {
    row.refused++;
    if (accepted > 0 || !surelyNotTaken) {
      breach("called not sent, which nobody can say");
    }
  }
}
