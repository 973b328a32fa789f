import type { Engine } from "../../store/engine/engine";
import { sharePostgresql } from "../../store/engine/postgresql/shared-postgresql";
import { MemoryEngine } from "../../store/engine/sqlite/memory-engine";
import { loadSqlite } from "../../store/engine/sqlite/sqlite-driver";
import { type SharedEngine, shareSqlite } from "../../store/engine/sqlite/shared-sqlite";
import { call } from "../../store/engine/query";
import type { Instances } from "../../store/instances";
import { COUNTS } from "../../store/jobs/backlog";
import { ACCEPTING, EVICTIONS } from "../../store/retention";
import { Store } from "../../store/store";
import { keepCleaning } from "./keep-cleaning";
import type { IsInFlows } from "./removed-accounts";
import { type RegistrationListener, StoreRegistration } from "./store-registration";
import { MEMORY_SETTINGS, type StoreSettings } from "./store-settings";
import { getScope, SIMULATOR } from "../../store/schema/scope";

/** The engine of an account's store: the same one for every account of this process that keeps its messages there. */
export async function shareEngine({ database, folder }: StoreSettings): Promise<SharedEngine> {
  if (database !== undefined) {
    return sharePostgresql(database);
  }
  return folder === undefined ? { engine: MEMORY, release: async () => {} } : shareSqlite(folder);
}

/** 64 MiB. It outlives the accounts that use it, so a deploy loses nothing. */
const MEMORY = new MemoryEngine(loadSqlite, {
  maxPages: 15_360,
  reservedPages: 1_024,
  accepting: ACCEPTING,
  evictions: EVICTIONS,
});

/** Name of webhooks without an account in the store. */
const NO_ACCOUNT = "";

/** Counts requests of an account in memory without a result. */
export function countInMemory(account: string): { readonly unsent: number; readonly unknown: number } {
  const [counts] = MEMORY.runSync(call(COUNTS, account));
  const count = (name: string): number => Number(counts?.[name] ?? 0);
  return {
    unsent: count("ready") + count("waiting") + count("paused") + count("orphaned"),
    unknown: count("sending"),
  };
}

/** Opens the process's memory for a webhook without an account, until it gives back what it retains. @throws StoreError */
export async function openMemoryStore(): Promise<AccountStore> {
  const opened = await openStore(NO_ACCOUNT, MEMORY_SETTINGS);
  return { ...opened, retain: () => opened.release };
}

/** A registration, and how many accounts use it. */
interface Shared {
  readonly registration: Promise<StoreRegistration>;
  users: number;
}

const registrations = new Map<Engine, Shared>();

/** An account's part of a store. */
export interface AccountStore {
  /** Name of the account in the store. */
  readonly account: string;
  /** Where its messages go: the address of the service, or `SIMULATOR`. */
  readonly destination: string;
  /** Live or simulated, by `getScope`. */
  readonly scope: string;
  readonly store: Store;
  /** This process. */
  readonly instances: Instances;
  readonly settings: StoreSettings;
  /** Tells of other processes that share the store. @returns ends it */
  readonly watch: (listener: RegistrationListener) => () => void;
  /**
   * Keeps the store open beyond the account, for a node that finishes after it. Not after `release`.
   * @returns gives it back, like `release`
   */
  readonly retain: () => () => Promise<void>;
  /** Gives the store back; the last user of all accounts closes the file. Called once. */
  readonly release: () => Promise<void>;
  /** As `release`, where the file does not know this process: whoever opens it next enters it anew. Called in place of `release`. */
  readonly leave: () => Promise<void>;
}

/**
 * Opens the store of an account, and recovers at the first one what ended processes have left: what was leaving is `unknown` now.
 * @param isInFlows counts for the first account of a store; without it what removed accounts have left stays
 * @throws StoreError
 */
export async function openStore(
  account: string,
  settings: StoreSettings,
  isInFlows: IsInFlows = () => true,
  destination = "",
): Promise<AccountStore> {
  const { engine, release } = await shareEngine(settings);
  const known = registrations.get(engine);
  const shared = known ?? { registration: StoreRegistration.begin(engine, isInFlows), users: 0 };
  registrations.set(engine, shared);
  const forget = (): void => {
    if (registrations.get(engine) === shared) {
      registrations.delete(engine);
    }
  };
  try {
    const registration = await shared.registration;
    if (shared.users++ === 0) {
      registration.watch({ over: forget });
    }
    const opened = { account, keepFor: settings.keepFor };
    if (account !== NO_ACCOUNT) {
      registration.accounts.add(opened);
    }
    const store = new Store(engine, { keepTexts: settings.keepTexts });
    const endCleaning = keepCleaning(() => store.retention.deleteOld(account, settings.keepFor));
    let users = 1;
    const giveBack = async (): Promise<void> => {
      users--;
      if (users > 0) {
        return;
      }
      endCleaning();
      registration.accounts.delete(opened);
      shared.users--;
      if (shared.users === 0) {
        forget();
        await registration.leave();
      }
      await release();
    };
    return {
      account,
      destination,
      scope: getScope(account, destination === SIMULATOR),
      store,
      instances: registration.instances,
      settings,
      watch: (listener) => registration.watch(listener),
      retain: () => {
        users++;
        let retained = true;
        return async () => {
          if (retained) {
            retained = false;
            await giveBack();
          }
        };
      },
      release: giveBack,
      leave: () => {
        forget();
        return giveBack();
      },
    };
  } catch (error) {
    // The next account tries anew: the cause may be gone.
    forget();
    await release();
    throw error;
  }
}
