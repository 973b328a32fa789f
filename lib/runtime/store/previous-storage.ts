import { existsSync } from "node:fs";
import { join } from "node:path";
import { STORE_FILE } from "../../shared/own-files";
import { Store } from "../../store/store";
import { shareEngine } from "./open-store";
import { isSamePlace, type StoreSettings } from "./store-settings";

/** Storage of each account at its last start in this process. */
const lastSettings = new Map<string, StoreSettings>();

/** Counts messages of an account that are neither sent nor being sent, those in digests included. @throws StoreError */
export async function countWaiting(store: Store, account: string): Promise<number> {
  const [{ ready, waiting, paused, orphaned }, gathered] = await Promise.all([
    store.backlog.counts(account),
    store.digests(account).gathered(),
  ]);
  return ready + waiting + paused + orphaned + gathered;
}

/**
 * Counts messages that wait in the storage that the account had at its last start.
 * @param settings the current storage
 * @returns null if the storage is the same
 * @throws StoreError
 */
export async function countInPreviousStorage(
  account: string,
  settings: StoreSettings,
): Promise<{ readonly place: string; readonly waiting: number } | null> {
  const previous = lastSettings.get(account);
  lastSettings.set(account, settings);
  if (previous === undefined || isSamePlace(previous, settings) || isFileMissing(previous)) {
    return null;
  }
  const { engine, release } = await shareEngine(previous);
  try {
    const waiting = await countWaiting(new Store(engine, { keepTexts: false }), account);
    return { place: engine.place, waiting };
  } finally {
    await release();
  }
}

/** Opening a missing file would create it. */
const isFileMissing = ({ folder }: StoreSettings): boolean =>
  folder !== undefined && !existsSync(join(folder, STORE_FILE));
