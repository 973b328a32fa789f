import { CancelSignal } from "../../gateway/http/cancel-signal";
import type { Timing } from "../../gateway/http/timing";
import type { OpenWait } from "../../store/waits/wait";
import type { WaitRows } from "../../store/waits/wait-rows";
import type { FlowLifecycle } from "../node-red/flow-lifecycle";
import { Alarm } from "./alarm";
import type { AccountStore } from "../store/open-store";
import { CurrentStore, type StoreOpener } from "./current-store";
import type { LiveWaits } from "./live-waits";
import { OpenCounts } from "./open-counts";
import { WaitEnds } from "./wait-ends";
import type { WaitListener } from "./waits";

export interface KeeperAccount extends StoreOpener {
  readonly lifecycle: FlowLifecycle;
}

/** ms until a store that failed is asked again. */
const RETRY = 1_000;
/** ms until it is asked again what is due: the clock of a store with several processes may be behind this one. */
const CLOCKS_APART = 250;
const SAME_CLOCK = 1;
/** ms for which an event is looked at again that came at the same moment as its wait began. */
const LINKING = 10 * 60 * 1000;
/** Times that waiting recipients are counted again because some began meanwhile. */
const MOST_COUNTS = 3;

/** What is to be done before a scan for ends. */
type Task = "adopt" | "recheck" | "count";

/**
 * Looks for what the waits of an account end with, whenever there may be something: the store tells of it, a time is over, a node
 * starts, another process has ended. Has one timer.
 */
export class WaitKeeper {
  readonly #listeners = new Map<string, WaitListener>();
  readonly #counts = new OpenCounts(this.#listeners);
  readonly #alarm: Alarm;
  readonly #store: CurrentStore;
  readonly #stopWatching: () => void;
  readonly #tasks = new Set<Task>();
  /** Nodes of which something may be there that has left before, in an earlier life of the process or of another one. */
  readonly #early = new Set<string>();
  readonly #closing = new CancelSignal();
  /** Epoch ms at which the next wait ends; null where none is open, undefined where that is not known. */
  #next: number | null | undefined;
  #begun = 0;
  #isScanDue = false;
  #scanning: Promise<void> | null = null;
  #isFailing = false;

  constructor(
    private readonly account: KeeperAccount,
    private readonly live: LiveWaits,
    private readonly timing: Timing,
  ) {
    this.#alarm = new Alarm(timing, () => this.#scheduleScan());
    this.#store = new CurrentStore(account, {
      entered: ({ instances }) => {
        live.lives.add(instances.id);
        this.#noteEarly();
        this.#request("adopt", "count");
      },
      told: () => this.#scheduleScan(),
      died: () => this.#request("adopt"),
      beat: () => this.#request("recheck"),
      over: () => this.#scheduleScan(),
    });
    this.#stopWatching = account.lifecycle.onStarted(() => this.#scheduleScan());
    live.keepers.add(this);
  }

  /** @throws StoreError, SetupError */
  async open(): Promise<AccountStore> {
    try {
      return await this.#store.get();
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  join(node: string, listener: WaitListener): () => void {
    this.#listeners.set(node, listener);
    this.#early.add(node);
    this.#request("adopt", "count");
    return () => {
      if (this.#listeners.get(node) === listener) {
        this.#listeners.delete(node);
        this.#early.delete(node);
        // So that it is known who is there.
        this.#scheduleScan();
      }
    };
  }

  /** A wait has begun, and may have ended at once. */
  begun({ node, open, until }: OpenWait): void {
    this.#begun++;
    this.#counts.add(node, open);
    if (this.#next !== undefined) {
      this.#next = Math.min(until, this.#next ?? until);
    }
    this.#scheduleScan();
  }

  /** The store did not do what it was asked. */
  failed(error: unknown): void {
    if (this.#closing.stopped) {
      return;
    }
    this.#isFailing = true;
    for (const listener of this.#listeners.values()) {
      listener.trouble(error as Error);
    }
    this.#alarm.set(this.timing.now() + RETRY);
  }

  /** Resolves after a pause, or when this closes. */
  pause(): Promise<void> {
    return this.timing.sleep(RETRY, this.#closing);
  }

  /** Begins no scan. Resolves when the present one has ended. */
  async finish(): Promise<void> {
    this.#closing.stop();
    this.live.keepers.delete(this);
    this.#stopWatching();
    this.#alarm.close();
    this.#store.stop();
    await this.#scanning;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #noteEarly(): void {
    for (const node of this.#listeners.keys()) {
      this.#early.add(node);
    }
  }

  #request(...tasks: readonly Task[]): void {
    for (const task of tasks) {
      this.#tasks.add(task);
    }
    this.#scheduleScan();
  }

  /** Scans soon, or once more where a scan is under way. */
  #scheduleScan(): void {
    this.#isScanDue = true;
    if (!this.#closing.stopped) {
      this.#scanning ??= this.#scanAll();
    }
  }

  async #scanAll(): Promise<void> {
    // Requests of one turn share a scan.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#isScanDue && !this.#closing.stopped) {
      this.#isScanDue = false;
      try {
        await this.#scanOnce();
      } catch (error) {
        this.#next = undefined;
        this.failed(error);
        break;
      }
    }
    this.#scanning = null;
  }

  get #mayEmit(): boolean {
    return this.account.lifecycle.running && !this.#closing.stopped;
  }

  /** @throws StoreError, SetupError */
  async #scanOnce(): Promise<void> {
    if (this.#listeners.size === 0 || !this.#mayEmit) {
      return;
    }
    const place = await this.#store.get();
    const { store, instances, account } = place;
    const { engine, waits } = store;
    const ends = new WaitEnds({
      waits,
      resultOwner: instances.id,
      live: this.live,
      listeners: this.#listeners,
      counts: this.#counts,
      // Who is called dead may have lost its waits to others.
      mayEmit: () => this.#mayEmit && instances.mayLeave,
      // Others can have had it between two lives of this process, unless nobody else can open the store.
      isOwn: ({ key }) =>
        key.startsWith(instances.id) ||
        (engine.exclusive && [...this.live.lives].some((life) => key.startsWith(life))),
      early: this.#early,
    });
    await this.#once("adopt", async () => {
      if ((await waits.adopt(instances.id, account, [...this.#listeners.keys()])) > 0) {
        this.#noteEarly();
        this.#tasks.add("count");
      }
      this.#next = undefined;
    });
    // Where nobody else writes, no event comes at the same moment as its wait.
    await this.#once("recheck", async () => (engine.exclusive ? undefined : waits.recheck(LINKING)));
    await this.#once("count", () => this.#count(waits, instances.id, account));
    const isDue = this.#next === undefined || (this.#next !== null && this.#next <= this.timing.now());
    if (await ends.endAll(isDue)) {
      // Those that begin meanwhile put their own end here.
      this.#next = null;
      const next = await waits.nextEnd(instances.id, [...this.#listeners.keys()]);
      this.#next = next === null ? this.#next : Math.min(next, this.#next ?? next);
    }
    const pause = engine.exclusive ? SAME_CLOCK : CLOCKS_APART;
    this.#alarm.set(this.#next === null ? null : Math.max(this.#next ?? 0, this.timing.now() + pause));
    this.#worked();
  }

  /** What fails is done the next time. */
  async #once(task: Task, work: () => Promise<void>): Promise<void> {
    if (!this.#tasks.delete(task)) {
      return;
    }
    try {
      await work();
    } catch (error) {
      this.#tasks.add(task);
      throw error;
    }
  }

  async #count(waits: WaitRows, resultOwner: string, account: string): Promise<void> {
    for (let times = 0; times < MOST_COUNTS; times++) {
      const begun = this.#begun;
      this.#counts.set(await waits.open(resultOwner, account));
      if (this.#begun === begun) {
        return;
      }
    }
  }

  #worked(): void {
    if (this.#isFailing) {
      this.#isFailing = false;
      for (const listener of this.#listeners.values()) {
        listener.trouble(null);
      }
    }
  }
}
