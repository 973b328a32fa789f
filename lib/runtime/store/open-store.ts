import { randomUUID } from "node:crypto";
import { allUnwritten } from "../../gateway/queue/unwritten";
import { WEBHOOK_RANGES } from "../../shared/fields/webhook-defaults";
import type { Engine } from "../../store/engine/engine";
import { BEAT_INTERVAL, type Instances } from "../../store/instances";
import { Store } from "../../store/store";
import { keepCleaning } from "./keep-cleaning";
import { deleteRemoved, type IsInFlows, type OpenAccount } from "./removed-accounts";
import { shareEngine } from "./share-engine";
import type { StoreSettings } from "./store-settings";

/** ms for which a webhook may remember duplicates at most. */
const DUPLICATES = WEBHOOK_RANGES.rememberHours.max * 60 * 60 * 1000;
/** ms after which rows of processes that ended are deleted. */
const FORGET_AFTER = 24 * 60 * 60 * 1000;

/** The life of this process in one database, shared by its accounts. */
interface Life {
  readonly engine: Engine;
  readonly instances: Instances;
  users: number;
  readonly accounts: Set<OpenAccount>;
  readonly end: () => Promise<void>;
}

const lives = new Map<Engine, Promise<Life>>();

async function begin(engine: Engine, isInFlows: IsInFlows): Promise<Life> {
  const store = new Store(engine, { keepTexts: false });
  const instances = store.instances(randomUUID());
  await instances.start();
  // What this process knows better is not `unknown`.
  for (const unwritten of allUnwritten(engine.place).values()) {
    await unwritten.writeReleases(store.requests);
    await unwritten.writeOutcomes(store.requests);
  }
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
  const accounts = new Set<OpenAccount>();
  const stopCleaning = keepCleaning(async () => {
    await store.forgetDuplicates(DUPLICATES).catch(() => {});
    return deleteRemoved(store.retention, accounts, isInFlows);
  });
  return {
    engine,
    instances,
    users: 0,
    accounts,
    end: async () => {
      stopCleaning();
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
): Promise<AccountStore> {
  const { engine, release } = await shareEngine(settings);
  const starting = lives.get(engine) ?? begin(engine, isInFlows);
  lives.set(engine, starting);
  const forget = (): void => {
    if (lives.get(engine) === starting) {
      lives.delete(engine);
    }
  };
  try {
    const life = await starting;
    life.users++;
    const opened = { account, keepFor: settings.keepFor };
    life.accounts.add(opened);
    const store = new Store(engine, { keepTexts: settings.keepTexts });
    const stopCleaning = keepCleaning(() => store.retention.deleteOld(account, settings.keepFor));
    let users = 1;
    const giveBack = async (): Promise<void> => {
      users--;
      if (users > 0) {
        return;
      }
      stopCleaning();
      life.accounts.delete(opened);
      life.users--;
      if (life.users === 0) {
        forget();
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
