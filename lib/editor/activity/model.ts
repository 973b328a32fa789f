import {
  type ActivityEntry,
  type ActivityMinute,
  type ActivityState,
  type Counted,
  type AccountTally,
  type Counters,
  countedAs,
  MINUTES,
  MOST_ENTRIES,
  MOST_REFUSALS,
  minuteOf,
  type RefusalEntry,
  type RunningSend,
} from "../../shared/activity";

export type ShownEntry = ActivityEntry | RefusalEntry;

export interface ActivityFilter {
  /** Words that an entry must all contain; case is ignored. */
  readonly text: string;
  /** Only this result; null for all. */
  readonly result: Counted | null;
  /** Whether the node of an entry is wanted. */
  readonly wants: (entry: ActivityEntry) => boolean;
  /** Ids of entries, refusals aside, that are about the number that `text` is; absent where it is none. */
  readonly found?: ReadonlySet<number> | null;
}

/** The difference that a new state makes. */
export interface Change {
  /** New entries, and refusals whose count rose, oldest first. */
  readonly added: readonly ShownEntry[];
  /** Entries that were there and say more now. */
  readonly changed: readonly ShownEntry[];
  /** All earlier entries are void. */
  readonly replaced: boolean;
}

/** The activity as the editor knows it; independent of the page. */
export class ActivityModel {
  #epoch = "";
  /** Number of the latest change of an entry up to which none is missing; whoever polls sets it. */
  changesTo = 0;
  /** All but refusals. */
  #ring: ActivityEntry[] = [];
  /** The latest refusal is the last one. */
  #refusals: RefusalEntry[] = [];
  #entries: readonly ShownEntry[] = [];
  #tallies: readonly AccountTally[] = [];
  /** Epoch ms of the start of Node-RED, or of the last time the list was cleared; 0 before the first answer. */
  since = 0;
  cleared = false;
  running: readonly RunningSend[] = [];
  runningCount = 0;

  get epoch(): string {
    return this.#epoch;
  }

  /** Oldest first, refusals at the time of their last one; at most `MOST_ENTRIES`, and `MOST_REFUSALS` besides. */
  get entries(): readonly ShownEntry[] {
    return this.#entries;
  }

  /** Id of the newest entry, refusals aside: an answer has all before it that are kept. */
  get completeTo(): number {
    return this.#ring.at(-1)?.id ?? 0;
  }

  /** Applies an answer of the runtime. It may repeat what is known. */
  take(state: ActivityState): Change {
    const replaced = state.epoch !== this.#epoch;
    if (replaced) {
      this.#epoch = state.epoch;
      this.#ring = [];
      this.#refusals = [];
    }
    const changed = this.#takeChanges(state.entries);
    const added = new Set<ShownEntry>([
      ...this.#takeEntries(state.entries),
      ...this.#takeRefusals(state.refusals),
    ]);
    this.#entries = merged(inOrder(this.#ring), this.#refusals);
    this.#tallies = state.tallies;
    this.since = state.since;
    this.cleared = state.cleared;
    this.running = state.running;
    this.runningCount = state.runningCount;
    return {
      added: this.#entries.filter((entry) => added.has(entry)),
      changed,
      replaced,
    };
  }

  /** Puts entries that say more than before into the places of those that they were. */
  #takeChanges(entries: readonly ActivityEntry[]): readonly ActivityEntry[] {
    const newer = new Map(entries.map((entry) => [entry.id, entry]));
    const changed: ActivityEntry[] = [];
    this.#ring = this.#ring.map((known) => {
      const entry = newer.get(known.id);
      if (entry === undefined || (entry.progress?.change ?? 0) <= (known.progress?.change ?? 0)) {
        return known;
      }
      changed.push(entry);
      return entry;
    });
    return changed;
  }

  #takeEntries(entries: readonly ActivityEntry[]): readonly ActivityEntry[] {
    const known = new Set(this.#ring.map(({ id }) => id));
    const added = entries.filter(({ id }) => !known.has(id));
    this.#ring = [...this.#ring, ...added].sort((one, other) => one.id - other.id).slice(-MOST_ENTRIES);
    return added;
  }

  #takeRefusals(refusals: readonly RefusalEntry[]): readonly RefusalEntry[] {
    const known = new Map(this.#refusals.map((refusal) => [refusal.id, refusal.times]));
    const changed = refusals.filter(({ id, times }) => times > (known.get(id) ?? 0));
    const ids = new Set(changed.map(({ id }) => id));
    this.#refusals = [...this.#refusals.filter(({ id }) => !ids.has(id)), ...changed]
      .sort((one, other) => one.at - other.at)
      .slice(-MOST_REFUSALS);
    return changed;
  }

  counters(account: string): Counters {
    const sum: Partial<Record<Counted, number>> = {};
    for (const { counters } of this.#talliesOf(account)) {
      for (const [result, n] of Object.entries(counters) as [Counted, number][]) {
        sum[result] = (sum[result] ?? 0) + n;
      }
    }
    return sum;
  }

  /** One bucket for each minute up to `now`, oldest first, empty ones too. */
  minutes(now: number, account: string): readonly ActivityMinute[] {
    const sums = new Map<number, ActivityMinute>();
    for (const each of this.#talliesOf(account).flatMap(({ minutes }) => minutes)) {
      const sum = sums.get(each.minute);
      sums.set(each.minute, sum === undefined ? each : plus(sum, each));
    }
    const last = minuteOf(now);
    return Array.from({ length: MINUTES }, (_unused, at) => {
      const minute = last - MINUTES + 1 + at;
      return sums.get(minute) ?? { minute, accepted: 0, failed: 0, received: 0 };
    });
  }

  /** The tallies of an account, and of nodes without an account. */
  #talliesOf(account: string): readonly AccountTally[] {
    return this.#tallies.filter(
      // An account inside a subflow has in each instance the id of the instance before its own.
      (each) => ["", account].includes(each.account) || each.account.endsWith(`-${account}`),
    );
  }
}

const plus = (one: ActivityMinute, other: ActivityMinute): ActivityMinute => ({
  minute: one.minute,
  accepted: one.accepted + other.accepted,
  failed: one.failed + other.failed,
  received: one.received + other.received,
});

/** As things happened: a request before the replies that were noted first, and without reports that stand in its entry. */
function inOrder(ring: readonly ActivityEntry[]): readonly ActivityEntry[] {
  if (!ring.some(({ before, folded }) => before !== undefined || folded)) {
    return ring;
  }
  const placeOf = ({ id, before }: ActivityEntry): number => (before === undefined ? id : before - 0.5);
  return ring
    .filter(({ folded }) => !folded)
    .sort((one, other) => placeOf(one) - placeOf(other) || one.id - other.id);
}

/** Sorts each refusal behind the entries before its latest occurrence. */
function merged(ring: readonly ActivityEntry[], refusals: readonly RefusalEntry[]): readonly ShownEntry[] {
  const entries: ShownEntry[] = [];
  let next = 0;
  for (const refusal of refusals) {
    for (let entry = ring[next]; entry !== undefined && entry.at <= refusal.at; entry = ring[++next]) {
      entries.push(entry);
    }
    entries.push(refusal);
  }
  return [...entries, ...ring.slice(next)];
}

/** Whether an entry counts all refusals of a kind. */
export const isRefusal = (entry: ShownEntry): entry is RefusalEntry => "times" in entry;

/** @param textOf the complete text of an entry */
export function passes(
  entry: ShownEntry,
  { text, result, wants, found }: ActivityFilter,
  textOf: (entry: ShownEntry) => string,
): boolean {
  if ((result !== null && !counts(entry, result)) || !wants(entry)) {
    return false;
  }
  if (found?.has(entry.id) === true && !isRefusal(entry)) {
    return true;
  }
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return true;
  }
  const readable = textOf(entry).toLowerCase();
  return words.every((word) => readable.includes(word));
}

/** Reports are counted as received, and stand in the entry of their message. */
const counts = (entry: ShownEntry, result: Counted): boolean =>
  countedAs(entry) === result || (result === "received" && (entry.progress?.status ?? "") !== "");
