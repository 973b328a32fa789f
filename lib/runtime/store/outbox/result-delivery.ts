import type { Verdict } from "../../../gateway/codec/verdict";
import type { LeftResults } from "../../../gateway/queue/stored/left-results";
import type { QueueResults } from "../../../gateway/queue/stored/stored-messages";
import { settledVerdict } from "../../../gateway/queue/stored-content";
import type { JobPart, StoredJob } from "../../../store/jobs/recovery";
import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import type { AccountStore } from "../open-store";
import type { Outbox } from "./outbox";
import type { PartResult, StoredMessage } from "./stored-message";

const PAGE = 200;

const restoredMessages = new WeakSet<StoredMessage>();
const isRestored = (message: StoredMessage): boolean => restoredMessages.has(message);

export interface DeliveryListener {
  /** The node has emitted the result of this request. */
  readonly emitted: (request: number) => void;
  /** A result could not be read; its node has to be scanned again. */
  readonly failed: (error: Error) => void;
}

/** Emits results at their nodes. Restores messages from before a restart or from an ended process. */
export class ResultDelivery implements QueueResults {
  constructor(
    private readonly place: AccountStore,
    private readonly outbox: Outbox,
    private readonly left: LeftResults,
    private readonly listener: DeliveryListener,
  ) {}

  /** Emits the result only if this process owns it. @param answeredAt epoch ms */
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

  /** @param parts numbers of the new requests */
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

  marked(ids: readonly number[]): void {
    this.left.marked(ids);
  }

  /** Emits settled results of these nodes. @throws StoreError */
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
          // Another process may own the read results. They are read again with a valid lease.
          return;
        }
        const message = this.outbox.messages.get(part.job) ?? (await this.#restored(part.job, jobs));
        if (message !== null) {
          this.#emit(message, await this.#toResult(part, isRestored(message)));
        }
      }
    }
  }

  /** Without its node, the result stays in the store until the node is back. */
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
      // The result stays in the store.
      this.listener.failed(error as Error);
    }
  }

  /** Returns null if the node does not run. Remaining results are a new group for Join. */
  async #restored(id: number, read?: ReadonlyMap<number, StoredJob>): Promise<StoredMessage | null> {
    const { store, instances } = this.place;
    const job = read?.get(id) ?? (await store.recovery.job(id));
    // Another process has adopted it after a long pause of this one.
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

  async #toResult(part: JobPart, restored: boolean): Promise<PartResult> {
    const recipients = part.numbers ?? (await this.#readNumbers(part));
    const { id: request, operation, clientMessageId } = part;
    const verdict = settledVerdict(part);
    return { request, part: part.part, operation, clientMessageId, recipients, verdict, restored };
  }

  async #readNumbers({ id, recipients: count }: JobPart): Promise<readonly string[]> {
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
