import { atMost } from "../../../lib/shared/async/at-most";
import { CancelSignal } from "../../../lib/gateway/http/cancel-signal";
import { REAL_TIMING, type Timing } from "../../../lib/gateway/http/timing";
import {
  type Emission,
  getEmissionName,
  type DigestCounts,
  type DigestOrder,
  type NewItem,
} from "../store/digest";
import { Digests } from "../store/digests";
import { SetupError } from "../../../lib/shared/messaging-error";
import type { Account } from "../../../lib/runtime/account/account";
import type { FlowLifecycle } from "../../../lib/runtime/node-red/flow-lifecycle";
import { Throttle } from "../../../lib/runtime/node-red/throttle";
import type { AccountStore } from "../../../lib/runtime/store/open-store";
import { Alarm } from "../../../lib/runtime/waits/alarm";
import { CurrentStore } from "../../../lib/runtime/waits/current-store";
import { deleteTexts } from "./sensitive-items";

/** An open store with the digests of its account. */
interface DigestPlace {
  readonly opened: AccountStore;
  readonly digests: Digests;
}

/** A message-digest node that runs. */
export interface DigestListener {
  /** If it throws, the emission is repeated. */
  emit(emission: Emission): void;
  counted(counts: DigestCounts): void;
  /** The store does not work, or works again. */
  trouble(error: Error | null): void;
}

/** Departures of one page; each may list a hundred messages. */
const PAGE = 10;
/** ms until a store that failed is asked again. */
const RETRY = 1_000;
/** ms between two counts for the badge. */
const COUNTED = 500;
/**
 * ms between an emission and its record in the store: a send node stores the message meanwhile. After a kill or a stop of the flows in
 * between, the emission is repeated as restored.
 */
const WRITTEN_AFTER = 50;
/** ms for the last writes of a node that closes. */
const LAST_WRITES = 4_000;

/**
 * Emissions that are not written to the store, by name. This process never repeats an `emitted` one; an `uncertain` one, during which the flows
 * stopped, is repeated as restored.
 */
type Emitted = Map<string, "emitted" | "uncertain">;
const emittedByAccount = new Map<string, Emitted>();

function getEmitted(account: string): Emitted {
  const known = emittedByAccount.get(account) ?? new Map();
  emittedByAccount.set(account, known);
  return known;
}

/** Collects the messages of one node, and emits due digests. Has one timer. */
export class DigestKeeper {
  readonly #store: CurrentStore;
  #place: DigestPlace | null = null;
  readonly #alarm: Alarm;
  readonly #emitted: Emitted;
  /** Claimed and not emitted. */
  #claimed: readonly Emission[] = [];
  readonly #counting: Throttle;
  readonly #follows: readonly (() => void)[];
  /** Counts stops of flows, with which later nodes may have ended. */
  #stops = 0;
  #unemitted: Error | null = null;
  #next: number | null = null;
  #scanning: Promise<void> | null = null;
  #isScanDue = false;
  #isFailing = false;
  readonly #closing = new CancelSignal();

  /** @param node identity of the node */
  constructor(
    account: Account,
    private readonly node: string,
    private readonly lifecycle: FlowLifecycle,
    private readonly listener: DigestListener,
    private readonly timing: Timing = REAL_TIMING,
  ) {
    this.#emitted = getEmitted(account.id);
    const scan = (): void => this.#scheduleScan();
    this.#store = new CurrentStore(
      {
        openStore: () => this.#openStore(account),
        leaveStore: (opened) => account.leaveStore(opened),
      },
      {
        entered: (opened) => {
          this.#place = { opened, digests: opened.store.of(Digests, opened.account) };
        },
        died: scan,
        beat: scan,
        over: scan,
      },
    );
    this.#alarm = new Alarm(timing, () => this.#scheduleScan());
    this.#counting = new Throttle(
      () => void this.#count(),
      () => COUNTED,
    );
    // From here on the store stays open, also for messages that are under way when the flows stop.
    void this.place().catch(() => {});
    this.#follows = [
      lifecycle.onStarted(() => this.#scheduleScan()),
      lifecycle.onStopping(() => this.#stops++),
    ];
    if (lifecycle.running) {
      this.#scheduleScan();
    }
  }

  get #closed(): boolean {
    return this.#closing.stopped;
  }

  /** @throws StoreError, SetupError */
  async place(): Promise<DigestPlace> {
    await this.#store.get();
    return this.#place as DigestPlace;
  }

  /** Opens the store. The node may close after the account, and continues with the store that it has. */
  async #openStore(account: Account): Promise<AccountStore> {
    try {
      return await account.store();
    } catch (error) {
      if (this.#place !== null && error instanceof SetupError && error.code === "ACCOUNT_CLOSED") {
        return this.#place.opened;
      }
      throw error;
    }
  }

  /** When this resolves the message is on the disk, where there is one. @throws StoreError, SetupError: it is not gathered, or with `uncertain` may be */
  async add(item: NewItem): Promise<void> {
    const { digests } = await this.place();
    this.#wakeAt(await digests.add(this.node, item));
  }

  /** @param key null for all keys of the node @throws StoreError, SetupError */
  async order(key: string | null, order: DigestOrder): Promise<void> {
    const { digests } = await this.place();
    await digests.order(this.node, key, order);
    this.#scheduleScan();
  }

  /**
   * Finishes emissions, and starts no others. Collected messages stay.
   * @param added resolves when messages under way are collected
   */
  async close(added: Promise<void> = Promise.resolve()): Promise<void> {
    this.#stops++;
    this.#closing.stop();
    for (const end of this.#follows) {
      end();
    }
    this.#alarm.close();
    this.#counting.close();
    await Promise.all([added, atMost(LAST_WRITES, this.#scanning ?? Promise.resolve())]);
    await this.#release();
    await this.#store.close();
  }

  async #release(): Promise<void> {
    // The next node of this process emits what a late scan claims.
    if (this.#scanning !== null || this.#claimed.length === 0) {
      return;
    }
    try {
      const { digests } = await this.place();
      await digests.release(this.#claimed, false);
    } catch {
      // The next node of this process emits them.
    }
  }

  #wakeAt(at: number): void {
    this.#counting.ask();
    if (at <= this.timing.now()) {
      this.#scheduleScan();
    } else if (this.#next === null || at < this.#next) {
      this.#next = at;
      this.#alarm.set(at);
    }
  }

  /** Scans soon, or once more where a scan is under way. */
  #scheduleScan(): void {
    this.#isScanDue = true;
    if (!this.#closed) {
      this.#scanning ??= this.#scanAll();
    }
  }

  async #scanAll(): Promise<void> {
    // Requests of one turn share a scan.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#isScanDue && !this.#closed && this.lifecycle.running) {
      this.#isScanDue = false;
      try {
        await this.#scan();
        this.#worked();
      } catch (error) {
        this.#failed(error as Error);
        break;
      }
    }
    this.#scanning = null;
  }

  /** @throws StoreError, SetupError */
  async #scan(): Promise<void> {
    const place = await this.place();
    const problem = await this.#emitAll(place);
    // Messages that are added meanwhile set an earlier time.
    this.#next = null;
    const next = await place.digests.nextWake(this.node);
    if (next !== null && (this.#next === null || next < this.#next)) {
      this.#next = next;
    }
    const pause = this.#mayEmit(place) ? 1 : RETRY;
    this.#alarm.set(this.#next === null ? null : Math.max(this.#next, this.timing.now() + pause));
    this.#counting.ask();
    if (problem !== null) {
      throw problem;
    }
  }

  /** Emits all that is due. @returns the error of one that was not emitted @throws StoreError, SetupError */
  async #emitAll(place: DigestPlace): Promise<Error | null> {
    const { digests, opened } = place;
    this.#unemitted = null;
    for (let isDone = false; !isDone && this.#mayEmit(place); ) {
      const page = await digests.claimEmissions(this.node, opened.instances.id, PAGE);
      const emitted = page.filter((emission) => this.#emitted.get(getEmissionName(emission)) === "emitted");
      this.#claimed = page.filter((emission) => !emitted.includes(emission));
      const now = this.#claimed.filter((emission) => this.#emit(emission, place));
      this.#claimed = this.#claimed.filter((emission) => !now.includes(emission));
      isDone = page.length < PAGE || this.#claimed.length > 0;
      if (now.length > 0 && (await this.#areReceived())) {
        emitted.push(...now);
      } else if (now.length > 0) {
        await this.#repeat(now, digests);
      }
      if (emitted.length > 0) {
        await digests.emitted(emitted);
        this.#written(emitted);
        for (const emission of emitted) {
          deleteTexts(emission);
        }
      }
    }
    return this.#unemitted;
  }

  #mayEmit(place: DigestPlace): boolean {
    return !this.#closed && this.lifecycle.running && place.opened.instances.mayLeave;
  }

  /** True if later nodes have had time to store it. */
  async #areReceived(): Promise<boolean> {
    const stops = this.#stops;
    await this.timing.sleep(WRITTEN_AFTER, this.#closing);
    return stops === this.#stops;
  }

  /** Releases emissions that later nodes may not have received, to be repeated as restored. @throws StoreError */
  async #repeat(emissions: readonly Emission[], digests: Digests): Promise<void> {
    for (const emission of emissions) {
      this.#emitted.set(getEmissionName(emission), "uncertain");
    }
    this.#isScanDue = true;
    await digests.release(emissions, true);
    this.#written(emissions);
  }

  #written(emissions: readonly Emission[]): void {
    for (const emission of emissions) {
      this.#emitted.delete(getEmissionName(emission));
    }
  }

  /** @returns whether it was emitted */
  #emit(emission: Emission, place: DigestPlace): boolean {
    if (!this.#mayEmit(place)) {
      return false;
    }
    const name = getEmissionName(emission);
    const isRestored = emission.restored || this.#emitted.has(name);
    try {
      this.listener.emit({ ...emission, restored: isRestored });
    } catch (error) {
      this.#unemitted = error as Error;
      return false;
    }
    this.#emitted.set(name, "emitted");
    return true;
  }

  async #count(): Promise<void> {
    try {
      const { digests } = await this.place();
      const counts = await digests.counts(this.node);
      if (!this.#closed) {
        this.listener.counted(counts);
      }
    } catch {
      // The next scan reports the error.
    }
  }

  #failed(error: Error): void {
    if (!this.#closed) {
      this.#isFailing = true;
      this.listener.trouble(error);
      this.#next = this.timing.now() + RETRY;
      this.#alarm.set(this.#next);
    }
  }

  #worked(): void {
    if (this.#isFailing) {
      this.#isFailing = false;
      this.listener.trouble(null);
    }
  }
}
