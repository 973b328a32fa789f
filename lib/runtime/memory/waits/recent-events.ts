import type { ReplyChannel } from "../../../store/waits/wait";
import { ByRequest, type RequestIds } from "./by-request";
import type { MemoryReply, Status } from "./memory-wait";
import { MultiMap } from "./multi-map";

/** Events, and the ms for which they are kept: a wait begins soon after its message has left. */
const MOST = 10_000;
const AGE = 600_000;
/** Entries that are gone before the list is made anew. */
const MANY = 1_024;

/** A status of a message that came before its wait, perhaps. */
export interface RecentStatus {
  readonly ids: RequestIds;
  readonly number: string | null;
  readonly status: Status;
  /** Epoch ms. */
  readonly receivedAt: number;
}

type Recent =
  | { readonly receivedAt: number; readonly status: RecentStatus; readonly reply: null }
  | { readonly receivedAt: number; readonly status: null; readonly reply: MemoryReply };

const fits = (channel: ReplyChannel | "any", reply: MemoryReply): boolean =>
  channel === "any" || channel === reply.channel;

/** The latest events of an account, for waits that begin a little later than what they wait for. */
export class RecentEvents {
  /** By age, from `#first` on. */
  #order: Recent[] = [];
  #first = 0;
  readonly #statuses = new ByRequest<RecentStatus>();
  readonly #replies = new MultiMap<MemoryReply>();

  get size(): number {
    return this.#order.length - this.#first;
  }

  addStatus(status: RecentStatus): void {
    this.#statuses.add(status.ids, status);
    this.#add({ receivedAt: status.receivedAt, status, reply: null });
  }

  addReply(reply: MemoryReply): void {
    this.#replies.add(reply.number, reply);
    this.#add({ receivedAt: reply.receivedAt, status: null, reply });
  }

  /**
   * The statuses of a request.
   * @param since epoch ms at which it left: others with its client message id were about an earlier one
   */
  statusesOf(ids: RequestIds, since: number, now: number): readonly RecentStatus[] {
    this.expire(now);
    const found = this.#statuses.byTransfer(ids);
    return found.length > 0
      ? found
      : this.#statuses.byClientMessage(ids).filter(({ receivedAt }) => receivedAt >= since);
  }

  /** What somebody wrote since then that no wait has taken, in order. */
  freeReplies(
    number: string,
    channel: ReplyChannel | "any",
    since: number,
    now: number,
  ): readonly MemoryReply[] {
    this.expire(now);
    return this.#replies
      .of(number)
      .filter((reply) => reply.isFree && reply.receivedAt >= since && fits(channel, reply));
  }

  /** Forgets what is too old. */
  expire(now: number): void {
    for (
      let oldest = this.#order[this.#first];
      oldest !== undefined && (oldest.receivedAt <= now - AGE || this.size > MOST);
      oldest = this.#order[this.#first]
    ) {
      this.#forget(oldest);
    }
    if (this.#first > MANY && this.#first * 2 > this.#order.length) {
      this.#order = this.#order.slice(this.#first);
      this.#first = 0;
    } else if (this.size === 0) {
      this.#order = [];
      this.#first = 0;
    }
  }

  #add(recent: Recent): void {
    this.#order.push(recent);
    this.expire(recent.receivedAt);
  }

  #forget({ status, reply }: Recent): void {
    this.#first++;
    if (reply === null) {
      this.#statuses.remove(status.ids, status);
    } else {
      this.#replies.remove(reply.number, reply);
    }
  }
}
