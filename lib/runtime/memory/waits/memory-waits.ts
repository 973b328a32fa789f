import { MessagingError } from "../../../shared/messaging-error";
import { type Clock, SYSTEM_CLOCK } from "../../../store/engine/clock";
import { deliveryRank } from "../../../store/delivery-rank";
import type {
  HeardWait,
  NewReply,
  NewWait,
  OpenWait,
  PendingReply,
  SilentWaits,
  WaitStore,
} from "../../../store/waits/wait";
import { say } from "../../../texts/say";
import { MemoryDepartures } from "../memory-departures";
import { Deadlines } from "./deadlines";
import type { HeardEvent } from "./by-request";
import {
  type End,
  MemoryReply,
  MemoryWait,
  type Status,
  type WaitingRecipient,
  WaitScope,
} from "./memory-wait";
import { NodePages } from "./node-pages";
import { OpenWaits } from "./open-waits";
import { RecentEvents } from "./recent-events";

/** Recipients of an account whose ends have not left. */
const MOST = 100_000;
/** ms for which ends are kept for a node that is gone. */
const KEPT = 3_600_000;
/** ms between two looks at all that is kept, and where there is no room. */
const SWEEP = 60_000;
const SWEEP_CROWDED = 1_000;

/** The waits of an account without a store. Nobody knows here whether the account has sent a message, so each may wait. */
export class MemoryWaits implements WaitStore {
  readonly #waits = new Map<number, MemoryWait>();
  /** The same, found by what events say. */
  readonly #open = new OpenWaits();
  readonly #groups = new Map<string, WaitScope>();
  readonly #recent = new RecentEvents();
  /** Waits whose time has not come, and that have no reply to look at. */
  readonly #deadlines = new Map<string, Deadlines<MemoryWait>>();
  /** What nodes have to fetch. */
  readonly #pages = new NodePages();
  readonly #listeners = new Set<() => void>();
  /** Nodes that were there when they last asked. */
  #present: ReadonlySet<string> = new Set();
  #recipients = 0;
  #last = 0;
  /** Epoch ms. */
  #sweptAt = 0;
  /** Whether there has been a node that waits: nothing is kept for those that may begin otherwise. */
  #isUsed = false;

  constructor(
    private readonly departures = new MemoryDepartures(),
    private readonly clock: Clock = SYSTEM_CLOCK,
    private readonly most: number = MOST,
  ) {}

  /** Recipients whose ends have not left, and all that is in memory. */
  get load(): { readonly open: number; readonly entries: number } {
    const maps = [this.#waits, this.#open, this.#groups, this.#recent, this.#pages];
    const deadlines = [...this.#deadlines.values()].reduce((sum, { size }) => sum + size, 0);
    return { open: this.#recipients, entries: maps.reduce((sum, { size }) => sum + size, deadlines) };
  }

  /** There is a node that waits: notes events from now on. */
  use(): void {
    this.#isUsed = true;
    this.departures.follow();
  }

  /** Calls back when something was heard of what is waited for. @returns ends it */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** An event of a webhook of the account. Each event once, whatever number of copies comes. */
  hear({ transferId, clientMessageId, number, status, at, reply }: HeardEvent): void {
    if (!this.#isUsed) {
      return;
    }
    const now = this.clock.now();
    if (reply !== null) {
      if (number !== null) {
        this.#hearReply(number, reply, Math.min(at ?? now, now), now);
      }
      return;
    }
    const word = status?.trim().toLowerCase() ?? "";
    if (word === "") {
      return;
    }
    const ids = { transferId, clientMessageId };
    const heard: Status = { word, rank: deliveryRank(word), at: at ?? now };
    this.#recent.addStatus({ ids, number, status: heard, receivedAt: now });
    for (const recipient of this.#open.recipients(ids, number)) {
      recipient.move(heard);
      this.#endByStatus(recipient);
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
    this.#makeRoom(numbers.length, now);
    const leftAt = this.departures.leftAt(begun.clientMessageId);
    const wait = new MemoryWait(++this.#last, begun, this.#scopeOf(begun.group), now, leftAt, numbers);
    this.#waits.set(wait.id, wait);
    this.#recipients += numbers.length;
    this.#open.add(wait);
    this.#deadlinesOf(begun.node).add(wait);
    this.#hearBefore(wait, now);
    return wait.asOpen;
  }

  async heard(_taker: string, most: number, nodes: readonly string[]): Promise<readonly HeardWait[]> {
    this.#present = new Set(nodes);
    return this.#pages.heardOf(nodes, most);
  }

  async silent(_taker: string, most: number, nodes: readonly string[]): Promise<readonly SilentWaits[]> {
    return this.#pages.silentOf(nodes, most);
  }

  async replies(_taker: string, most: number, nodes: readonly string[]): Promise<readonly PendingReply[]> {
    return this.#pages.repliesOf(nodes, most);
  }

  async answered({ id, wait, place, node }: PendingReply): Promise<boolean> {
    const recipient = this.#waits.get(wait)?.recipients[place];
    const reply = this.#pages.pending.get(node, id);
    if (recipient !== undefined && reply !== undefined) {
      const isAnswer = recipient.isOpen;
      if (isAnswer) {
        this.#end(recipient, { what: "happened", status: null, at: reply.at, reply });
      }
      this.#settle(reply, !isAnswer);
    }
    return recipient?.end?.reply?.id === id;
  }

  async passed({ id, node }: PendingReply, stays: boolean): Promise<void> {
    const reply = this.#pages.pending.get(node, id);
    if (reply !== undefined) {
      this.#settle(reply, stays);
    }
  }

  async expire(_taker: string, most: number, nodes: readonly string[]): Promise<number> {
    const now = this.clock.now();
    this.#recent.expire(now);
    let expired = 0;
    for (const node of nodes) {
      const deadlines = this.#deadlines.get(node);
      while (expired < most) {
        const wait = deadlines?.take(now);
        if (wait === undefined) {
          break;
        }
        wait.isDue = true;
        wait.scope.early--;
        this.#endIfOver(wait.scope);
        expired++;
      }
    }
    return expired;
  }

  async nextEnd(_taker: string, nodes: readonly string[]): Promise<number | null> {
    const next = Math.min(
      ...nodes.map((node) => this.#deadlines.get(node)?.next ?? Number.POSITIVE_INFINITY),
    );
    return next === Number.POSITIVE_INFINITY ? null : next;
  }

  async left(wait: number, places: readonly number[]): Promise<void> {
    for (const place of places) {
      const recipient = this.#waits.get(wait)?.recipients[place];
      if (recipient !== undefined) {
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

  #hearReply(number: string, { channel, body }: NewReply, at: number, now: number): void {
    const reply = new MemoryReply(++this.#last, channel, number, body, at, now);
    this.#recent.addReply(reply);
    const recipient = this.#open.question(number, channel);
    if (recipient !== undefined) {
      this.#give(reply, recipient);
    }
  }

  /** Brings a wait that begins what came before it. Replies are looked at before the statuses count. */
  #hearBefore(wait: MemoryWait, now: number): void {
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
    recipient.unread++;
    wait.unread++;
    wait.scope.unread++;
    this.#pages.pending.set(wait.begun.node, reply.id, reply);
    this.#deadlinesOf(wait.begun.node).delete(wait);
    this.#tell();
  }

  /** The wait has looked at a reply. @param isFree whether it is for whoever begins later */
  #settle(reply: MemoryReply, isFree: boolean): void {
    const recipient = reply.recipient as WaitingRecipient;
    const { wait } = recipient;
    reply.isFree = isFree;
    reply.recipient = null;
    recipient.unread--;
    wait.unread--;
    wait.scope.unread--;
    this.#pages.pending.delete(wait.begun.node, reply.id);
    this.#endByStatus(recipient);
    if (!wait.isDue && wait.open > 0 && wait.unread === 0) {
      this.#deadlinesOf(wait.begun.node).add(wait);
    }
    this.#endIfOver(wait.scope);
  }

  #endByStatus(recipient: WaitingRecipient): void {
    const { verdict } = recipient;
    if (verdict !== null && recipient.isOpen && recipient.unread === 0) {
      this.#end(recipient, verdict);
    }
  }

  #end(recipient: WaitingRecipient, end: End): void {
    recipient.end = end;
    recipient.endedAt = this.clock.now();
    this.#open.forgetQuestion(recipient);
    this.#pages.heard.set(recipient.wait.begun.node, recipient, recipient);
    this.#tell();
  }

  /** Nothing was heard of all who are left. */
  #endIfOver(scope: WaitScope): void {
    const [first] = scope.waits;
    if (!scope.isOver || first === undefined) {
      return;
    }
    const now = this.clock.now();
    let isSilent = false;
    for (const { recipients } of scope.waits) {
      for (const recipient of recipients) {
        if (recipient.isOpen) {
          this.#silence(recipient, now);
          isSilent = true;
        }
      }
    }
    if (isSilent) {
      this.#pages.silent.set(first.begun.node, scope, scope);
      this.#tell();
    }
  }

  #silence(recipient: WaitingRecipient, now: number): void {
    recipient.end = { what: "silent", status: null, at: now, reply: null };
    recipient.endedAt = now;
    this.#open.forgetQuestion(recipient);
  }

  /** The end of a recipient has left its node. */
  #forget(recipient: WaitingRecipient): void {
    const { wait } = recipient;
    if (recipient.hasLeft) {
      return;
    }
    recipient.hasLeft = true;
    this.#recipients--;
    this.#pages.heard.delete(wait.begun.node, recipient);
    wait.open--;
    if (wait.open === 0) {
      this.#drop(wait);
    }
  }

  #drop(wait: MemoryWait): void {
    const { scope, begun } = wait;
    this.#waits.delete(wait.id);
    this.#open.remove(wait);
    const deadlines = this.#deadlinesOf(begun.node);
    deadlines.delete(wait);
    if (deadlines.size === 0) {
      this.#deadlines.delete(begun.node);
    }
    for (const reply of wait.unread === 0 ? [] : [...this.#pages.pending.of([begun.node])]) {
      if (reply.recipient?.wait === wait) {
        this.#settle(reply, true);
      }
    }
    scope.remove(wait);
    const [other] = scope.waits;
    if (other !== undefined) {
      this.#endIfOver(scope);
      return;
    }
    this.#pages.silent.delete(begun.node, scope);
    if (scope.key !== null) {
      this.#groups.delete(scope.key);
    }
  }

  #scopeOf(group: string | null): WaitScope {
    const scope = (group === null ? undefined : this.#groups.get(group)) ?? new WaitScope(group);
    if (group !== null) {
      this.#groups.set(group, scope);
    }
    return scope;
  }

  #deadlinesOf(node: string): Deadlines<MemoryWait> {
    const deadlines = this.#deadlines.get(node) ?? new Deadlines<MemoryWait>();
    this.#deadlines.set(node, deadlines);
    return deadlines;
  }

  /** Drops what has been kept for long for nodes that are gone, or all of it where there is no room. @throws MessagingError TOO_MANY_WAITS */
  #makeRoom(recipients: number, now: number): void {
    const isFull = (): boolean => this.#recipients + recipients > this.most;
    const isCrowded = isFull();
    if (now - this.#sweptAt >= (isCrowded ? SWEEP_CROWDED : SWEEP)) {
      this.#sweptAt = now;
      this.#sweep(isCrowded ? now : now - KEPT);
    }
    if (isCrowded && isFull()) {
      throw new MessagingError("TOO_MANY_WAITS", say("account.TOO_MANY_WAITS", { most: this.most }));
    }
  }

  /** Drops recipients of nodes that are gone whose end, or the end of their time, was at this moment or before. */
  #sweep(before: number): void {
    for (const { recipients, begun, until } of this.#waits.values()) {
      for (const recipient of this.#present.has(begun.node) ? [] : recipients) {
        if ((recipient.isOpen ? until : recipient.endedAt) <= before) {
          if (recipient.isOpen) {
            this.#silence(recipient, before);
          }
          this.#forget(recipient);
        }
      }
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
