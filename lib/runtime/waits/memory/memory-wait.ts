import { randomUUID } from "node:crypto";
import type { ReplyChannel } from "../../../store/waits/wait";
import type { WaitEnd, WaitRequest } from "../waits";
import type { Timed } from "./wait-timer";
import type { WaitingNode } from "./waiting-node";

/** Rank of a delivery that comes to nothing (`deliveryRank`), and those that end a wait well. None does for a reply. */
const FAILED = 4;
const NEEDED = { delivered: 5, read: 6, reply: Number.POSITIVE_INFINITY } as const;

/** An inbound message of which it is not decided yet whom it belongs to. */
export interface MemoryReply {
  readonly channel: ReplyChannel;
  readonly number: string;
  /** The event as JSON. */
  readonly body: string;
  /** Epoch ms. */
  readonly at: number;
  /** Whether it is for a wait that begins later. */
  isFree: boolean;
}

/** A status of a message, by its event. */
export interface Status {
  /** In lower case. */
  readonly word: string;
  readonly rank: number;
  /** Epoch ms. */
  readonly at: number;
}

/** What is over together: a wait, or those of a group. */
export class WaitScope {
  /** A wait by itself costs no list. */
  #waits: MemoryWait | Set<MemoryWait> | null = null;
  /** Waits whose time has not come. */
  early = 0;
  /** Replies that are not looked at yet. */
  unread = 0;

  /** @param key of the group; null for a wait by itself */
  constructor(readonly key: string | null) {}

  /** Whether nobody is waited for any longer. */
  get isOver(): boolean {
    return this.early === 0 && this.unread === 0;
  }

  /** In the order in which they began. */
  get waits(): readonly MemoryWait[] {
    if (this.#waits === null) {
      return [];
    }
    return this.#waits instanceof Set ? [...this.#waits] : [this.#waits];
  }

  get isEmpty(): boolean {
    return this.#waits instanceof Set ? this.#waits.size === 0 : this.#waits === null;
  }

  add(wait: MemoryWait): void {
    this.early++;
    if (this.key === null) {
      this.#waits = wait;
    } else if (this.#waits instanceof Set) {
      this.#waits.add(wait);
    } else {
      this.#waits = new Set([wait]);
    }
  }

  remove(wait: MemoryWait): void {
    if (this.#waits instanceof Set) {
      this.#waits.delete(wait);
    } else {
      this.#waits = null;
    }
    if (!wait.isDue) {
      this.early--;
    }
  }
}

/** One recipient of a wait. */
export class WaitingRecipient {
  /** The furthest status so far. */
  #status: Status | null = null;
  /** Whether a reply of the number belongs to it. */
  asks: boolean;
  /** A newer question took its place. */
  replaced = false;
  /** Its end has left. */
  ended = false;
  /** Replies that its node has to look at; null for none. */
  unread: MemoryReply[] | null = null;
  /** Its node compares the first of them now. */
  isBeingRead = false;

  constructor(
    readonly wait: MemoryWait,
    /** Digits. */
    readonly number: string,
  ) {
    this.asks = wait.request.kind === "reply";
  }

  /** The furthest status counts, and the latest of equal ones, in whatever order they come. */
  move(status: Status): void {
    const known = this.#status;
    if (known === null || status.rank > known.rank || (status.rank === known.rank && status.at > known.at)) {
      this.#status = status;
    }
  }

  /** What the statuses so far mean for it; null where it waits on. */
  get verdict(): { readonly what: "happened" | "failed"; readonly status: Status } | null {
    const status = this.#status;
    if (status === null) {
      return null;
    }
    if (status.rank >= NEEDED[this.wait.request.kind]) {
      return { what: "happened", status };
    }
    return status.rank === FAILED ? { what: "failed", status } : null;
  }
}

/** A message that waits for what becomes of its request. */
export class MemoryWait implements Timed {
  /** In the order of the request. */
  readonly recipients: readonly WaitingRecipient[];
  /** Null where there is one recipient. */
  readonly #byNumber: ReadonlyMap<string, WaitingRecipient> | null;
  /** Recipients whose end has not left. */
  open: number;
  /** Replies that are not looked at yet. */
  unread = 0;
  /** The messages that have left, for `msg.parts`. */
  #sequence: { readonly id: string; index: number } | null = null;
  /** Its time has come. */
  isDue = false;
  isTimed = false;

  /**
   * @param order greater than those of all waits before
   * @param numbers digits, each once
   * @param leftAt epoch ms: what people wrote before is no reply
   */
  constructor(
    readonly order: number,
    readonly request: WaitRequest,
    readonly node: WaitingNode,
    readonly scope: WaitScope,
    readonly leftAt: number,
    numbers: readonly string[],
  ) {
    this.recipients = numbers.map((number) => new WaitingRecipient(this, number));
    this.#byNumber =
      numbers.length === 1 ? null : new Map(this.recipients.map((each) => [each.number, each]));
    this.open = numbers.length;
    scope.add(this);
  }

  /** The place of the message that leaves now. Null for a wait for one recipient. */
  count(): WaitEnd["sequence"] {
    if (this.#byNumber === null) {
      return null;
    }
    this.#sequence ??= { id: randomUUID(), index: 0 };
    const { id } = this.#sequence;
    const index = this.#sequence.index++;
    return { id, index, count: this.open === 0 ? index + 1 : null };
  }

  has(number: string): boolean {
    return this.#byNumber?.has(number) ?? this.recipients[0]?.number === number;
  }

  /** Whom an event of its request is about. The only recipient gets events of any number, or without one. */
  recipientOf(number: string | null): WaitingRecipient | undefined {
    return this.#byNumber === null ? this.recipients[0] : this.#byNumber.get(number ?? "");
  }

  /** Whether something that comes at this moment ends it: the timer may be late, and the waits of a group are over together. */
  hears(now: number): boolean {
    return this.request.group !== null || this.request.until > now || this.unread > 0;
  }
}
