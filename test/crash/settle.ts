import { arrivalsOf } from "../support/crash/arrivals";
import type { FlowLog } from "../support/crash/flow-log";
import {
  checkOutcome,
  checkRequests,
  type ObservedRun,
  type Person,
  type Settled,
  settlePeople,
} from "../support/crash/settle-people";
import type { LedgerEntry } from "./read-ledger";

export interface Observed extends ObservedRun {
  /** Ids of the messages that were taken. */
  readonly taken: ReadonlySet<string>;
  readonly seen: Pick<FlowLog, "results" | "groups" | "caught" | "life">;
}

/**
 * Holds the service's log, the ledger and what the flow saw against each other, person by person.
 * @param ledger by number; null for a run without a store
 */
export function settle(
  observed: Observed,
  ledger: ReadonlyMap<string, readonly LedgerEntry[]> | null,
): Settled {
  return settlePeople(
    observed,
    (number) => JSON.stringify(ledger?.get(number) ?? []),
    (life) => life < observed.seen.life,
    new Set(),
    (person) => settlePerson(observed, ledger === null ? null : (ledger.get(person.number) ?? []), person),
  );
}

/** @param entries null without a store */
function settlePerson(
  { seen: { results }, taken, underWay }: Observed,
  entries: readonly LedgerEntry[] | null,
  person: Person,
): void {
  const { message, number, row, breach, accepted } = person;
  const seen = results.get(number) ?? [];
  const outcome = (entries === null ? seen : entries)[0]?.outcome ?? null;
  checkRequests(person);
  if (taken.has(message.id)) {
    if (outcome === null && accepted === 0) row.lost++;
    if (outcome === null || (entries !== null && (entries.length !== 1 || entries[0]?.state !== "emitted"))) {
      row.withoutOutcome++;
      breach("has not exactly one outcome");
    }
  } else if (entries !== null) {
    breach("was never taken");
  }
  if (seen.length > 1) row.repeated++;
  if (outcome === null) return;
  if (seen.length === 0) row.unseen++;
  if (seen.some((each) => each.outcome !== outcome))
    breach("the flow saw another outcome than the store has");
  if (seen.filter(({ restored }) => !restored).length > 1) breach("seen twice, and not marked as restored");
  if (seen.some(({ mark }) => mark !== message.id)) breach("came back without a property of its message");
  const killed = underWay.has(number);
  if (outcome !== "unknown") {
    if (killed && entries !== null) breach("was under way at a kill, and is not unknown");
    checkOutcome(person, outcome);
    return;
  }
  if (killed) row.unknownByKill++;
  else row.unknownByFault++;
  if (!killed && !arrivalsOf(person.arrivals).unclear) {
    breach("unknown, but neither a kill nor a cut came while it was under way");
  }
  if (entries !== null && killed !== (entries[0]?.settledBy === "orphan")) {
    breach("unknown for another reason");
  }
  if (killed && seen.some(({ restored }) => !restored)) breach("orphaned, and not marked as restored");
}
