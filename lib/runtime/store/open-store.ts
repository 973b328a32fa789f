import type { Engine } from "../../store/engine/engine";
import { sharePostgresql } from "../../store/engine/postgresql/shared-postgresql";
import { MemoryEngine } from "../../store/engine/sqlite/memory-engine";
import { loadSqlite } from "../../store/engine/sqlite/sqlite-driver";
import { type SharedEngine, shareSqlite } from "../../store/engine/sqlite/shared-sqlite";
import { call } from "../../store/engine/query";
import type { Instances } from "../../store/instances";
import { COUNTS } from "../../store/jobs/backlog";
import { acceptingStatements, EVICTIONS } from "../../store/retention";
import { Store } from "../../store/store";
import { keepCleaning } from "./keep-cleaning";
import type { IsInFlows } from "./removed-accounts";
import { type RegistrationListener, StoreRegistration } from "./store-registration";
import { MEMORY_SETTINGS, type StoreSettings } from "./store-settings";
import { getScope, SIMULATOR } from "../../store/schema/scope";

/** All accounts of this process with the same store share an engine. */
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
  accepting: acceptingStatements,
  evictions: EVICTIONS,
});

const NO_ACCOUNT = "";

export function countInMemory(account: string): { readonly unsent: number; readonly unknown: number } {
  const [counts] = MEMORY.runSync(call(COUNTS, account));
  const count = (name: string): number => Number(counts?.[name] ?? 0);
  return {
    unsent: count("ready") + count("waiting") + count("paused") + count("orphaned"),
    unknown: count("sending"),
  };
}

/** @throws StoreError */
export async function openMemoryStore(): Promise<AccountStore> {
  const opened = await openStore(NO_ACCOUNT, MEMORY_SETTINGS);
  return { ...opened, retain: () => opened.release };
}

interface Shared {
  readonly registration: Promise<StoreRegistration>;
  users: number;
}

const registrations = new Map<Engine, Shared>();

export interface AccountStore {
  readonly account: string;
  readonly destination: string;
  /** Live or simulated, by `getScope`. */
  readonly scope: string;
  readonly store: Store;
  readonly instances: Instances;
  readonly settings: StoreSettings;
  readonly watch: (listener: RegistrationListener) => () => void;
  /** Keeps the store open beyond the account, for a node that ends later. Not after `release`. */
  readonly retain: () => () => Promise<void>;
  /** The last release of all accounts closes the file. Called once. */
  readonly release: () => Promise<void>;
  /** Replaces `release` if the file lacks the registration of this process; the next user registers again. */
  readonly leave: () => Promise<void>;
}

/** The first account recovers the work of ended processes. @param isInFlows enables deletion of removed accounts */
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
    // A failure is not cached: its cause may be gone at the next account.
    forget();
    await release();
    throw error;
  }
}
