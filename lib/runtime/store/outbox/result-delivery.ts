import type { Verdict } from "../../../gateway/codec/verdict";
import type { LeftResults } from "../../../gateway/queue/stored/left-results";
import type { QueueResults } from "../../../gateway/queue/stored/stored-messages";
import { settledVerdict } from "../../../gateway/queue/stored-content";
import type { JobPart, StoredJob } from "../../../store/jobs/recovery";
import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import type { AccountStore } from "../open-store";
import type { Outbox } from "./outbox";
import type { PartResult, StoredMessage } from "./stored-message";

/** Rows of one page. */
const PAGE = 200;

/** Messages that were made again after a restart, or of another process. */
const restoredMessages = new WeakSet<StoredMessage>();
const isRestored = (message: StoredMessage): boolean => restoredMessages.has(message);

/** What a delivery works for. */
export interface DeliveryListener {
  /** The result of this request has left its node. */
  readonly emitted: (request: number) => void;
  /** A result could not be read; its node has to be looked after once more. */
  readonly failed: (error: Error) => void;
}

/**
 * Brings the results of an opened store to their nodes: those of open messages as they are known, those of messages from before a
 * restart, or of a process that has ended, with the message made again.
 */
export class ResultDelivery implements QueueResults {
  constructor(
    private readonly place: AccountStore,
    private readonly outbox: Outbox,
    private readonly left: LeftResults,
    private readonly listener: DeliveryListener,
  ) {}

  /** The outcome of a request is known, and this process emits it where it has taken the message. @param answeredAt epoch ms */
  settled(request: ClaimedRequest, verdict: Verdict, resultOwner: string, answeredAt: number): void {
    if (!this.outbox.names.has(resultOwner)) {
      return;
    }
    const { id, part, operation, recipients, job, clientMessageId } = request;
    const message = this.outbox.messages.get(job);
    const restored = message === undefined || isRestored(message);
    const result: PartResult = {
      request: id,
      part,
      operation,
      clientMessageId,
      recipients,
      verdict,
      restored,
      answeredAt,
    };
    if (restored) {
      void this.#emitRestored(request, result);
    } else {
      this.#emit(message, result);
    }
  }

  /** Recipients of a request have become requests of their own. @param parts of those */
  divided({ job, part }: ClaimedRequest, parts: readonly number[]): void {
    const message = this.outbox.messages.get(job);
    if (message !== undefined) {
      message.divided = true;
      message.late += parts.length;
      message.open += parts.length;
      const content = message.contents?.get(part);
      for (const each of content === undefined ? [] : parts) {
        message.contents?.set(each, content as string);
      }
    }
  }

  /** These requests are marked as emitted on the disk. */
  marked(ids: readonly number[]): void {
    this.left.marked(ids);
  }

  /** Emits what was settled at these nodes and has not left. @throws StoreError */
  scan(nodes: readonly string[]): Promise<void> {
    return this.left.during(() => this.#scan(nodes));
  }

  async #scan(nodes: readonly string[]): Promise<void> {
    const { account, instances, store } = this.place;
    for (let after = 0; ; ) {
      const page = await store.recovery.settled(account, instances.id, nodes, after, PAGE);
      if (page.length === 0) {
        return;
      }
      const unknown = page.filter(({ id, job }) => !this.left.has(id) && !this.outbox.messages.has(job));
      const jobs = await store.recovery.jobsOf([...new Set(unknown.map(({ job }) => job))]);
      for (const part of page) {
        after = part.id;
        if (this.left.has(part.id)) {
          continue;
        }
        if (!instances.mayLeave) {
          // What was read may be somebody else's by now. It is looked for again when this process is known to be alive.
          return;
        }
        const message = this.outbox.messages.get(part.job) ?? (await this.#restored(part.job, jobs));
        if (message !== null) {
          this.#emit(message, await this.#resultOf(part, isRestored(message)));
        }
      }
    }
  }

  /** Emits a result, unless its node does not run: then it stays in the store until the node is back. */
  #emit(message: StoredMessage, result: PartResult): void {
    const node = this.outbox.nodes.get(message.node);
    if (node === undefined || this.left.has(result.request)) {
      return;
    }
    if (result.part === 0) {
      message.checked = null;
    }
    if (result.part < message.parts || isRestored(message)) {
      message.open--;
    } else if (message.late > 0) {
      message.late--;
      message.open--;
    }
    if (message.open <= 0) {
      this.outbox.messages.delete(message.id);
    }
    this.left.add(result.request);
    node.emit(message, result);
    this.listener.emitted(result.request);
  }

  async #emitRestored({ job }: ClaimedRequest, result: PartResult): Promise<void> {
    try {
      const message = this.outbox.messages.get(job) ?? (await this.#restored(job));
      if (message !== null) {
        this.#emit(message, result);
      }
    } catch (error) {
      // It stays in the store.
      this.listener.failed(error as Error);
    }
  }

  /**
   * The message of a job of which this process has no object; null where its node does not run. Where some of its results have left
   * already, a Join node has lost them: the others are a group of their own.
   * @param read jobs that were read
   */
  async #restored(id: number, read?: ReadonlyMap<number, StoredJob>): Promise<StoredMessage | null> {
    const { store, instances } = this.place;
    const job = read?.get(id) ?? (await store.recovery.job(id));
    // Another process has adopted it, where this one was stopped for long.
    if (job === null || job.resultOwner !== instances.id) {
      return null;
    }
    const node = this.outbox.nodes.get(job.node);
    const message = node?.restore(job) ?? null;
    const rest =
      message !== null && message.parts > 1 && job.open < job.requests
        ? await store.recovery.openParts(id, message.parts)
        : null;
    const known = this.outbox.messages.get(id);
    if (known !== undefined) {
      return known;
    }
    if (message !== null) {
      restoredMessages.add(message);
      if (rest !== null) {
        node?.regroup(message, rest);
      }
      if (job.open > 1) {
        this.outbox.messages.set(id, message);
      }
    }
    return message;
  }

  async #resultOf(part: JobPart, restored: boolean): Promise<PartResult> {
    const recipients = part.numbers ?? (await this.#numbersOf(part));
    const { id: request, operation, clientMessageId } = part;
    const verdict = settledVerdict(part);
    return { request, part: part.part, operation, clientMessageId, recipients, verdict, restored };
  }

  async #numbersOf({ id, recipients: count }: JobPart): Promise<readonly string[]> {
    const { deliveries } = this.place.store;
    const numbers: string[] = [];
    for (let after = -1; numbers.length < count; ) {
      const page = await deliveries.ofRequest(id, after, 1000);
      if (page.length === 0) {
        break;
      }
      after = page.at(-1)?.place ?? after;
      numbers.push(...page.map(({ number }) => number));
    }
    return numbers;
  }
}
