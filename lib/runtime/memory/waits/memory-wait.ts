import { deliveryRank } from "../../../store/events/delivery-rank";
import type { NewWait, OpenWait, PendingReply, ReplyChannel, Reported } from "../../../store/waits/wait";
import type { ReportedEvent } from "./by-request";

/** Rank of a delivery that comes to nothing (`deliveryRank`), and those that end a wait well. None does for a reply. */
const FAILED = 4;
const NEEDED = { delivered: 5, read: 6, reply: Number.POSITIVE_INFINITY } as const;

/** An inbound message of which it is not decided yet whom it belongs to. */
export class MemoryReply {
  /** Whether it is for a wait that begins later. */
  isFree = true;
  /** Whose wait has to look at it; null for nobody's. */
  recipient: WaitingRecipient | null = null;

  constructor(
    readonly id: number,
    readonly channel: ReplyChannel,
    readonly number: string,
    /** The event as JSON. */
    readonly body: string,
    /** Epoch ms by the event, and when it came. */
    readonly at: number,
    readonly receivedAt: number,
  ) {}

  /** As a wait has to look at it. */
  pendingOf(recipient: WaitingRecipient): PendingReply {
    const { id, number, channel, body, at, receivedAt } = this;
    const { wait, place } = recipient;
    const { node } = wait.begun;
    return {
      id,
      wait: wait.id,
      place,
      node,
      number,
      channel,
      body,
      at,
      receivedAt,
      isOpen: recipient.isOpen,
    };
  }
}

/** A status of a message, by its event. */
export interface Status {
  /** In lower case. */
  readonly word: string;
  readonly rank: number;
  /** Epoch ms. */
  readonly at: number;
}

/** The status that an event tells; null where it tells none. @param now epoch ms */
export function statusOf({ status, at }: Pick<ReportedEvent, "status" | "at">, now: number): Status | null {
  const word = status?.trim().toLowerCase() ?? "";
  return word === "" ? null : { word, rank: deliveryRank(word), at: at ?? now };
}

/** What a recipient came to. */
export interface End {
  readonly what: Reported | "silent";
  readonly status: string | null;
  /** Epoch ms. */
  readonly at: number;
  readonly reply: MemoryReply | null;
}

/** @param at epoch ms */
export const silence = (at: number): End => ({ what: "silent", status: null, at, reply: null });

/** What is over together: a wait, or those of a group. */
export class WaitScope {
  /** In the order in which they began. A wait by itself costs no set. */
  #waits: Set<MemoryWait> | readonly MemoryWait[] = [];
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

  get waits(): Iterable<MemoryWait> {
    return this.#waits;
  }

  add(wait: MemoryWait): void {
    this.early++;
    if (this.key === null) {
      this.#waits = [wait];
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
      this.#waits = [];
    }
    if (!wait.isDue) {
      this.early--;
    }
  }
}

/** The scopes of all waits. */
export class WaitScopes {
  readonly #groups = new Map<string, WaitScope>();

  get size(): number {
    return this.#groups.size;
  }

  of(group: string | null): WaitScope {
    const scope = (group === null ? undefined : this.#groups.get(group)) ?? new WaitScope(group);
    if (group !== null) {
      this.#groups.set(group, scope);
    }
    return scope;
  }

  /** Removes a wait from its scope. @returns whether it was the last one there */
  remove(wait: MemoryWait): boolean {
    const { scope } = wait;
    scope.remove(wait);
    const [other] = scope.waits;
    if (other === undefined && scope.key !== null) {
      this.#groups.delete(scope.key);
    }
    return other === undefined;
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
  /** It has written something that ended nothing. */
  wrote = false;
  /** Null while it is waited for. */
  end: End | null = null;
  /** Epoch ms at which it ended, whatever time its event has. */
  endedAt = 0;
  /** Its end has left its node. */
  hasLeft = false;
  /** Replies that its node has to look at. */
  unread = 0;

  constructor(
    readonly wait: MemoryWait,
    /** In the order of the request. */
    readonly place: number,
    /** Digits. */
    readonly number: string,
  ) {
    this.asks = wait.begun.kind === "reply";
  }

  get isOpen(): boolean {
    return this.end === null;
  }

  /** Counts a reply that its node has to look at (1), or has looked at (-1). */
  countUnread(step: 1 | -1): void {
    this.unread += step;
    this.wait.unread += step;
    this.wait.scope.unread += step;
  }

  /** The furthest status counts, and the latest of equal ones, in whatever order they come. */
  move(status: Status): void {
    const known = this.#status;
    if (known === null || status.rank > known.rank || (status.rank === known.rank && status.at > known.at)) {
      this.#status = status;
    }
  }

  /** The end that the statuses so far are; null where it waits on. */
  get verdict(): End | null {
    const status = this.#status;
    if (status === null || (status.rank < NEEDED[this.wait.begun.kind] && status.rank !== FAILED)) {
      return null;
    }
    const what = status.rank === FAILED ? "failed" : "happened";
    return { what, status: status.word, at: status.at, reply: null };
  }
}

/** A message that waits for what becomes of its request. */
export class MemoryWait {
  /** In the order of the request. */
  readonly recipients: readonly WaitingRecipient[];
  /** Null where there is one recipient. */
  readonly #byNumber: ReadonlyMap<string, WaitingRecipient> | null;
  /** Recipients whose end has not left. */
  open: number;
  /** Replies that are not looked at yet. */
  unread = 0;
  /** Its time has come. */
  isDue = false;

  /**
   * @param id greater than those of all waits before
   * @param numbers digits, each once
   * @param leftAt epoch ms: what people wrote before is no reply
   */
  constructor(
    readonly id: number,
    readonly begun: NewWait,
    readonly scope: WaitScope,
    readonly beganAt: number,
    readonly leftAt: number,
    numbers: readonly string[],
  ) {
    this.recipients = numbers.map((number, place) => new WaitingRecipient(this, place, number));
    this.#byNumber =
      numbers.length === 1 ? null : new Map(this.recipients.map((each) => [each.number, each]));
    this.open = numbers.length;
    scope.add(this);
  }

  /** Epoch ms at which its time is over. */
  get until(): number {
    return this.begun.until;
  }

  has(number: string): boolean {
    return this.#byNumber?.has(number) ?? this.recipients[0]?.number === number;
  }

  /** Whom an event of its request is about. The only recipient gets events of any number, or without one. */
  recipientOf(number: string | null): WaitingRecipient | undefined {
    return this.#byNumber === null ? this.recipients[0] : this.#byNumber.get(number ?? "");
  }

  get asOpen(): OpenWait {
    const { id, beganAt, open, recipients, begun } = this;
    const { key, node, kind, until, group, message } = begun;
    const left = recipients.length - open;
    return {
      id,
      key,
      node,
      kind,
      beganAt,
      until,
      group,
      left,
      recipients: recipients.length,
      open,
      snapshot: null,
      message,
    };
  }
}
