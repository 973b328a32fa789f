import type { LedgerEntry } from "./read-ledger";
import type { FlowLog } from "./flow-log";
import type { ServiceProcess, Treatment } from "./service-process";
import { KINDS, type Kind, peopleOf, type PlannedMessage } from "./traffic";

/** What came of the messages of one kind. All numbers but the first count people. */
export interface KindRow {
  readonly kind: Kind | "all";
  messages: number;
  people: number;
  /** Taken by the service, which said so. */
  accepted: number;
  /** Surely not taken by the service. */
  refused: number;
  /** `unknown` because a kill came while the request was under way. */
  unknownByKill: number;
  /** `unknown` because of what service and network did. */
  unknownByFault: number;
  sentTwice: number;
  /** Taken, and neither sent nor given an outcome. */
  lost: number;
  /** Taken, without exactly one outcome. */
  withoutOutcome: number;
  /** The flow saw the result more than once. */
  repeated: number;
  /** The flow never saw the result, although the ledger has it. */
  unseen: number;
}

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

/** The service surely did not take such a request. */
const NOT_TAKEN = /^(statusCode (5003|4023|4031)|HTTP 429)$/;
/** After such an answer the request may be sent again. */
const MAY_REPEAT = /^(statusCode (5003|4023)|HTTP 429)$/;
/** The client cannot know whether the request was taken. */
const UNCLEAR = /^(statusCode 5000|HTTP 50[23]|[a-z-]+)$/;

const emptyRow = (kind: KindRow["kind"]): KindRow => ({
  kind,
  messages: 0,
  people: 0,
  accepted: 0,
  refused: 0,
  unknownByKill: 0,
  unknownByFault: 0,
  sentTwice: 0,
  lost: 0,
  withoutOutcome: 0,
  repeated: 0,
  unseen: 0,
});

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
    breaches.push(...groupBreaches(observed, message));
  }
  const all = emptyRow("all");
  for (const row of rows.values()) {
    for (const [key, value] of Object.entries(row)) {
      if (typeof value === "number") (all as unknown as Record<string, number>)[key]! += value;
    }
  }
  return { rows: [...rows.values(), all], breaches };
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
  if (repeatedAfterUncertain(arrivals)) breach("requested again although it may have arrived");
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
    const cut = arrivals.some((each) => each !== null && UNCLEAR.test(each));
    if (killed) row.unknownByKill++;
    else row.unknownByFault++;
    if (!killed && !cut) breach("unknown, but neither a kill nor a cut came while it was under way");
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
    if (accepted > 0 || arrivals.some((each) => each === null || !NOT_TAKEN.test(each))) {
      breach("called not sent, which nobody can say");
    }
  }
}

/** Only after an answer that surely means "not taken, try again" may another request come. */
function repeatedAfterUncertain(arrivals: readonly Treatment[]): boolean {
  return arrivals.slice(0, -1).some((each) => each === null || !MAY_REPEAT.test(each));
}

/**
 * A Join node must have got all results of a message, which it can only collect in one life of its process: at least one group with
 * all people, each once, or all results in a life that a kill ended before the group had gone on.
 */
function groupBreaches({ seen }: Observed, message: PlannedMessage): readonly string[] {
  const people = peopleOf(message);
  if (people.length === 1) return [];
  const wanted = [...people].sort().join();
  const groups = seen.groups.get(message.id) ?? [];
  const lives = people.map((person) => new Set((seen.results.get(person) ?? []).map(({ life }) => life)));
  const [first, ...others] = lives;
  const wholeLives = [...(first ?? [])].filter((life) => others.every((each) => each.has(life)));
  if (groups.length === 0) {
    const list = lives.slice(0, 10).map((each) => [...each].join("+"));
    return wholeLives.length > 0 && wholeLives.every((life) => life < seen.life)
      ? []
      : [`${message.id}: Join got no complete group; lives of its results: ${list.join(", ")}`];
  }
  return groups.some((group) => [...group].sort().join() !== wanted)
    ? [`${message.id}: Join made a group of other people`]
    : [];
}
