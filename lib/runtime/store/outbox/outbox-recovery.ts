import { say } from "../../../texts/say";
import type { AccountStore } from "../open-store";
import { endLost } from "./lost-messages";
import type { Outbox } from "./outbox";
import type { OutboxAccount } from "./outbox-account";
import type { SessionStore } from "./session-store";
import type { StoreTrouble } from "./store-trouble";
import type { ResultNode } from "./stored-message";

/** ms until a store that failed is asked again. */
const RETRY = 1_000;

/**
 * Brings nodes and store together, in one piece of work after the other: after a start of flows, when another process has ended, and
 * when the store works again. Only after the first one messages are sent.
 */
export class OutboxRecovery {
  /** Nodes whose earlier results were looked for. */
  readonly #scanned = new Set<ResultNode>();
  /** Nodes that a result could not leave from, because reading it failed or because it was not on the disk. */
  readonly #unscanned = new Set<string>();
  /** Whether a person has let messages go on without a node. */
  #runsAlone = false;
  /** Whether results are about to be looked for. */
  #collecting = false;
  #working: Promise<void> = Promise.resolve();
  #retryTimer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly account: OutboxAccount,
    private readonly store: SessionStore,
    private readonly trouble: StoreTrouble,
    /** Whether the flows run, and the session has not ended. */
    private readonly isRunning: () => boolean,
  ) {}

  /** Sends what is in the store, also where none of its nodes runs: a person has let it go on without one. */
  run(): void {
    this.#runsAlone = true;
    this.sync();
  }

  /** The store is another one, or this process has another name in it. */
  begin(): void {
    this.#scanned.clear();
    this.outbox.mayBeLost = true;
    this.sync();
  }

  /** Brings nodes and store together: after a start of flows, and when another process has ended. */
  sync(): void {
    if (!this.#stopped && (this.outbox.nodes.size > 0 || this.#runsAlone)) {
      this.#then(() => this.#sync());
    }
  }

  /** Emits what was settled by others than the queue. */
  collect(): void {
    if (this.#stopped || this.#collecting) {
      return;
    }
    this.#collecting = true;
    this.#then(async () => {
      this.#collecting = false;
      const { outbox, store } = this;
      if (store.opened !== null && this.isRunning()) {
        await store.opened.delivery.scan([...outbox.nodes.keys()]);
      }
    });
  }

  /** Results of every node have to be looked for. */
  rescan(): void {
    for (const node of this.outbox.nodes.keys()) {
      this.#unscanned.add(node);
    }
    this.#syncLater();
  }

  /** Begins nothing more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retryTimer ?? undefined);
  }

  /** Resolves when nothing is under way. */
  settled(): Promise<void> {
    return this.#working;
  }

  #syncLater(): void {
    if (!this.#stopped) {
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = null;
        this.sync();
      }, RETRY);
    }
  }

  #then(work: () => Promise<void>): void {
    this.#working = this.#working.then(work).catch((error: unknown) => {
      this.trouble.note(error as Error);
      this.rescan();
    });
  }

  async #sync(): Promise<void> {
    const { outbox, store, account } = this;
    if (!this.isRunning()) {
      return;
    }
    const { place, queue, delivery } = store.opened ?? (await store.open());
    // Nodes that a deploy has ended meanwhile would look as if they did not exist; its flows look again.
    if (!this.isRunning()) {
      return;
    }
    const nodes = account.sendNodes();
    await queue.recover();
    await this.#adopt(place, nodes);
    if (!(await endLost(outbox, place, account.warn))) {
      this.#syncLater();
    }
    await this.#park(place, nodes);
    if (!this.isRunning()) {
      return;
    }
    await this.#dropOrphaned(place, nodes);
    queue.start();
    const unscanned = [...outbox.nodes.keys()].filter((id) => this.#unscanned.delete(id));
    try {
      await delivery.scan(unscanned);
    } catch (error) {
      for (const id of unscanned) {
        this.#unscanned.add(id);
      }
      throw error;
    }
    this.trouble.worked();
  }

  /** Takes over the messages of processes that have ended. */
  async #adopt({ store, instances, account }: AccountStore, nodes: readonly string[]): Promise<void> {
    await instances.runs(account, nodes);
    const adopted = await store.recovery.adopt(instances.id, account, nodes);
    if (adopted.length > 0) {
      // What is settled of these jobs leaves from here.
      this.#scanned.clear();
    }
  }

  /** Sets messages aside whose node is gone. */
  async #park({ store, account }: AccountStore, nodes: readonly string[]): Promise<void> {
    for (const [id, node] of this.outbox.nodes) {
      if (!this.#scanned.has(node)) {
        this.#scanned.add(node);
        this.#unscanned.add(id);
      }
    }
    const parked = await store.queue.park(account, nodes);
    if (parked > 0) {
      this.account.warn(say("send.parked", { n: parked }));
    }
  }

  /** The store has the messages of nodes that are gone, but the texts of sensitive ones that wait. */
  async #dropOrphaned({ store }: AccountStore, nodes: readonly string[]): Promise<void> {
    const { messages } = this.outbox;
    // Not the present nodes: those of nodes that a deploy has added meanwhile would be dropped.
    const existing = new Set(nodes);
    const orphaned = [...messages.values()].filter(({ node }) => !existing.has(node));
    const sensitive = orphaned.filter(({ contents }) => contents !== null).map(({ id }) => id);
    const waiting = sensitive.length === 0 ? new Set() : await store.jobs.open(sensitive);
    for (const { id } of orphaned) {
      if (!waiting.has(id)) {
        messages.delete(id);
      }
    }
  }
}
