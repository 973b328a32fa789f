import { randomUUID } from "node:crypto";
import { WEBHOOK_RANGES } from "../../shared/fields/webhook-defaults";
import type { Engine } from "../../store/engine/engine";
import { shareSqlite } from "../../store/engine/shared-sqlite";
import { BEAT_INTERVAL, type Instances } from "../../store/instances";
import { Store } from "../../store/store";
import type { StoreSettings } from "./store-settings";

/** ms between two slices of deleting what is old, while there is more, and when there is none. */
const NEXT_SLICE = 200;
const NEXT_CLEANING = 60 * 60 * 1000;
/** ms for which a webhook may remember duplicates at most. */
const DUPLICATES = WEBHOOK_RANGES.rememberHours.max * 60 * 60 * 1000;
/** ms after which rows of processes that ended are deleted. */
const FORGET_AFTER = 24 * 60 * 60 * 1000;

/** The life of this process in one database, shared by its accounts. */
interface Life {
  readonly engine: Engine;
  readonly instances: Instances;
  users: number;
  readonly end: () => Promise<void>;
}

const lives = new Map<Engine, Promise<Life>>();

async function begin(engine: Engine): Promise<Life> {
  const store = new Store(engine, { keepTexts: false });
  const instances = store.instances(randomUUID());
  await instances.start();
  await store.recovery.settleOrphans();
  for (
    let stale = await store.recovery.unsealed(100);
    stale.length > 0;
    stale = await store.recovery.unsealed(100)
  ) {
    for (const { key } of stale) {
      await store.jobs.abandon(key);
    }
  }
  await store.recovery.finishQueueing();
  await instances.forget(FORGET_AFTER);
  // Nobody else can have an exclusive database open, so nobody asks whether this process is alive.
  const beat = engine.exclusive
    ? undefined
    : setInterval(() => void instances.beat().catch(() => {}), BEAT_INTERVAL);
  beat?.unref();
  return {
    engine,
    instances,
    users: 0,
    end: async () => {
      clearInterval(beat);
      await instances.leave().catch(() => {});
    },
  };
}

/** An account's part of a store. */
export interface AccountStore {
  /** Name of the account in the store. */
  readonly account: string;
  readonly store: Store;
  /** This process. */
  readonly instances: Instances;
  readonly settings: StoreSettings;
  /**
   * Keeps the store open beyond the account, for a node that finishes after it. Not after `release`.
   * @returns gives it back, like `release`
   */
  readonly hold: () => () => Promise<void>;
  /** Gives the store back; the last user of all accounts closes the file. Called once. */
  readonly release: () => Promise<void>;
}

/**
 * Opens the store of an account, and recovers at the first one what ended processes have left: what was leaving is `unknown` now.
 * @throws StoreError
 */
export async function openStore(account: string, settings: StoreSettings): Promise<AccountStore> {
  const { engine, release } = await shareSqlite(settings.folder);
  try {
    let starting = lives.get(engine);
    if (starting === undefined) {
      starting = begin(engine);
      lives.set(engine, starting);
    }
    const life = await starting;
    life.users++;
    const store = new Store(engine, { keepTexts: settings.keepTexts });
    const stopCleaning = keepCleaning(store, account, settings.keepFor);
    let users = 1;
    const leave = async (): Promise<void> => {
      users--;
      if (users > 0) {
        return;
      }
      stopCleaning();
      life.users--;
      if (life.users === 0) {
        lives.delete(engine);
        await life.end();
      }
      await release();
    };
    return {
      account,
      store,
      instances: life.instances,
      settings,
      hold: () => {
        users++;
        let held = true;
        return async () => {
          if (held) {
            held = false;
            await leave();
          }
        };
      },
      release: leave,
    };
  } catch (error) {
    // The next account tries anew: the cause may be gone.
    lives.delete(engine);
    await release();
    throw error;
  }
}

/** Deletes what is older than it may be, from time to time. @returns ends it */
function keepCleaning(store: Store, account: string, keepFor: number): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const clean = async (): Promise<void> => {
    await store.forgetDuplicates(DUPLICATES).catch(() => {});
    const more = await store.retention.deleteOld(account, keepFor).catch(() => false);
    if (!stopped) {
      timer = setTimeout(() => void clean(), more ? NEXT_SLICE : NEXT_CLEANING).unref();
    }
  };
  timer = setTimeout(() => void clean(), NEXT_SLICE).unref();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
