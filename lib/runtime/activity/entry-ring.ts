import { type ActivityEntry, MOST_ENTRIES } from "../../shared/activity";
import type { Progress } from "./kept-entry";

/** The latest entries of the activity, `MOST_ENTRIES` at most, and which of them changed since. */
export class EntryRing {
  #entries: ActivityEntry[] = [];
  /** Id of the newest entry. */
  #last = 0;
  /** Number of the latest change of an entry; `clear` does not reset it. */
  #changes = 0;

  get last(): number {
    return this.#last;
  }

  get changes(): number {
    return this.#changes;
  }

  /** The id of the next entry, which `put` keeps. */
  nextId(): number {
    return ++this.#last;
  }

  put(entry: ActivityEntry): void {
    this.#entries[entry.id % MOST_ENTRIES] = entry;
  }

  /** Null for one that is gone. */
  find(id: number): ActivityEntry | null {
    const entry = this.#entries[id % MOST_ENTRIES];
    return entry?.id === id ? entry : null;
  }

  change(entry: ActivityEntry, progress: Progress): void {
    this.put({ ...entry, progress: { ...progress, change: ++this.#changes } });
  }

  clear(): void {
    this.#entries = [];
    this.#last = 0;
  }

  /** Entries that changed after a change, up to the entry with this id, and those after that; oldest first. */
  since(known: number, change: number): ActivityEntry[] {
    const isNews = ({ id, progress }: ActivityEntry): boolean =>
      id > known || (progress !== undefined && progress.change > change);
    return known === 0 || change === this.#changes ? this.#after(known) : this.#after(0).filter(isNews);
  }

  #after(id: number): ActivityEntry[] {
    const entries: ActivityEntry[] = [];
    for (let at = Math.max(id, this.#last - MOST_ENTRIES, 0) + 1; at <= this.#last; at++) {
      entries.push(this.#entries[at % MOST_ENTRIES] as ActivityEntry);
    }
    return entries;
  }
}
