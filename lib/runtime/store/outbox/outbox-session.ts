import type { Batch, Dispatcher } from "../../../gateway/queue/dispatcher";
import { DurableQueue, LONGEST_PAUSE } from "../../../gateway/queue/durable-queue";
import { readContent } from "../../../gateway/queue/stored-content";
import { unwrittenOf } from "../../../gateway/queue/unwritten";
import type { StoredLane } from "../../../gateway/queue/queue-handle";
import type { PreparedRequest } from "../../../gateway/codec/prepare-request";
import { localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import { StoreError } from "../../../store/engine/store-error";
import type { StoredJob } from "../../../store/recovery";
import type { ClaimedRequest } from "../../../store/requests";
import { isSealed } from "../../../store/sealed-text";
import { resultsTopic } from "../../../store/topics";
import type { LeaveCheck } from "../../guards/leave-check";
import type { FlowLifecycle } from "../../node-red/flow-lifecycle";
import type { AccountStore } from "../open-store";
import { LiveMessages } from "./live-messages";
import { ResultDelivery } from "./result-delivery";
import { MessageIntake } from "./message-intake";
import { openContent, openSnapshot } from "./sealed-message";
import { StoreTrouble } from "./store-trouble";
import type { ResultNode } from "./stored-message";
import type { Opened } from "./take-message";
import { TextKey } from "./text-key";

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
  /** What is checked when a request leaves. */
  readonly leaveCheck: LeaveCheck;
  /** The key for the texts of sensitive messages: 32 bytes. @throws SetupError, StoreError */
  readonly textKey: () => Promise<Buffer>;
  /** Tells people once that the message of a flow could not be decrypted, so that its results leave without it. */
  readonly onUnreadable: () => void;
  /** @throws StoreError */
  readonly openStore: () => Promise<AccountStore>;
  /** Gives a store back whose file is gone, so that it is opened anew. */
  readonly leaveStore: (store: AccountStore) => Promise<void>;
  /** Tells people that the store does not work. */
  readonly onTrouble: (error: Error) => void;
  /** Tells people about messages whose node is gone. @param count requests */
  readonly onParked: (count: number) => void;
  /** Tells people about messages of this process that another one has taken over. */
  readonly onTakenOver: (count: number) => void;
}

/** Rows of one page. */
const PAGE = 200;
/** ms until a store that failed is asked again. */
const RETRY = 1_000;
/** ms to wait until the others know that nodes have ended. */
const LEAVING = 2_000;
/** ms to wait for the answers to requests of a file that is gone. */
const GRACE = 10_000;

/**
 * The messages that an account keeps: puts them into the store, and brings their results to the node that they came from, whether
 * that is still the same object, its successor after a deploy, or the same node after a restart.
 */
export class Outbox {
  readonly intake: MessageIntake;
  readonly #textKey: TextKey;
  #saidUnreadable = false;
  #opened: Opened | null = null;
  #opening: Promise<Opened> | null = null;
  /** Brings results to nodes; null while no store is open. */
  #delivery: ResultDelivery | null = null;
  readonly #live: LiveMessages;
  readonly #nodes = new Map<string, ResultNode>();
  /** Epoch ms since when there is a node; null before the first one. */
  #attachedAt: number | null = null;
  /** Whether the nodes know how many people wait in the store from before. */
  #counted = false;
  /** Nodes whose earlier results were looked for. */
  readonly #drained = new Set<ResultNode>();
  readonly #stopWatching: () => void;
  #stopListening = (): void => {};
  /** Names of this process in the store: one for each life of it there. */
  readonly #names = new Set<string>();
  /** Whether a person has let messages go on without a node. */
  #runsAlone = false;
  /** Whether results are about to be looked for. */
  #collecting = false;
  #syncing: Promise<void> = Promise.resolve();
  #retryTimer: NodeJS.Timeout | null = null;
  /** Nodes that a result could not leave from, because reading it failed or because it was not on the disk. */
  readonly #behind = new Set<string>();
  readonly #trouble: StoreTrouble;
  /** Whether messages may be gone, or have been taken over. */
  #mayHaveLost = false;
  /** Resolves when the store of a former life was left. */
  #left: Promise<void> | null = null;
  #closed = false;

  constructor(readonly account: OutboxAccount) {
    this.#live = LiveMessages.of(account.id);
    this.#trouble = new StoreTrouble(account.onTrouble, this.#nodes);
    this.#textKey = new TextKey(account.textKey);
    this.intake = new MessageIntake({
      live: this.#live,
      textKey: this.#textKey,
      open: () => this.#opened ?? this.#open(),
      failed: (error) => this.#failed(error),
      worked: () => this.#trouble.worked(),
    });
    this.#stopWatching = account.lifecycle.onStarted(() => this.#sync());
  }

  get snapshotLimit(): number {
    return this.account.snapshotLimit;
  }

  /** True where as many messages wait as the account may have waiting. */
  get isFull(): boolean {
    const { queueLimit, concurrency } = this.account.dispatcher;
    return this.#live.messages.size + this.intake.unread >= queueLimit + concurrency;
  }

  /** A send node starts. Its earlier results come as soon as flows run. @returns ends it */
  attach(id: string, node: ResultNode): () => void {
    this.#attachedAt ??= Date.now();
    this.#nodes.set(id, node);
    this.#live.nodes.set(id, node);
    if (this.account.lifecycle.running) {
      this.#sync();
    }
    return () => {
      if (this.#nodes.get(id) === node) {
        this.#nodes.delete(id);
      }
      if (this.#live.nodes.get(id) === node) {
        this.#live.nodes.delete(id);
      }
    };
  }

  /** Checks and encodes a request. @throws SetupError, FieldError */
  prepare(batch: Batch): PreparedRequest {
    return this.account.dispatcher.prepare(batch);
  }

  /** A message could not be written. */
  #failed(error: unknown): void {
    if (error instanceof StoreError && !this.#closed) {
      this.#trouble.note(error);
      // An opened store is asked by its queue, one that cannot be opened by `#sync`.
      this.#opened?.queue.noteFault(error);
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
    const { id, simulated, dispatcher, openStore, leaveCheck } = this.account;
    await this.#left;
    const place = await openStore();
    const { store, instances } = place;
    // A failure shows where the key is needed.
    await this.#textKey.get().catch(() => {});
    await store.requests.limitDelays(id, LONGEST_PAUSE);
    // Sending hours and limits may be others than those that messages wait for.
    await store.requests.lookAgain(id);
    const delivery = new ResultDelivery(place, this.#live, this.#nodes, {
      open: (job) => this.#openJob(job),
      emitted: (request) => queue.emitted(request),
      failed: (error) => {
        this.#trouble.note(error);
        this.#fallBehind();
      },
    });
    const queue = new DurableQueue(
      place,
      (onIdle) => dispatcher.openLane(onIdle),
      {
        ready: (requests) => this.#readKey(requests),
        open: (request) => this.#openRequest(request),
        prepare: (request, lane) => this.#prepare(request, lane),
        hold: (request) => leaveCheck.hold(request),
        guard: () => leaveCheck.guard(),
        divided: ({ jobKey }, count) => this.#live.divided(jobKey, count),
        // Within a text of JSON the quotes would be escaped.
        isTest: ({ jobKey, content }) =>
          this.#live.messages.get(jobKey)?.test ?? content.includes('"test":true'),
        settled: (request, verdict, taker, answeredAt) => {
          if (this.#names.has(taker)) {
            delivery.settled(request, verdict, answeredAt);
          }
        },
        marked: (ids) => delivery.marked(ids),
        late: () => this.#fallBehind(),
        lost: () => this.#openAnew(),
      },
      simulated,
      (error) => this.#trouble.note(error),
    );
    this.#names.add(instances.id);
    this.#delivery = delivery;
    this.#opened = { place, queue };
    this.#stopListening();
    const ends = [
      // What a person has cancelled, or another process has sent, is settled without the queue.
      store.engine.listen(resultsTopic(instances.id), () => this.#collect()),
      place.watch({
        died: () => this.#sync(),
        over: () => this.#openAnew(),
        beat: () => this.#collect(),
      }),
    ];
    this.#stopListening = () => {
      for (const end of ends) {
        end();
      }
    };
    return this.#opened;
  }

  #prepare(request: ClaimedRequest, lane: StoredLane): PreparedRequest | Verdict {
    const checked = request.part === 0 ? this.#live.messages.get(request.jobKey)?.checked : null;
    if (checked && checked.recipients === request.recipients.length) {
      return checked.request;
    }
    if (isSealed(request.content)) {
      return this.#unreadable();
    }
    const content = readContent(request);
    return "outcome" in content ? content : lane.prepare(content);
  }

  /** Gets the key where a request is encrypted and the key is not known yet. */
  #readKey(requests: readonly ClaimedRequest[]): Promise<void> | null {
    return this.#textKey.known === null && requests.some(({ content }) => isSealed(content))
      ? this.#textKey.get().then(
          () => this.#trouble.stand(null),
          () => {},
        )
      : null;
  }

  #openRequest(request: ClaimedRequest): ClaimedRequest {
    const { content, jobKey, part } = request;
    if (!isSealed(content)) {
      return request;
    }
    const key = this.#textKey.known;
    const opened = key === null ? null : openContent(key, jobKey, part, content);
    return { ...request, content: opened ?? content, sensitive: true };
  }

  /** @throws SetupError, StoreError where the key may be there the next time */
  #unreadable(): Verdict {
    const { known, error } = this.#textKey;
    if (known === null && error !== null) {
      this.#trouble.stand(error);
      throw error;
    }
    return localVerdict("TEXT_UNREADABLE");
  }

  /** Results do not wait for a key: they leave without the message of the flow. */
  async #openJob(job: StoredJob): Promise<StoredJob> {
    const { key: jobKey, snapshot } = job;
    if (snapshot === null || !isSealed(snapshot)) {
      return job;
    }
    const key = await this.#textKey.get().catch(() => null);
    const { text, whole } = openSnapshot(key, jobKey, snapshot);
    if (!whole && !this.#saidUnreadable) {
      this.#saidUnreadable = true;
      this.account.onUnreadable();
    }
    return { ...job, snapshot: text };
  }

  /** Results of every node have to be looked for. */
  #fallBehind(): void {
    for (const node of this.#nodes.keys()) {
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

  /** The store does not know this process: its file is another one, or the others have not heard of this process for too long. */
  #openAnew(): void {
    const gone = this.#opened;
    if (gone === null || this.#closed) {
      return;
    }
    this.#opened = null;
    this.#counted = false;
    this.#drained.clear();
    this.#mayHaveLost = true;
    const { engine } = gone.place.store;
    this.#left = gone.queue
      .close(GRACE)
      .then(() => engine.exclusive && unwrittenOf(engine.place, this.account.id).forgetLeft())
      .then(() => this.account.leaveStore(gone.place))
      .catch((error: unknown) => this.#trouble.note(error as Error));
    this.#sync();
  }

  /** Sends what is in the store, also where none of its nodes runs: a person has let it go on without one. */
  run(): void {
    this.#runsAlone = true;
    this.#sync();
  }

  /** Emits what was settled by others than the queue. */
  #collect(): void {
    if (this.#closed || this.#collecting) {
      return;
    }
    this.#collecting = true;
    this.#then(async () => {
      this.#collecting = false;
      const delivery = this.#delivery;
      if (this.#closed || this.#opened === null || delivery === null || !this.account.lifecycle.running) {
        return;
      }
      await delivery.drain([...this.#nodes.keys()]);
    });
  }

  /** Brings nodes and store together: after a start of flows, and when another process has ended. */
  #sync(): void {
    if (this.#closed || (this.#nodes.size === 0 && !this.#runsAlone)) {
      return;
    }
    this.#then(() => this.#syncNow());
  }

  #then(work: () => Promise<void>): void {
    this.#syncing = this.#syncing.then(work).catch((error: unknown) => {
      this.#trouble.note(error as Error);
      this.#fallBehind();
    });
  }

  /** Whether this account, or the flows, have ended. */
  get #isOver(): boolean {
    return this.#closed || !this.account.lifecycle.running;
  }

  async #syncNow(): Promise<void> {
    if (this.#isOver) {
      return;
    }
    const { place, queue } = this.#opened ?? (await this.#open());
    // Nodes that a deploy has ended meanwhile would look as if they did not exist; its flows look again.
    if (this.#isOver) {
      return;
    }
    const delivery = this.#delivery as ResultDelivery;
    const { store, instances, account } = place;
    const nodes = this.account.sendNodes();
    await queue.recover();
    await instances.runs(account, nodes);
    const adopted = await store.recovery.adopt(instances.id, account, nodes);
    if (adopted.length > 0) {
      // What is settled of these jobs leaves from here.
      this.#drained.clear();
    }
    if (this.#mayHaveLost) {
      await this.#endLost(place);
    }
    for (const [id, node] of this.#nodes) {
      if (!this.#drained.has(node)) {
        this.#drained.add(node);
        this.#behind.add(id);
      }
    }
    const parked = await store.queue.park(account, nodes);
    if (parked > 0) {
      this.account.onParked(parked);
    }
    if (this.#isOver) {
      return;
    }
    await this.#countWaiting(place);
    if (this.#isOver) {
      return;
    }
    // Not after a deploy: then messages of nodes that it has added would be dropped.
    this.#live.forget(nodes);
    queue.start();
    const behind = [...this.#nodes.keys()].filter((id) => this.#behind.delete(id));
    try {
      await delivery.drain(behind);
    } catch (error) {
      for (const id of behind) {
        this.#behind.add(id);
      }
      throw error;
    }
    this.#trouble.worked();
  }

  /** Once for each opening, before the queue starts: the nodes count further messages themselves. */
  async #countWaiting({ store, instances, account }: AccountStore): Promise<void> {
    if (this.#counted) {
      return;
    }
    const age = Date.now() - (this.#attachedAt ?? Date.now());
    const waiting = await store.recovery.waiting(account, instances.id, age);
    this.#counted = true;
    for (const [id, node] of this.#nodes) {
      node.waiting(waiting.get(id) ?? 0);
    }
  }

  /** Ends the messages that waited in a file that is gone, and those that another process goes on with. */
  async #endLost({ store, instances }: AccountStore): Promise<void> {
    const { messages, nodes } = this.#live;
    const mine = [...messages.values()].filter(({ isWriting }) => !isWriting);
    // What is being written is looked at again: it may be there in the name of the former life, and adopted by another process.
    let isDone = mine.length === messages.size;
    let elsewhere = 0;
    for (let at = 0; at < mine.length; at += PAGE) {
      const page = mine.slice(at, at + PAGE);
      const takers = await store.jobs.known(page.map(({ key }) => key));
      for (const message of page) {
        const taker = takers.get(message.key);
        const isMine = taker !== undefined && this.#names.has(taker);
        isDone &&= !isMine || taker === instances.id;
        if (isMine || !messages.delete(message.key)) {
          continue;
        }
        if (taker === undefined) {
          nodes.get(message.node)?.lose(message, store.engine.place);
        } else {
          nodes.get(message.node)?.handOver(message);
          elsewhere++;
        }
      }
    }
    if (elsewhere > 0) {
      this.account.onTakenOver(elsewhere);
    }
    this.#mayHaveLost = !isDone;
    if (!isDone) {
      this.#syncLater();
    }
  }

  /** Lets the other processes know that this one runs no node of the account. A store that is away is not waited for. */
  async #leaveNodes(): Promise<void> {
    const place = this.#opened?.place;
    if (place === undefined || place.store.engine.exclusive) {
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      place.instances.runs(place.account, []).catch(() => {}),
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LEAVING);
      }),
    ]);
    clearTimeout(timer);
  }

  /** Ends the queue; what has not left stays in the store. @param grace ms to wait for answers */
  async close(grace: number): Promise<void> {
    this.#closed = true;
    this.#stopWatching();
    this.#stopListening();
    clearTimeout(this.#retryTimer ?? undefined);
    this.intake.stop();
    await Promise.allSettled([this.intake.settled(), this.#syncing, this.#opening, this.#left]);
    await Promise.all([this.#opened?.queue.close(grace), this.#leaveNodes()]);
  }
}
