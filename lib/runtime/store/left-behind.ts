import { atMost } from "../../shared/async/at-most";
import type { FormerPlace, LeftBehindView } from "../../shared/history/history";
import { StoreError } from "../../store/engine/store-error";
import type { Engine } from "../../store/engine/engine";
import { Store } from "../../store/store";
import { FormerPlaces } from "./former-places";
import { finishMoves, type MovePlace, moveMessages } from "./move-messages";
import { type AccountStore, instanceIn, openStore, shareEngine } from "./open-store";
import type { IsInFlows } from "./removed-accounts";
import type { StoreSettings } from "./store-settings";

/** ms for which a look counts: each one may open a file. */
const FRESH = 15_000;
/** ms for which an account that ends waits for a place that does not answer. */
const LEAVING = 5_000;

/** What is known of an account. */
export interface LeftBehindAccount {
  readonly id: string;
  readonly userDir: string | undefined;
  readonly isInFlows: IsInFlows;
  /** Where it keeps messages; null for memory. @throws SetupError */
  readonly settings: () => StoreSettings | null;
  /** @throws SetupError, StoreError */
  readonly openStore: () => Promise<AccountStore | null>;
  /** The key of its sensitive texts in a place. @throws SetupError, StoreError */
  readonly textKey: (place: StoreSettings) => Promise<Buffer>;
}

/** Requests of an account that have not left. @throws StoreError */
export async function waitingFor(store: Store, account: string): Promise<number> {
  const { ready, waiting, held, parked } = await store.backlog.counts(account);
  return ready + waiting + held + parked;
}

/** What waits where an account kept its messages before. */
export class LeftBehind {
  readonly #places: FormerPlaces;
  #looking: Promise<LeftBehindView> | null = null;
  #lookedAt = 0;
  #moving: Promise<number> | null = null;
  /** Requests that were on their way here at the last look. */
  #coming = 0;
  #closed = false;

  constructor(private readonly account: LeftBehindAccount) {
    this.#places = FormerPlaces.of(account.id, account.userDir);
  }

  /** Whether the account has kept messages in another place before. @throws SetupError */
  async mayBe(): Promise<boolean> {
    return (await this.#places.since(this.account.settings())).length > 0;
  }

  /** @throws SetupError, StoreError */
  async look(): Promise<LeftBehindView> {
    if (this.#looking === null || performance.now() - this.#lookedAt > FRESH) {
      this.#lookedAt = performance.now();
      this.#looking = this.#look();
    }
    try {
      return await this.#looking;
    } catch (error) {
      this.#looking = null;
      throw error;
    }
  }

  /** Brings here what waits in former places. @returns number of requests @throws SetupError, StoreError */
  move(): Promise<number> {
    return this.#withPlaces(moveMessages);
  }

  /** Brings here what was on its way when it was interrupted. @returns number of requests @throws SetupError, StoreError */
  async finish(): Promise<number> {
    await this.look();
    return this.#coming === 0 ? 0 : this.#withPlaces(finishMoves);
  }

  /**
   * No further place is opened: none must be after its account has ended. Resolves when nothing is looked at or moved any more, or after
   * five seconds.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await atMost(LEAVING, Promise.allSettled([this.#looking, this.#moving]));
  }

  *#untilClosed(places: readonly StoreSettings[]): Iterable<StoreSettings> {
    for (const place of places) {
      if (this.#closed) {
        return;
      }
      yield place;
    }
  }

  /** One at a time. */
  #withPlaces(bring: typeof moveMessages): Promise<number> {
    const moving = (this.#moving ?? Promise.resolve(0)).catch(() => 0).then(() => this.#bring(bring));
    this.#moving = moving;
    return moving;
  }

  async #bring(bring: typeof moveMessages): Promise<number> {
    const { id, isInFlows, settings, textKey } = this.account;
    const present = settings();
    const opened = present === null ? null : await this.account.openStore();
    if (present === null || opened === null) {
      return 0;
    }
    const release = opened.retain();
    const here: MovePlace = { opened, textKey: () => textKey(present) };
    let moved = 0;
    let failure: Error | null = null;
    try {
      for (const place of this.#untilClosed(await this.#places.since(present))) {
        try {
          const former = await openStore(id, place, isInFlows);
          try {
            moved += await bring({ opened: former, textKey: () => textKey(place) }, here);
          } finally {
            await former.release();
          }
        } catch (error) {
          // What waits elsewhere comes all the same.
          failure ??= error as Error;
        }
      }
    } finally {
      this.#looking = null;
      await release();
    }
    if (failure !== null) {
      throw failure;
    }
    return moved;
  }

  async #look(): Promise<LeftBehindView> {
    const present = this.account.settings();
    const former = await this.#places.since(present);
    const opened = former.length === 0 && present === null ? null : await this.account.openStore();
    const isHere = opened === null ? "" : await opened.store.moves.place();
    const all = opened === null ? null : await opened.store.moves.underWay(this.account.id, "");
    // What goes from here to a place that is not known.
    let interrupted = all?.elsewhere ?? 0;
    const places: FormerPlace[] = [];
    this.#coming = 0;
    for (const place of this.#untilClosed(former)) {
      const found = await this.#lookAt(place, isHere, opened);
      interrupted += found.elsewhere - found.goingThere;
      if (found.former !== null) {
        places.push(found.former);
      } else if (found.elsewhere === 0) {
        await this.#places.forget(place);
      }
    }
    return { places, toMemory: present === null, interrupted };
  }

  /** @param here id of the present place; blank for memory */
  async #lookAt(settings: StoreSettings, here: string, present: AccountStore | null) {
    const { id } = this.account;
    const { engine, release } = await shareEngine(settings);
    try {
      const store = new Store(engine, { keepTexts: settings.keepTexts });
      const own = await store.moves.place();
      if (own === here) {
        // The same place by another name.
        return { former: null, elsewhere: 0, goingThere: 0 };
      }
      const [counted, gathered, coming, going] = await Promise.all([
        waitingFor(store, id),
        store.digests(id).gathered(),
        store.moves.underWay(id, here),
        present?.store.moves.underWay(id, own),
      ]);
      const goingThere = going?.requests ?? 0;
      const waiting = counted + coming.requests + goingThere;
      const former: FormerPlace | null =
        waiting + gathered === 0
          ? null
          : {
              place: engine.place,
              waiting,
              gathered,
              usedElsewhere: await isUsedElsewhere(store, engine, id),
              problem: null,
            };
      this.#coming += coming.requests;
      return { former, elsewhere: coming.elsewhere, goingThere };
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      const { place, withoutPlace: problem } = error;
      return {
        former: { place, waiting: 0, gathered: 0, usedElsewhere: false, problem },
        elsewhere: 0,
        goingThere: 0,
      };
    } finally {
      await release();
    }
  }
}

/** Whether other processes that are alive send what waits there. */
async function isUsedElsewhere(store: Store, engine: Engine, account: string): Promise<boolean> {
  if (engine.exclusive) {
    return false;
  }
  const instances = store.instances(await instanceIn(engine));
  await instances.findDead();
  return (await instances.nodesElsewhere(account)).length > 0;
}
