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

/** ms until a failed store is tried again. */
const RETRY = 1_000;
/** ms until expired waits are read again: the clock of a shared store may be behind this one. */
const CLOCKS_APART = 250;
const SAME_CLOCK = 1;
/** ms for which reports are checked again that another process stored while the wait started. */
const LINKING = 10 * 60 * 1000;
/** Times that waiting recipients are counted again because some started meanwhile. */
const MAX_COUNTS = 3;

/** What is to be done before a scan for ends. */
type Task = "adopt" | "recheck" | "count";

/** Scans for ends of an account's waits, and emits them. Has one timer. */
export class WaitKeeper {
  readonly #listeners = new Map<string, WaitListener>();
  readonly #counts = new OpenCounts(this.#listeners);
  readonly #alarm: Alarm;
  readonly #store: CurrentStore;
  readonly #stopWatching: () => void;
  readonly #tasks = new Set<Task>();
  readonly #early = new Set<string>();
  readonly #closing = new CancelSignal();
  /** Epoch ms at which the next wait ends; null where none is open, undefined where that is not known. */
  #next: number | null | undefined;
  #started = 0;
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
        live.instanceIds.add(instances.id);
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
        this.#scheduleScan();
      }
    };
  }

  /** Counts a wait that has started, and may have ended at once. */
  started({ node, open, until }: OpenWait): void {
    this.#started++;
    this.#counts.add(node, open);
    if (this.#next !== undefined) {
      this.#next = Math.min(until, this.#next ?? until);
    }
    this.#scheduleScan();
  }

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

  /** Stops scans. Resolves when the present one has ended. */
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
    // Requests of one tick share a scan.
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
      // Other processes may have adopted the waits of an expired instance.
      mayEmit: () => this.#mayEmit && instances.mayLeave,
      // Another process may have adopted it between two registrations of this one, unless the store is exclusive.
      isOwn: ({ key }) =>
        key.startsWith(instances.id) ||
        (engine.exclusive && [...this.live.instanceIds].some((id) => key.startsWith(id))),
      early: this.#early,
    });
    await this.#once("adopt", async () => {
      if ((await waits.adopt(instances.id, account, [...this.#listeners.keys()])) > 0) {
        this.#noteEarly();
        this.#tasks.add("count");
      }
      this.#next = undefined;
    });
    // Only another process stores an event while its wait starts.
    await this.#once("recheck", async () => (engine.exclusive ? undefined : waits.recheck(LINKING)));
    await this.#once("count", () => this.#count(waits, instances.id, account));
    const isDue = this.#next === undefined || (this.#next !== null && this.#next <= this.timing.now());
    if (await ends.endAll(isDue)) {
      // Waits that start meanwhile set their own end.
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
    for (let times = 0; times < MAX_COUNTS; times++) {
      const started = this.#started;
      this.#counts.set(await waits.countOpen(resultOwner, account));
      if (this.#started === started) {
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
