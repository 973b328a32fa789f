import type { Entered, EventLedger, LedgerEntry } from "../../../lib/webhook/event-ledger";

/** Keeps the keys of events in sets. */
export class SetLedger implements EventLedger {
  readonly hasRoom = true;
  readonly doneKeys = new Set<string>();
  readonly seenKeys = new Set<string>();
  readonly #cutKeys = new Set<string>();

  isCopy(key: string, unique: boolean): boolean {
    return unique ? this.doneKeys.has(key) : this.#cutKeys.delete(key);
  }

  async enter({ key }: LedgerEntry): Promise<Entered> {
    const seen = this.seenKeys.has(key);
    this.seenKeys.add(key);
    return { duplicate: false, seen, elsewhere: false, message: null, channel: null, sentBack: () => {} };
  }

  done(key: string): void {
    this.doneKeys.add(key);
  }

  cut(key: string): void {
    this.#cutKeys.add(key);
  }
}
