import { type Clock, SYSTEM_CLOCK } from "../../../store/engine/clock";
import type {
  ReportedWait,
  NewReply,
  NewWait,
  OpenWait,
  PendingReply,
  ReplyEnd,
  SilentWaits,
  WaitStore,
} from "../../../store/waits/wait";
import { MemoryDepartures } from "../memory-departures";
import { NodeDeadlines } from "./deadlines";
import type { ReportedEvent } from "./by-request";
import {
  type End,
  MemoryReply,
  MemoryWait,
  silence,
  statusOf,
  type WaitingRecipient,
  type WaitScope,
  WaitScopes,
} from "./memory-wait";
import { NodePages } from "./node-pages";
import { OpenWaits } from "./open-waits";
import { RecentEvents } from "./recent-events";
import { WaitRoom } from "./wait-room";

/** The waits of an account without a store. Nobody knows here whether the account has sent a message, so each may wait. */
export class MemoryWaits implements WaitStore {
  readonly #waits = new Map<number, MemoryWait>();
  readonly #open = new OpenWaits();
  readonly #scopes = new WaitScopes();
  readonly #recent = new RecentEvents();
  /** Waits whose time has not come, and that have no reply to look at. */
  readonly #deadlines = new NodeDeadlines<MemoryWait>();
  readonly #pages = new NodePages();
  readonly #listeners = new Set<() => void>();
  /** Nodes that were there when they last asked. */
  #present: ReadonlySet<string> = new Set();
  readonly #room: WaitRoom;
  #last = 0;
  /** Whether there has been a node that waits: nothing is kept for those that may begin otherwise. */
  #isUsed = false;

  constructor(
    private readonly departures = new MemoryDepartures(),
    private readonly clock: Clock = SYSTEM_CLOCK,
    most?: number,
  ) {
    this.#room = new WaitRoom(most);
  }

  /** Recipients whose ends have not left, and all that is in memory. */
  get load() {
    const maps = [this.#waits, this.#open, this.#scopes, this.#recent, this.#pages, this.#deadlines];
    return { open: this.#room.taken, entries: maps.reduce((sum, { size }) => sum + size, 0) };
  }

  /** There is a node that waits: notes events from now on. */
  use(): void {
    this.#isUsed = true;
    this.departures.follow();
  }

  /** Calls back when something was reported of what is waited for. @returns ends it */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** An event of a webhook of the account. Each event once, whatever number of copies comes. */
  received(event: ReportedEvent): void {
    const { transferId, clientMessageId, number, at, reply } = event;
    if (!this.#isUsed) {
      return;
    }
    const now = this.clock.now();
    if (reply !== null) {
      if (number !== null) {
        this.#replyReceived(number, reply, Math.min(at ?? now, now), now);
      }
      return;
    }
    const status = statusOf(event, now);
    if (status !== null) {
      const ids = { transferId, clientMessageId };
      this.#recent.addStatus({ ids, number, status, receivedAt: now });
      for (const recipient of this.#open.recipients(ids, number)) {
        recipient.move(status);
        this.#endByStatus(recipient);
      }
    }
  }

  /** @throws MessagingError TOO_MANY_WAITS */
  async begin(begun: NewWait): Promise<OpenWait | null> {
    this.use();
    const now = this.clock.now();
    const numbers = [...new Set(begun.recipients.map((each) => each.replace(/^\+/, "")))];
    if (numbers.length === 0) {
      return null;
    }
    this.#room.take(numbers.length, now, (before) => this.#sweep(before));
    const leftAt = this.departures.leftAt(begun.clientMessageId);
    const wait = new MemoryWait(++this.#last, begun, this.#scopes.of(begun.group), now, leftAt, numbers);
    this.#waits.set(wait.id, wait);
    this.#open.add(wait);
    this.#deadlines.add(begun.node, wait);
    this.#endByEarlier(wait, now);
    return wait.asOpen;
  }

  async reported(
    _resultOwner: string,
    most: number,
    nodes: readonly string[],
  ): Promise<readonly ReportedWait[]> {
    this.#present = new Set(nodes);
    return this.#pages.reportedOf(nodes, most);
  }

  async silent(
    _resultOwner: string,
    most: number,
    nodes: readonly string[],
  ): Promise<readonly SilentWaits[]> {
    return this.#pages.silentOf(nodes, most);
  }

  async replies(
    _resultOwner: string,
    most: number,
    nodes: readonly string[],
  ): Promise<readonly PendingReply[]> {
    return this.#pages.repliesOf(nodes, most);
  }

  async answered({ id, wait, place, node }: PendingReply, what: ReplyEnd): Promise<boolean> {
    const recipient = this.#waits.get(wait)?.recipients[place];
    const reply = this.#pages.pending.get(node, id);
    if (recipient !== undefined && reply !== undefined) {
      const isAnswer = recipient.isOpen;
      if (isAnswer) {
        this.#end(recipient, { what, status: null, at: reply.at, reply });
      }
      this.#settle(reply, !isAnswer);
    }
    return recipient?.end?.reply?.id === id;
  }

  async passed({ id, node }: PendingReply, stays: boolean): Promise<void> {
    const reply = this.#pages.pending.get(node, id);
    if (reply !== undefined) {
      (reply.recipient as WaitingRecipient).wrote = true;
      this.#settle(reply, stays);
    }
  }

  async expire(_resultOwner: string, most: number, nodes: readonly string[]): Promise<number> {
    const now = this.clock.now();
    this.#recent.expire(now);
    let expired = 0;
    for (const wait of this.#deadlines.take(nodes, now, most)) {
      wait.isDue = true;
      wait.scope.early--;
      this.#endIfOver(wait.scope);
      expired++;
    }
    return expired;
  }

  async nextEnd(_resultOwner: string, nodes: readonly string[]): Promise<number | null> {
    return this.#deadlines.next(nodes);
  }

  async left(wait: number, places: readonly number[]): Promise<void> {
    for (const place of places) {
      const recipient = this.#waits.get(wait)?.recipients[place];
      if (recipient?.hasLeft === false) {
        this.#forget(recipient);
      }
    }
  }

  /** No other process has any. */
  async adopt(): Promise<number> {
    return 0;
  }

  async open(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { begun, open } of this.#waits.values()) {
      counts.set(begun.node, (counts.get(begun.node) ?? 0) + open);
    }
    return counts;
  }

  /** No event comes in another process. */
  async recheck(): Promise<void> {}

  async some(ids: readonly number[]): Promise<readonly OpenWait[]> {
    return ids.flatMap((id) => this.#waits.get(id)?.asOpen ?? []).sort((a, b) => a.id - b.id);
  }

  async wait(id: number): Promise<OpenWait | null> {
    return this.#waits.get(id)?.asOpen ?? null;
  }

  #replyReceived(number: string, { channel, body }: NewReply, at: number, now: number): void {
    const reply = new MemoryReply(++this.#last, channel, number, body, at, now);
    this.#recent.addReply(reply);
    const recipient = this.#open.question(number, channel);
    if (recipient !== undefined) {
      this.#give(reply, recipient);
    }
  }

  /** Brings a wait that begins what came before it. Replies are looked at before the statuses count. */
  #endByEarlier(wait: MemoryWait, now: number): void {
    const { begun, leftAt } = wait;
    for (const { number, status } of this.#recent.statusesOf(begun, leftAt, now)) {
      wait.recipientOf(number)?.move(status);
    }
    for (const recipient of wait.recipients) {
      if (recipient.asks) {
        for (const reply of this.#recent.freeReplies(recipient.number, begun.channel, leftAt, now)) {
          this.#give(reply, recipient);
        }
      }
      this.#endByStatus(recipient);
    }
  }

  /** The wait of a recipient has to look at a reply, and does not end before that. */
  #give(reply: MemoryReply, recipient: WaitingRecipient): void {
    const { wait } = recipient;
    reply.isFree = false;
    reply.recipient = recipient;
    recipient.countUnread(1);
    this.#pages.pending.set(wait.begun.node, reply.id, reply);
    this.#deadlines.delete(wait.begun.node, wait);
    this.#notify();
  }

  /** The wait has looked at a reply. @param isFree whether it is for whoever begins later */
  #settle(reply: MemoryReply, isFree: boolean): void {
    const recipient = reply.recipient as WaitingRecipient;
    const { wait } = recipient;
    reply.isFree = isFree;
    reply.recipient = null;
    recipient.countUnread(-1);
    this.#pages.pending.delete(wait.begun.node, reply.id);
    this.#endByStatus(recipient);
    if (!wait.isDue && wait.open > 0 && wait.unread === 0) {
      this.#deadlines.add(wait.begun.node, wait);
    }
    this.#endIfOver(wait.scope);
  }

  #endByStatus(recipient: WaitingRecipient): void {
    const { verdict } = recipient;
    if (verdict !== null && recipient.isOpen && recipient.unread === 0) {
      this.#end(recipient, verdict);
    }
  }

  #end(recipient: WaitingRecipient, end: End, now = this.clock.now()): void {
    recipient.end = end;
    recipient.endedAt = now;
    this.#open.forgetQuestion(recipient);
    if (end.what === "silent") {
      return;
    }
    this.#pages.reported.set(recipient.wait.begun.node, recipient, recipient);
    this.#notify();
  }

  #endIfOver(scope: WaitScope): void {
    const [first] = scope.waits;
    if (!scope.isOver || first === undefined) {
      return;
    }
    const now = this.clock.now();
    const silent = [...scope.waits].flatMap(({ recipients }) => recipients.filter(({ isOpen }) => isOpen));
    for (const recipient of silent) {
      this.#end(recipient, silence(now), now);
    }
    if (silent.length > 0) {
      this.#pages.silent.set(first.begun.node, scope, scope);
      this.#notify();
    }
  }

  #forget(recipient: WaitingRecipient): void {
    const { wait } = recipient;
    recipient.hasLeft = true;
    this.#room.giveBack();
    this.#pages.reported.delete(wait.begun.node, recipient);
    wait.open--;
    if (wait.open === 0) {
      this.#drop(wait);
    }
  }

  #drop(wait: MemoryWait): void {
    const { scope, begun } = wait;
    this.#waits.delete(wait.id);
    this.#open.remove(wait);
    this.#deadlines.delete(begun.node, wait);
    for (const reply of wait.unread === 0 ? [] : [...this.#pages.pending.of([begun.node])]) {
      if (reply.recipient?.wait === wait) {
        this.#settle(reply, true);
      }
    }
    if (this.#scopes.remove(wait)) {
      this.#pages.silent.delete(begun.node, scope);
    } else {
      this.#endIfOver(scope);
    }
  }

  /** Drops recipients of nodes that are gone whose end, or the end of their time, was at this moment or before. */
  #sweep(before: number): void {
    for (const { recipients, begun, until } of this.#waits.values()) {
      for (const recipient of this.#present.has(begun.node) ? [] : recipients) {
        if (!recipient.hasLeft && (recipient.isOpen ? until : recipient.endedAt) <= before) {
          if (recipient.isOpen) {
            this.#end(recipient, silence(before), before);
          }
          this.#forget(recipient);
        }
      }
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
