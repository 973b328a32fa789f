import { existsSync } from "node:fs";
import { join } from "node:path";
import { STORE_FILE } from "../../shared/own-files";
import { storeFeatures } from "../../store/feature";
import { Store } from "../../store/store";
import { shareEngine } from "./open-store";
import { isSamePlace, type StoreSettings } from "./store-settings";

const lastSettings = new Map<string, StoreSettings>();

/** Counts unsent messages, and what features have not sent. @throws StoreError */
export async function countWaiting(store: Store, account: string): Promise<number> {
  const { ready, waiting, paused, orphaned } = await store.backlog.counts(account);
  let sum = ready + waiting + paused + orphaned;
  for (const { countWaiting } of storeFeatures()) {
    sum += (await countWaiting?.(store.engine, account)) ?? 0;
  }
  return sum;
}

/** Returns null if the storage has not changed. @throws StoreError */
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
