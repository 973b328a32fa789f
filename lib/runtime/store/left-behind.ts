import { existsSync } from "node:fs";
import { join } from "node:path";
import { STORE_FILE } from "../../shared/own-files";
import { Store } from "../../store/store";
import { shareEngine } from "./share-engine";
import type { StoreSettings } from "./store-settings";

/** Where accounts kept messages last, by their id, as long as this process lives. */
const places = new Map<string, StoreSettings>();

/** Messages that wait where an account no longer looks. */
export interface LeftBehind {
  readonly count: number;
  /** For people: the path of the file, or host and name of the database. */
  readonly place: string;
}

const isSame = (one: StoreSettings, other: StoreSettings | null): boolean =>
  other !== null &&
  one.folder === other.folder &&
  one.database?.url === other.database?.url &&
  one.database?.schema === other.database?.schema;

/**
 * What waits in the former place of an account since it keeps messages in another one, or in memory. Said once for each change.
 * @param settings where it keeps them now; null for memory
 * @throws StoreError where the former place cannot be read
 */
export async function leftBehind(
  account: string,
  settings: StoreSettings | null,
): Promise<LeftBehind | null> {
  const before = places.get(account);
  if (settings === null) {
    places.delete(account);
  } else {
    places.set(account, settings);
  }
  return before === undefined || isSame(before, settings) || isGone(before)
    ? null
    : waitingIn(before, account);
}

/** Nothing waits in a file that is gone, and to look would make it again. */
const isGone = ({ folder }: StoreSettings): boolean =>
  folder !== undefined && !existsSync(join(folder, STORE_FILE));

async function waitingIn(settings: StoreSettings, account: string): Promise<LeftBehind | null> {
  const { engine, release } = await shareEngine(settings);
  try {
    const count = await waitingFor(new Store(engine, { keepTexts: settings.keepTexts }), account);
    return count === 0 ? null : { count, place: engine.place };
  } finally {
    await release();
  }
}

/** Requests of an account that have not left. @throws StoreError */
export async function waitingFor(store: Store, account: string): Promise<number> {
  const { ready, waiting, held, parked } = await store.requests.counts(account);
  return ready + waiting + held + parked;
}
