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
import type { Digests } from "../../store/digests";
import type { Account } from "../account/account";
import type { FlowLifecycle } from "../node-red/flow-lifecycle";
import { Throttle } from "../node-red/throttle";
import { Alarm } from "../waits/alarm";
import { CurrentPlace, type DigestPlace } from "./digest-place";
import { deleteTexts } from "./sensitive-items";

/** A message-digest node that runs. */
export interface DigestListener {
  /** Sends what leaves. Where it throws, it has not left, and is sent again. */
  emit(departure: Departure): void;
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
 * ms from when digests leave until the store forgets them: a send node that they go to has them in the store before that. A kill or a stop of the
 * flows between the two would lose them; instead they leave again, marked.
 */
const FORGOTTEN = 50;
/** ms for the last writes of a node that closes. */
const LAST_WRITES = 4_000;

/**
 * Digests that have left while their store could not be told so, by name. `left` is never sent again by this process; `unsure`, where the
 * flows stopped just then, leaves again, marked.
 */
type Departed = Map<string, "left" | "unsure">;
const departedByAccount = new Map<string, Departed>();

function departedOf(account: string): Departed {
  const known = departedByAccount.get(account) ?? new Map();
  departedByAccount.set(account, known);
  return known;
}

/**
 * Gathers the messages of one node, and brings to it what has to leave: when its time has come, when another process has ended, and, in a
 * store of several processes, when one of them has added something. Has one timer.
 */
export class DigestKeeper {
  readonly #place: CurrentPlace;
  readonly #alarm: Alarm;
  readonly #departed: Departed;
  /** What was taken and has not left its node. */
  #taken: readonly Departure[] = [];
  readonly #counting: Throttle;
  readonly #follows: readonly (() => void)[];
  /** How often flows have stopped: the nodes behind may have ended with them. */
  #stops = 0;
  /** Why something of what was taken could not be sent. */
  #unsent: Error | null = null;
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
    this.#departed = departedOf(account.id);
    this.#place = new CurrentPlace(account, { look: () => this.#scheduleScan() });
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
    this.#stops++;
    this.#closing.stop();
    for (const end of this.#follows) {
      end();
    }
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
      await digests.giveBack(this.node, this.#taken, false);
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
    const problem = await this.#leave(place);
    // Whoever adds meanwhile puts an earlier time here.
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

  /** Sends all that has to leave. @returns why something does not; null where everything does @throws StoreError, SetupError */
  async #leave(place: DigestPlace): Promise<Error | null> {
    const { digests, owner } = place;
    this.#unsent = null;
    for (let isDone = false; !isDone && this.#mayEmit(place); ) {
      const page = await digests.depart(this.node, owner, PAGE);
      const gone = page.filter((departure) => this.#departed.get(departureName(departure)) === "left");
      this.#taken = page.filter((departure) => !gone.includes(departure));
      const now = this.#taken.filter((departure) => this.#emit(departure, place));
      this.#taken = this.#taken.filter((departure) => !now.includes(departure));
      isDone = page.length < PAGE || this.#taken.length > 0;
      if (now.length > 0 && (await this.#haveArrived())) {
        gone.push(...now);
      } else if (now.length > 0) {
        await this.#takeBack(now, digests);
      }
      if (gone.length > 0) {
        await digests.left(this.node, gone);
        this.#forget(gone);
        for (const departure of gone) {
          deleteTexts(departure);
        }
      }
    }
    return this.#unsent;
  }

  #mayEmit(place: DigestPlace): boolean {
    return !this.#closed && this.lifecycle.running && place.mayLeave();
  }

  /** Whether what has just left is surely with the nodes behind. */
  async #haveArrived(): Promise<boolean> {
    const stops = this.#stops;
    await this.timing.sleep(FORGOTTEN, this.#closing);
    return stops === this.#stops;
  }

  /** The nodes behind may have ended before they had it: it leaves again, marked, from this node, the next one, or another process. @throws StoreError */
  async #takeBack(departures: readonly Departure[], digests: Digests): Promise<void> {
    for (const departure of departures) {
      this.#departed.set(departureName(departure), "unsure");
    }
    this.#isScanDue = true;
    await digests.giveBack(this.node, departures, true);
    this.#forget(departures);
  }

  /** The store knows it now. */
  #forget(departures: readonly Departure[]): void {
    for (const departure of departures) {
      this.#departed.delete(departureName(departure));
    }
  }

  /** @returns whether it has left now */
  #emit(departure: Departure, place: DigestPlace): boolean {
    if (!this.#mayEmit(place)) {
      return false;
    }
    const name = departureName(departure);
    const isRestored = departure.restored || this.#departed.has(name);
    try {
      this.listener.emit({ ...departure, restored: isRestored });
    } catch (error) {
      this.#unsent = error as Error;
      return false;
    }
    this.#departed.set(name, "left");
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
