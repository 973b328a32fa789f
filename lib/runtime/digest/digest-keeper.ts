import { atMost } from "../../shared/async/at-most";
import { CancelSignal } from "../../gateway/http/cancel-signal";
import { REAL_TIMING, type Timing } from "../../gateway/http/timing";
import {
  type Departure,
  departureName,
  type DigestCounts,
  type DigestOrder,
  type NewItem,
} from "../../store/digest";
import type { Account } from "../account/account";
import { AccountMemory } from "../memory/account-memory";
import type { FlowLifecycle } from "../node-red/flow-lifecycle";
import { Throttle } from "../node-red/throttle";
import { Alarm } from "../waits/alarm";
import { CurrentPlace, type DigestPlace } from "./digest-place";

/** A message-digest node that runs. Its methods must not throw. */
export interface DigestListener {
  /** Sends what leaves. */
  emit(departure: Departure): void;
  /** Called before a page of departures is emitted. Where it rejects, nothing leaves, and it is called again. */
  prepare(departures: readonly Departure[]): Promise<void>;
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
 * ms from when digests leave until the store forgets them: a send node that they go to has them in the store before that. A kill between the two
 * would lose them; now they leave once more, marked.
 */
const FORGOTTEN = 50;
/** ms for the last writes of a node that closes. */
const LAST_WRITES = 4_000;

/**
 * Gathers the messages of one node, and brings to it what has to leave: when its time has come, when another process has ended, and, in a
 * store of several processes, when one of them has added something. Has one timer.
 */
export class DigestKeeper {
  readonly #place: CurrentPlace;
  readonly #alarm: Alarm;
  /** What has left its node while its store could not be told so, over deploys. It is never sent again by this process. */
  readonly #departed: Set<string>;
  /** What was taken and has not left its node. */
  #taken: readonly Departure[] = [];
  readonly #counting: Throttle;
  readonly #stopFollowing: () => void;
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
    this.#departed = AccountMemory.of(account.id).departed;
    this.#place = new CurrentPlace(account, { look: () => this.#scheduleScan() });
    this.#alarm = new Alarm(timing, () => this.#scheduleScan());
    this.#counting = new Throttle(
      () => void this.#count(),
      () => COUNTED,
    );
    // From here on the store stays open, also for messages that are under way when the flows stop.
    void this.place().catch(() => {});
    this.#stopFollowing = lifecycle.onStarted(() => this.#scheduleScan());
    if (lifecycle.running) {
      this.#scheduleScan();
    }
  }

  get #closed(): boolean {
    return this.#closing.stopped;
  }

  /** @throws StoreError, SetupError */
  place(): Promise<DigestPlace> {
    return this.#place.get();
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
   * Finishes what is leaving, and sends nothing more. What was gathered stays.
   * @param added resolves when what is under way is gathered
   */
  async close(added: Promise<void> = Promise.resolve()): Promise<void> {
    this.#closing.stop();
    this.#stopFollowing();
    this.#alarm.close();
    this.#counting.close();
    await Promise.all([added, atMost(LAST_WRITES, this.#scanning ?? Promise.resolve())]);
    await this.#giveBack();
    await this.#place.close();
  }

  /** Nobody else sends what this process has taken as long as it lives. */
  async #giveBack(): Promise<void> {
    // A scan that takes too long may still take something, which the next node of this process sends.
    if (this.#scanning !== null || this.#taken.length === 0) {
      return;
    }
    try {
      const { digests } = await this.place();
      await digests.giveBack(this.node, this.#taken);
    } catch {
      // The next node of this process sends it.
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
    const { digests, owner } = place;
    for (let isDone = false; !isDone && this.#mayEmit(place); ) {
      const page = await digests.depart(this.node, owner, PAGE);
      this.#taken = page;
      await this.listener.prepare(page);
      const gone = page.filter((departure) => this.#emit(departure, place));
      this.#taken = page.filter((departure) => !gone.includes(departure));
      isDone = page.length < PAGE || gone.length < page.length;
      if (gone.length > 0) {
        if (place.isKept) {
          await this.timing.sleep(FORGOTTEN, this.#closing);
        }
        await digests.left(this.node, gone);
        for (const departure of gone) {
          this.#departed.delete(departureName(departure));
        }
      }
    }
    // Whoever adds meanwhile puts an earlier time here.
    this.#next = null;
    const next = await digests.nextWake(this.node);
    if (next !== null && (this.#next === null || next < this.#next)) {
      this.#next = next;
    }
    const pause = this.#mayEmit(place) ? 1 : RETRY;
    this.#alarm.set(this.#next === null ? null : Math.max(this.#next, this.timing.now() + pause));
    this.#counting.ask();
  }

  #mayEmit(place: DigestPlace): boolean {
    return !this.#closed && this.lifecycle.running && place.mayLeave();
  }

  /** @returns whether it has left, now or before */
  #emit(departure: Departure, place: DigestPlace): boolean {
    if (this.#departed.has(departureName(departure))) {
      return true;
    }
    if (!this.#mayEmit(place)) {
      return false;
    }
    this.#departed.add(departureName(departure));
    this.listener.emit(departure);
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
      // The next scan tells of it.
    }
  }

  #failed(error: Error): void {
    if (!this.#closed) {
      this.#isFailing = true;
      this.listener.trouble(error);
      // Also what is added meanwhile does not put it off.
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
