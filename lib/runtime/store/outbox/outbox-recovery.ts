import { say } from "../../../texts/say";
import type { AccountStore } from "../open-store";
import type { Outbox } from "./outbox";
import type { OutboxAccount } from "./outbox-account";
import type { SessionStore } from "./session-store";
import type { StoreTrouble } from "./store-trouble";
import type { ResultNode } from "./stored-message";

const RETRY = 1_000;
const PAGE = 200;

/** Connects nodes with the store, one task after another. Messages are sent only after the first task. */
export class OutboxRecovery {
  readonly #scanned = new Set<ResultNode>();
  /** Nodes with a result that could not be read or was not on the disk. */
  readonly #unscanned = new Set<string>();
  /** True after a user has let messages continue without a node. */
  #runsAlone = false;
  #collecting = false;
  #working: Promise<void> = Promise.resolve();
  #retryTimer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly account: OutboxAccount,
    private readonly store: SessionStore,
    private readonly trouble: StoreTrouble,
    /** True while flows run and the session has not ended. */
    private readonly isRunning: () => boolean,
  ) {}

  /** Sends stored messages even if none of their nodes runs. */
  run(): void {
    this.#runsAlone = true;
    this.sync();
  }

  begin(): void {
    this.#scanned.clear();
    this.outbox.mayBeLost = true;
    this.sync();
  }

  sync(): void {
    if (!this.#stopped && (this.outbox.nodes.size > 0 || this.#runsAlone)) {
      this.#then(() => this.#sync());
    }
  }

  /** Emits results that the queue did not settle. */
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

  rescan(): void {
    for (const node of this.outbox.nodes.keys()) {
      this.#unscanned.add(node);
    }
    this.#syncLater();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retryTimer ?? undefined);
  }

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
    // Nodes that a deploy has ended would look missing; its flows check again.
    if (!this.isRunning()) {
      return;
    }
    const nodes = account.sendNodes();
    await queue.recover();
    await this.#adopt(place, nodes);
    if (!(await endLost(outbox, place, account.warn))) {
      this.#syncLater();
    }
    await this.#orphan(place, nodes);
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

  async #adopt({ store, instances, account }: AccountStore, nodes: readonly string[]): Promise<void> {
    await instances.runs(account, nodes);
    const adopted = await store.recovery.adopt(instances.id, account, nodes);
    if (adopted.length > 0) {
      // Results of adopted messages are emitted here.
      this.#scanned.clear();
    }
  }

  async #orphan({ store, account }: AccountStore, nodes: readonly string[]): Promise<void> {
    for (const [id, node] of this.outbox.nodes) {
      if (!this.#scanned.has(node)) {
        this.#scanned.add(node);
        this.#unscanned.add(id);
      }
    }
    const orphaned = await store.queue.park(account, nodes);
    if (orphaned > 0) {
      this.account.warn(say("send.orphaned", { n: orphaned }));
    }
  }

  /** Texts of sensitive messages exist only in this process, so a waiting message without a node is dropped. */
  async #dropOrphaned({ store }: AccountStore, nodes: readonly string[]): Promise<void> {
    const { messages } = this.outbox;
    // The nodes at the start of the task: nodes added by a deploy since then would look missing.
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

/** Drops messages that others adopted or the store lacks. @returns false to be called again @throws StoreError */
export async function endLost(
  outbox: Outbox,
  place: AccountStore,
  warn: (text: string) => void,
): Promise<boolean> {
  if (!outbox.mayBeLost) {
    return true;
  }
  // The registration may expire again during this function.
  outbox.mayBeLost = false;
  let isDone = false;
  try {
    isDone = await end(outbox, place, warn);
  } finally {
    outbox.mayBeLost ||= !isDone;
  }
  return isDone;
}

async function end(
  { messages, nodes, names }: Outbox,
  { store, instances }: AccountStore,
  warn: (text: string) => void,
): Promise<boolean> {
  const mine = [...messages.values()].filter(({ isWriting }) => !isWriting);
  // Messages in a pending write are checked again: another process may have adopted them.
  let isDone = mine.length === messages.size;
  let elsewhere = 0;
  for (let at = 0; at < mine.length; at += PAGE) {
    const page = mine.slice(at, at + PAGE);
    const resultOwners = await store.jobs.known(page.map(({ id }) => id));
    for (const message of page) {
      const resultOwner = resultOwners.get(message.id);
      const isMine = resultOwner !== undefined && names.has(resultOwner);
      isDone &&= !isMine || resultOwner === instances.id;
      if (!isMine && messages.delete(message.id)) {
        nodes.get(message.node)?.handOver(message);
        elsewhere++;
      }
    }
  }
  if (elsewhere > 0) {
    warn(say("send.taken-over", { n: elsewhere }));
  }
  return isDone;
}
