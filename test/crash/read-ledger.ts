import { shareSqlite } from "../../lib/store/engine/sqlite/shared-sqlite";
import { Store } from "../../lib/store/store";

/** What the history of the store says of one recipient of one request. */
export interface LedgerEntry {
  readonly state: string;
  readonly outcome: string | null;
  readonly settledBy: string | null;
}

const PAGE = 2_000;

/** Reads the whole history of an account, by number, as the sidebar does. Nobody else may have the store open. */
export async function readLedger(
  folder: string,
  account: string,
): Promise<ReadonlyMap<string, readonly LedgerEntry[]>> {
  const ledger = new Map<string, LedgerEntry[]>();
  const { engine, release } = await shareSqlite(folder);
  try {
    const { history } = new Store(engine, { keepTexts: false });
    for (let page = await history.search({ account }, null, PAGE); page.length > 0; ) {
      for (const { number, state, outcome, settledBy } of page) {
        const entries = ledger.get(number) ?? [];
        entries.push({ state, outcome, settledBy });
        ledger.set(number, entries);
      }
      page = await history.search({ account }, page.at(-1)?.cursor ?? null, PAGE);
    }
    return ledger;
  } finally {
    await release();
  }
}
