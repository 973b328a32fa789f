import type { DuplicateMemory } from "./duplicate-memory";
import type { Entered, EventLedger, LedgerEntry } from "./event-ledger";

/** What an account without a store does with an event before the flow gets it. */
export interface EventBook {
  enter(entry: LedgerEntry): Pick<Entered, "channel" | "sentBack">;
}

/** Where there is no account. */
const NO_BOOK: EventBook = { enter: () => ({ channel: null, sentBack: () => {} }) };

/** The events of a webhook in memory. */
export class MemoryLedger implements EventLedger {
  readonly hasRoom = true;

  constructor(
    private readonly memory: DuplicateMemory,
    private readonly book: EventBook = NO_BOOK,
  ) {}

  isCopy(key: string, unique: boolean): boolean {
    return unique ? this.memory.isDone(key) : this.memory.takeCut(key);
  }

  enter(entry: LedgerEntry): Entered {
    const seen = this.memory.wasSeen(entry.key);
    return { duplicate: false, seen, elsewhere: false, message: null, ...this.book.enter(entry) };
  }

  passed(key: string): void {
    this.memory.noteSeen(key);
  }

  done(key: string): void {
    this.memory.noteDone(key);
  }

  cut(key: string): void {
    this.memory.noteCut(key);
  }
}
