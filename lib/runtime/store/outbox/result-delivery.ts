import type { Verdict } from "../../../gateway/codec/verdict";
import { readAnswer } from "../../../gateway/queue/stored-content";
import type { JobPart, StoredJob } from "../../../store/recovery";
import type { ClaimedRequest } from "../../../store/requests";
import type { LiveMessages } from "./live-messages";
import type { AccountStore } from "../open-store";
import type { PartResult, ResultNode, StoredMessage } from "./stored-message";

/** Rows of one page. */
const PAGE = 200;

/** Restored messages of several parts: the emission of those that had left before the restart; null where it has not begun. */
const earlierParts = new WeakMap<StoredMessage, Promise<void> | null>();

/** Messages that were made again after a restart, or of another process. */
const restoredMessages = new WeakSet<StoredMessage>();
const isRestored = (message: StoredMessage): boolean => restoredMessages.has(message);

/** What a delivery works for. */
export interface DeliveryListener {
  /** The job with its snapshot decrypted, or with what of it can be read. Never rejects. */
  readonly open: (job: StoredJob) => Promise<StoredJob>;
  /** The result of this request has left its node. */
  readonly emitted: (request: number) => void;
  /** A result could not be read; its node has to be looked after once more. */
  readonly failed: (error: Error) => void;
}

/**
 * Brings the results of an opened store to their nodes: those of live messages as they are known, those of messages from before a
 * restart, or of a process that has ended, with the message made again.
 */
export class ResultDelivery {
  /** Requests whose result has left a node and is not marked so on the disk, or was not when pages of results were read. */
  readonly #unmarked = new Set<number>();
  /** Requests that were marked while results are drained; null while none are. */
  #markedMeanwhile: number[] | null = null;
  /** Restored jobs whose earlier results leave again. One may be done, and still be on a page that was read before. */
  readonly #earlier = new Map<number, Promise<void>>();
  /** Keys of messages that are done since interrupted ones are looked for; null while they are not. */
  #doneMeanwhile: Set<string> | null = null;

  /** @param nodes of this account, which make messages again */
  constructor(
    private readonly place: AccountStore,
    private readonly live: LiveMessages,
    private readonly nodes: ReadonlyMap<string, ResultNode>,
    private readonly listener: DeliveryListener,
  ) {}

  /** The outcome of a request is known, and this process emits it. @param answeredAt epoch ms */
  settled(request: ClaimedRequest, verdict: Verdict, answeredAt: number): void {
    const { id, part, operation, recipients, jobKey, clientMessageId } = request;
    const message = this.live.messages.get(jobKey);
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

  /** These requests are marked as emitted on the disk. */
  marked(ids: readonly number[]): void {
    if (this.#markedMeanwhile !== null) {
      // A page of results that was read before still has them.
      this.#markedMeanwhile.push(...ids);
      return;
    }
    for (const id of ids) {
      this.#unmarked.delete(id);
    }
  }

  /** Emits once more what jobs of a node had emitted that were not done when their process ended. @throws StoreError */
  async emitInterrupted(node: string): Promise<void> {
    const { account, instances, store } = this.place;
    this.#doneMeanwhile = new Set();
    try {
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
    } finally {
      this.#doneMeanwhile = null;
    }
  }

  /** Emits what was settled at a node and has not left. @throws StoreError */
  async drain(node: string): Promise<void> {
    this.#markedMeanwhile ??= [];
    try {
      await this.#drain(node);
    } finally {
      const marked = this.#markedMeanwhile;
      this.#markedMeanwhile = null;
      this.marked(marked);
    }
  }

  async #drain(node: string): Promise<void> {
    const { account, instances, store } = this.place;
    for (let after = 0; ; ) {
      const page = await store.recovery.settled(account, instances.id, node, after, PAGE);
      for (const part of page) {
        after = part.id;
        if (this.#unmarked.has(part.id)) {
          continue;
        }
        if (!instances.mayLeave) {
          // What was read may be somebody else's by now. It is looked for again when this process is known to be alive.
          return;
        }
        const message = this.live.messages.get(part.jobKey) ?? (await this.#restored(part.job));
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

  /** Emits a result, unless its node does not run: then it stays in the store until the node is back. */
  #emit(message: StoredMessage, result: PartResult, again = false): void {
    const node = this.live.nodes.get(message.node);
    if (node === undefined || (!again && this.#unmarked.has(result.request))) {
      return;
    }
    message.prepared.delete(result.part);
    if (!again) {
      if (result.part < message.parts || isRestored(message)) {
        message.open--;
      } else if (message.late > 0) {
        message.late--;
        message.open--;
      }
      if (message.open <= 0) {
        this.live.messages.delete(message.key);
        this.#doneMeanwhile?.add(message.key);
      }
      this.#unmarked.add(result.request);
    }
    node.emit(message, result);
    if (!again) {
      this.listener.emitted(result.request);
    }
  }

  async #emitRestored({ job, jobKey }: ClaimedRequest, result: PartResult): Promise<void> {
    try {
      const message = this.live.messages.get(jobKey) ?? (await this.#restored(job));
      if (message !== null) {
        await this.#emitEarlier(job, message);
        this.#emit(message, result);
      }
    } catch (error) {
      // It stays in the store.
      this.listener.failed(error as Error);
    }
  }

  /** The message of a job of which this process has no object; null where its node does not run. */
  async #restored(id: number): Promise<StoredMessage | null> {
    const { store, instances } = this.place;
    const stored = await store.recovery.job(id);
    const job = stored === null ? null : await this.listener.open(stored);
    // Another process has adopted it, where this one was stopped for long.
    if (job === null || job.taker !== instances.id || this.#doneMeanwhile?.has(job.key)) {
      return null;
    }
    const known = this.live.messages.get(job.key);
    if (known !== undefined) {
      return known;
    }
    const message = this.nodes.get(job.node)?.restore(job) ?? null;
    if (message !== null) {
      restoredMessages.add(message);
      if (job.requests > 1 && !this.#earlier.has(id)) {
        this.live.messages.set(job.key, message);
        // What this process took, and was done before its last part was split off, was emitted by it: nobody has lost that.
        if (this.live.adopted.delete(id)) {
          earlierParts.set(message, null);
        }
      }
    }
    return message;
  }

  /**
   * Emits what a job had emitted before its process ended, because a Join node has lost it: once, and before anything else of the
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
    const { recovery } = this.place.store;
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

  async #resultOf(part: JobPart, restored: boolean): Promise<PartResult> {
    const recipients = part.numbers ?? (await this.#numbersOf(part));
    const { id: request, operation, clientMessageId } = part;
    const verdict = readAnswer(part);
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
