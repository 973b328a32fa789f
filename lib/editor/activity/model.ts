import {
  type ActivityEntry,
  type ActivityMinute,
  type ActivityState,
  type Counted,
  type Counters,
  MINUTES,
  MOST_ENTRIES,
  minuteOf,
  type RunningSend,
} from "../../shared/activity";

/** What is to be seen of the entries. */
export interface ActivityFilter {
  /** Words that all have to stand somewhere in an entry; case does not count. */
  readonly text: string;
  /** Only this result; null for all. */
  readonly result: Counted | null;
  /** Whether the node of an entry is wanted; null for all. */
  readonly wants: ((entry: ActivityEntry) => boolean) | null;
}

/** What a new state brought. */
export interface Change {
  /** Entries that were not there before, oldest first. */
  readonly added: readonly ActivityEntry[];
  /** All that was there before is void. */
  readonly replaced: boolean;
  /** Entries in between were left out: a look at the whole brings them. */
  readonly incomplete: boolean;
}

/** What the editor knows of the activity; knows nothing of the page. */
export class ActivityModel {
  #epoch = "";
  #entries: ActivityEntry[] = [];
  #minutes = new Map<number, ActivityMinute>();
  counters: Counters = {};
  running: readonly RunningSend[] = [];
  runningCount = 0;

  get epoch(): string {
    return this.#epoch;
  }

  /** Oldest first, at most `MOST_ENTRIES`. */
  get entries(): readonly ActivityEntry[] {
    return this.#entries;
  }

  /** Id of the newest entry before which none is missing, so far as there are any. */
  get completeTo(): number {
    let known = this.#entries[0]?.id ?? 0;
    for (const { id } of this.#entries) {
      if (id > known + 1) {
        break;
      }
      known = id;
    }
    return known;
  }

  /** Takes in a snapshot or an update, in whatever order they come. */
  take(state: ActivityState): Change {
    const replaced = state.epoch !== this.#epoch;
    if (replaced) {
      this.#epoch = state.epoch;
      this.#entries = [];
      this.#minutes.clear();
    }
    const known = new Set(this.#entries.map(({ id }) => id));
    const added = state.entries.filter(({ id }) => !known.has(id));
    this.#entries = [...this.#entries, ...added].sort((one, other) => one.id - other.id).slice(-MOST_ENTRIES);
    for (const bucket of state.minutes) {
      this.#minutes.set(bucket.minute, bucket);
    }
    this.counters = state.counters;
    this.running = state.running;
    this.runningCount = state.runningCount;
    return { added, replaced, incomplete: !this.#isComplete(state.last) };
  }

  #isComplete(last: number): boolean {
    const { length } = this.#entries;
    const first = this.#entries[0]?.id ?? last + 1;
    return last - first + 1 === length && length >= Math.min(last, MOST_ENTRIES);
  }

  /** One bucket for each minute up to `now`, oldest first, empty ones too. */
  minutes(now: number): readonly ActivityMinute[] {
    const last = minuteOf(now);
    for (const minute of this.#minutes.keys()) {
      if (minute <= last - MINUTES) {
        this.#minutes.delete(minute);
      }
    }
    return Array.from({ length: MINUTES }, (_unused, at) => {
      const minute = last - MINUTES + 1 + at;
      return this.#minutes.get(minute) ?? { minute, accepted: 0, failed: 0, received: 0 };
    });
  }
}

/** @param textOf all that is to be read of an entry */
export function passes(
  entry: ActivityEntry,
  { text, result, wants }: ActivityFilter,
  textOf: (entry: ActivityEntry) => string,
): boolean {
  if ((result !== null && entry.result !== result) || wants?.(entry) === false) {
    return false;
  }
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return true;
  }
  const readable = textOf(entry).toLowerCase();
  return words.every((word) => readable.includes(word));
}
