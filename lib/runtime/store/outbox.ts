import { FifoQueue } from "../../gateway/queue/fifo-queue";
import type { Batch, Dispatcher } from "../../gateway/queue/dispatcher";
import { DurableQueue, LONGEST_PAUSE } from "../../gateway/queue/durable-queue";
import { readAnswer, readContent } from "../../gateway/queue/stored-content";
import type { StoredLane } from "../../gateway/queue/queue-handle";
import type { PreparedRequest } from "../../gateway/codec/prepare-request";
import type { Verdict } from "../../gateway/codec/verdict";
import { SetupError } from "../../shared/messaging-error";
import { StoreError } from "../../store/engine/store-error";
import type { NewJob, NewRequest } from "../../store/jobs";
import type { JobPart } from "../../store/recovery";
import type { ClaimedRequest } from "../../store/requests";
import { resultsTopic } from "../../store/topics";
import { say } from "../../texts/say";
import type { FlowLifecycle } from "../node-red/flow-lifecycle";
import type { AccountStore } from "./open-store";
import type { NewMessage, PartResult, ResultNode, StoredMessage } from "./stored-message";
import { type Doubt, type Opened, takeAtOnce, takePages } from "./take-message";

/** What an outbox needs of its account. */
export interface OutboxAccount {
  readonly id: string;
  readonly simulated: boolean;
  readonly dispatcher: Dispatcher;
  readonly lifecycle: FlowLifecycle;
  /** Identities of the send nodes that exist, whether they are attached or not. */
  readonly sendNodes: () => readonly string[];
  /** Characters of the largest message that is kept whole. */
  readonly snapshotLimit: number;
  /** @throws StoreError */
  readonly openStore: () => Promise<AccountStore>;
  /** Gives a store back whose file is gone, so that it is opened anew. */
  readonly leaveStore: (store: AccountStore) => Promise<void>;
  /** Tells people that the store does not work. */
  readonly onTrouble: (error: Error) => void;
  /** Tells people about messages whose node is gone. @param count requests */
  readonly onParked: (count: number) => void;
}

/** Rows of one page. */
const PAGE = 200;
/** Messages that are being written at once, before further ones stay unread. */
const MOST_TAKING = 250;
/** ms until a store that failed is asked again. */
const RETRY = 1_000;
/** ms without a fault after which the same one is told once more. */
const QUIET = 60_000;
/** ms to wait for the answers to requests of a file that is gone. */
const GRACE = 10_000;

/**
 * The messages of this process by the key of their job. They outlive a deploy, so that the node that comes back emits the same object.
 */
const live = new Map<string, StoredMessage>();

/**
 * The nodes that run, by account and identity. An account that closes while others go on brings its last results to the nodes of its
 * successor.
 */
const running = new Map<string, ResultNode>();

/**
 * The messages that an account keeps: puts them into the store, and brings their results to the node that they came from, whether
 * that is still the same object, its successor after a deploy, or the same node after a restart.
 */
export class Outbox {
  #opened: Opened | null = null;
  #opening: Promise<Opened> | null = null;
  readonly #nodes = new Map<string, ResultNode>();
  /** Nodes whose earlier results were looked for. */
  readonly #drained = new Set<ResultNode>();
  /** Requests whose result has left a node and is not marked so on the disk, or was not when pages of results were read. */
  readonly #unmarked = new Set<number>();
  /** Requests that were marked while results are drained; null while none are. */
  #markedMeanwhile: number[] | null = null;
  /** Restored jobs whose earlier results leave again. One may be done, and still be on a page that was read before. */
  readonly #earlier = new Map<number, Promise<void>>();
  /** Keys of messages that are done since interrupted ones are looked for; null while they are not. */
  #doneMeanwhile: Set<string> | null = null;
  readonly #unread = new FifoQueue<() => void>();
  readonly #takes = new Set<Promise<unknown>>();
  readonly #stopWatching: () => void;
  #stopResults = (): void => {};
  /** Whether a person has let messages go on without a node. */
  #runsAlone = false;
  #syncing: Promise<void> = Promise.resolve();
  #retryTimer: NodeJS.Timeout | null = null;
  /** Nodes that a result could not leave from, because reading it failed or because it was not on the disk. */
  readonly #behind = new Set<string>();
  #failing = false;
  /** The last fault that people were told of. */
  #said: { readonly code: string; readonly until: number } | null = null;
  /** Keys of messages that are being written. */
  readonly #taking = new Set<string>();
  /** Whether messages may have waited in a file that is gone. */
  #mayHaveLost = false;
  /** Resolves when a file that is gone was left. */
  #left: Promise<void> | null = null;
  #closed = false;

  constructor(readonly account: OutboxAccount) {
    this.#stopWatching = account.lifecycle.onStarted(() => this.#sync());
  }

  get snapshotLimit(): number {
    return this.account.snapshotLimit;
  }

  /** True while many messages are being written, so that a new one is better read later. */
  isBacklogged(): boolean {
    return !this.#closed && (this.#takes.size >= MOST_TAKING || this.#unread.size > 0);
  }

  /** Calls `start`, which must not throw, when messages before it are written. */
  defer(start: () => void): void {
    this.#unread.add(start);
  }

  /** True where as many messages wait as the account may have waiting. */
  get isFull(): boolean {
    const { queueLimit, concurrency } = this.account.dispatcher;
    return (
      live.size + this.#unread.size >= queueLimit + concurrency && this.#size >= queueLimit + concurrency
    );
  }

  /** Messages of the account in this process whose results have not all left. */
  get #size(): number {
    let size = this.#unread.size;
    for (const { account } of live.values()) {
      size += account === this.account.id ? 1 : 0;
    }
    return size;
  }

  /** A send node starts. Its earlier results come as soon as flows run. @returns ends it */
  attach(id: string, node: ResultNode): () => void {
    this.#nodes.set(id, node);
    running.set(this.#nameOf(id), node);
    if (this.account.lifecycle.running) {
      this.#sync();
    }
    return () => {
      if (this.#nodes.get(id) === node) {
        this.#nodes.delete(id);
      }
      if (running.get(this.#nameOf(id)) === node) {
        running.delete(this.#nameOf(id));
      }
    };
  }

  #nameOf(node: string): string {
    return `${this.account.id} ${node}`;
  }

  /** Checks and encodes a request. @throws SetupError, FieldError */
  prepare(batch: Batch): PreparedRequest {
    return this.account.dispatcher.prepare(batch);
  }

  /**
   * Puts a message into the store. When this resolves it is there, and is sent whatever becomes of this process.
   * @throws SetupError ACCOUNT_CLOSED
   * @throws StoreError where it is surely not there; with `uncertain` only where the account closed meanwhile
   */
  take(taken: NewMessage, requests: readonly NewRequest[]): Promise<void> {
    return this.#track(this.#take(taken, requests));
  }

  /** As `take`, for a message of many requests: a page at a time. */
  takePages(taken: NewMessage, pages: Iterable<readonly NewRequest[]>): Promise<void> {
    return this.#track(this.#takePages(taken, pages));
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#takes.add(work);
    try {
      await work;
    } finally {
      this.#takes.delete(work);
      while (this.#unread.size > 0 && this.#takes.size < MOST_TAKING) {
        this.#unread.take()?.();
      }
    }
  }

  async #take(taken: NewMessage, requests: readonly NewRequest[]): Promise<void> {
    this.#refuseWhenClosed();
    const { key } = taken.message;
    live.set(key, taken.message);
    this.#taking.add(key);
    try {
      const opened = this.#opened ?? (await this.#open());
      await takeAtOnce(opened, this.#jobOf(taken, opened.place), requests, this.#doubt);
      this.#worked();
    } catch (error) {
      live.delete(key);
      this.#failed(error);
      throw error;
    } finally {
      this.#taking.delete(key);
    }
  }

  async #takePages(taken: NewMessage, pages: Iterable<readonly NewRequest[]>): Promise<void> {
    this.#refuseWhenClosed();
    const { place } = this.#opened ?? (await this.#open());
    const job = this.#jobOf(taken, place);
    await takePages(place, job, pages, () => live.set(job.key, taken.message), this.#doubt);
    this.#worked();
  }

  /** A message could not be written. */
  #failed(error: unknown): void {
    if (error instanceof StoreError && !this.#closed) {
      this.#trouble(error);
      // An opened store is asked by its queue, one that cannot be opened by `#sync`.
      this.#opened?.queue.noteFault(error);
    }
  }

  #worked(): void {
    if (this.#failing) {
      this.#trouble(null);
    }
  }

  readonly #doubt: Doubt = {
    isClosed: () => this.#closed,
    failed: (error) => this.#failed(error),
  };

  #refuseWhenClosed(): void {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
  }

  #jobOf({ message, channel, snapshot }: NewMessage, { instances }: AccountStore): NewJob {
    const { key, account, node } = message;
    return { key, account, node, taker: instances.id, channel, snapshot };
  }

  #trouble(error: Error | null): void {
    this.#failing = error !== null;
    if (error instanceof StoreError) {
      const now = performance.now();
      if (this.#said?.code !== error.code || now >= this.#said.until) {
        this.account.onTrouble(error);
      }
      this.#said = { code: error.code, until: now + QUIET };
    }
    for (const node of this.#nodes.values()) {
      node.trouble(error);
    }
  }

  /** @throws StoreError */
  #open(): Promise<Opened> {
    this.#opening ??= this.#openNow().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #openNow(): Promise<Opened> {
    const { id, simulated, dispatcher, openStore } = this.account;
    await this.#left;
    const place = await openStore();
    await place.store.requests.limitDelays(id, LONGEST_PAUSE);
    const queue = new DurableQueue(
      place,
      (onIdle) => dispatcher.openLane(onIdle),
      {
        prepare: (request, lane) => this.#prepare(request, lane),
        // Within a text of JSON the quotes would be escaped.
        isTest: ({ jobKey, content }) => live.get(jobKey)?.test ?? content.includes('"test":true'),
        settled: (request, verdict) => this.#settled(request, verdict),
        marked: (ids) => this.#marked(ids),
        late: () => this.#fallBehind(this.#nodes.keys()),
        lost: () => this.#openAnew(),
      },
      simulated,
      (error) => this.#trouble(error),
    );
    this.#opened = { place, queue };
    this.#stopResults();
    // What a person has cancelled is settled without the queue.
    this.#stopResults = place.store.engine.listen(resultsTopic(place.instances.id), () => this.#collect());
    return this.#opened;
  }

  #prepare(request: ClaimedRequest, lane: StoredLane): PreparedRequest | Verdict {
    const checked = live.get(request.jobKey)?.prepared.get(request.part);
    if (checked !== undefined) {
      return checked;
    }
    const content = readContent(request);
    return "outcome" in content ? content : lane.prepare(content);
  }

  #settled(request: ClaimedRequest, verdict: Verdict): void {
    const { id, part, recipients, jobKey } = request;
    const message = live.get(jobKey);
    if (message !== undefined && !isRestored(message)) {
      this.#emit(message, { request: id, part, recipients, verdict, restored: false });
    } else if (request.node === "") {
      // A person has sent it without its node.
      this.#opened?.queue.emitted(id);
    } else {
      void this.#emitRestored(request, { request: id, part, recipients, verdict, restored: true });
    }
  }

  #marked(ids: readonly number[]): void {
    if (this.#markedMeanwhile !== null) {
      // A page of results that was read before still has them.
      this.#markedMeanwhile.push(...ids);
      return;
    }
    for (const id of ids) {
      this.#unmarked.delete(id);
    }
  }

  /** Emits a result, unless its node does not run: then it stays in the store until the node is back. */
  #emit(message: StoredMessage, result: PartResult, again = false): void {
    const node = running.get(this.#nameOf(message.node));
    if (node === undefined || (!again && this.#unmarked.has(result.request))) {
      return;
    }
    message.prepared.delete(result.part);
    if (!again) {
      message.open--;
      if (message.open <= 0) {
        live.delete(message.key);
        this.#doneMeanwhile?.add(message.key);
      }
      this.#unmarked.add(result.request);
    }
    node.emit(message, result);
    if (!again) {
      this.#opened?.queue.emitted(result.request);
    }
  }

  async #emitRestored({ job, jobKey }: ClaimedRequest, result: PartResult): Promise<void> {
    try {
      const message = live.get(jobKey) ?? (await this.#restored(job));
      if (message !== null) {
        await this.#emitEarlier(job, message);
        this.#emit(message, result);
      }
    } catch (error) {
      // It stays in the store.
      this.#trouble(error as Error);
      this.#fallBehind(this.#nodes.keys());
    }
  }

  /** Results of these nodes have to be looked for. */
  #fallBehind(nodes: Iterable<string>): void {
    for (const node of nodes) {
      this.#behind.add(node);
    }
    this.#syncLater();
  }

  #syncLater(): void {
    if (!this.#closed) {
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = null;
        this.#sync();
      }, RETRY);
    }
  }

  /** The file was replaced by another one, which knows nothing of this process. */
  #openAnew(): void {
    const gone = this.#opened;
    if (gone === null || this.#closed) {
      return;
    }
    this.#opened = null;
    this.#drained.clear();
    this.#unmarked.clear();
    this.#earlier.clear();
    this.#mayHaveLost = true;
    this.#left = gone.queue.close(GRACE).then(() => this.account.leaveStore(gone.place));
    this.#sync();
  }

  /** The message of a job of which this process has no object; null where its node does not run. */
  async #restored(id: number): Promise<StoredMessage | null> {
    const job = (await this.#opened?.place.store.recovery.job(id)) ?? null;
    if (job === null || this.#doneMeanwhile?.has(job.key)) {
      return null;
    }
    const known = live.get(job.key);
    if (known !== undefined) {
      return known;
    }
    const message = this.#nodes.get(job.node)?.restore(job) ?? null;
    if (message !== null) {
      restoredMessages.add(message);
      if (job.requests > 1 && !this.#earlier.has(id)) {
        live.set(job.key, message);
        earlierParts.set(message, null);
      }
    }
    return message;
  }

  /**
   * Emits what a job had emitted before the process ended, because a Join node has lost it: once, and before anything else of the
   * job, so that a job is not done while something of it is missing. A message that this process took was not interrupted.
   */
  async #emitEarlier(job: number, message: StoredMessage): Promise<void> {
    let emitting = this.#earlier.get(job) ?? earlierParts.get(message);
    if (emitting === null) {
      emitting = this.#emitAgain(job, message);
      this.#earlier.set(job, emitting);
      earlierParts.set(message, emitting);
      emitting.catch(() => {
        this.#earlier.delete(job);
        earlierParts.set(message, null);
      });
    }
    await emitting;
  }

  async #emitAgain(job: number, message: StoredMessage): Promise<void> {
    const { recovery } = (this.#opened as Opened).place.store;
    for (let after = -1; ; ) {
      const page = await recovery.emittedParts(job, after, PAGE);
      for (const part of page) {
        after = part.part;
        this.#emit(message, await this.#resultOf(part, true), true);
      }
      if (page.length < PAGE) {
        return;
      }
    }
  }

  /** Sends what is in the store, also where none of its nodes runs: a person has let it go on without one. */
  run(): void {
    this.#runsAlone = true;
    this.#sync();
  }

  /** Emits what was settled by others than the queue. */
  #collect(): void {
    for (const id of this.#nodes.keys()) {
      this.#behind.add(id);
    }
    this.#sync();
  }

  /** Brings nodes and store together after a start of flows. */
  #sync(): void {
    if (this.#closed || (this.#nodes.size === 0 && !this.#runsAlone)) {
      return;
    }
    this.#syncing = this.#syncing
      .then(() => this.#syncNow())
      .catch((error: unknown) => {
        this.#trouble(error as Error);
        this.#syncLater();
      });
  }

  async #syncNow(): Promise<void> {
    if (this.#closed || !this.account.lifecycle.running) {
      return;
    }
    const { place, queue } = this.#opened ?? (await this.#open());
    const { store, instances, account } = place;
    const nodes = this.account.sendNodes();
    await queue.recover();
    if (this.#mayHaveLost) {
      await this.#endLost(place);
    }
    await store.recovery.adopt(instances.id, account, nodes);
    // Before anything of their jobs is sent that would look as if it had left before.
    for (const [id, node] of this.#nodes) {
      if (!this.#drained.has(node)) {
        this.#doneMeanwhile = new Set();
        try {
          await this.#emitInterrupted(id);
        } finally {
          this.#doneMeanwhile = null;
        }
        this.#drained.add(node);
        this.#behind.add(id);
      }
    }
    const parked = await store.queue.park(account, nodes);
    this.#forget(nodes);
    if (parked > 0) {
      this.account.onParked(parked);
    }
    if (this.#closed) {
      return;
    }
    queue.start();
    for (const id of this.#nodes.keys()) {
      if (this.#behind.delete(id)) {
        this.#markedMeanwhile ??= [];
        try {
          await this.#drain(id);
        } catch (error) {
          this.#behind.add(id);
          throw error;
        } finally {
          const marked = this.#markedMeanwhile;
          this.#markedMeanwhile = null;
          this.#marked(marked);
        }
      }
    }
    this.#worked();
  }

  /** Ends the messages that waited in a file that is gone. */
  async #endLost({ store }: AccountStore): Promise<void> {
    const mine = [...live.values()].filter(
      ({ account, key }) => account === this.account.id && !this.#taking.has(key),
    );
    for (let at = 0; at < mine.length; at += PAGE) {
      const page = mine.slice(at, at + PAGE);
      const known = await store.jobs.known(page.map(({ key }) => key));
      for (const message of page) {
        if (!known.has(message.key) && live.delete(message.key)) {
          running.get(this.#nameOf(message.node))?.lose(message, store.engine.place);
        }
      }
    }
    this.#mayHaveLost = false;
  }

  /** Drops the objects of messages whose node is gone; the store has them. */
  #forget(nodes: readonly string[]): void {
    for (const [key, { account, node }] of live) {
      if (account === this.account.id && !nodes.includes(node)) {
        live.delete(key);
      }
    }
  }

  async #emitInterrupted(node: string): Promise<void> {
    const { place } = this.#opened as Opened;
    const { account, instances, store } = place;
    for (let after = 0, page = [0]; page.length > 0; ) {
      page = [...(await store.recovery.interrupted(account, instances.id, node, after, PAGE))];
      for (const job of page) {
        after = job;
        const message = this.#earlier.has(job) ? null : await this.#restored(job);
        if (message !== null) {
          await this.#emitEarlier(job, message);
        }
      }
    }
  }

  /** Emits what was settled and has not left. */
  async #drain(node: string): Promise<void> {
    const { place } = this.#opened as Opened;
    const { recovery } = place.store;
    const { account, instances } = place;
    for (let after = 0; ; ) {
      const page = await recovery.settled(account, instances.id, node, after, PAGE);
      for (const part of page) {
        after = part.id;
        if (this.#unmarked.has(part.id)) {
          continue;
        }
        const message = live.get(part.jobKey) ?? (await this.#restored(part.job));
        if (message !== null) {
          await this.#emitEarlier(part.job, message);
          this.#emit(message, await this.#resultOf(part, isRestored(message)));
        }
      }
      if (page.length < PAGE) {
        return;
      }
    }
  }

  async #resultOf(part: JobPart, restored: boolean): Promise<PartResult> {
    const { deliveries } = (this.#opened as Opened).place.store;
    const recipients: string[] = [];
    while (recipients.length < part.recipients) {
      const page = await deliveries.ofRequest(part.id, recipients.length - 1, 1000);
      if (page.length === 0) {
        break;
      }
      recipients.push(...page.map(({ number }) => number));
    }
    return { request: part.id, part: part.part, recipients, verdict: readAnswer(part), restored };
  }

  /** Ends the queue; what has not left stays in the store. @param grace ms to wait for answers */
  async close(grace: number): Promise<void> {
    this.#closed = true;
    this.#stopWatching();
    this.#stopResults();
    clearTimeout(this.#retryTimer ?? undefined);
    while (this.#unread.size > 0) {
      this.#unread.take()?.();
    }
    await Promise.allSettled([...this.#takes, this.#syncing, this.#opening]);
    await this.#opened?.queue.close(grace);
  }
}

/** Restored messages of several parts: the emission of those that had left before the restart; null where it has not begun. */
const earlierParts = new WeakMap<StoredMessage, Promise<void> | null>();

/** Messages that were made again after a restart. */
const restoredMessages = new WeakSet<StoredMessage>();
const isRestored = (message: StoredMessage): boolean => restoredMessages.has(message);
