import type { NodeMessage } from "node-red";
import type { Timing } from "../../../gateway/http/timing";
import { deliveryRank } from "../../../store/delivery-rank";
import type { NewReply } from "../../../store/waits/wait";
import { MemoryDepartures } from "../../guards/memory/memory-departures";
import { MemoryGuards } from "../../guards/memory/memory-guards";
import { cloneMessage } from "../../node-red/clone-message";
import { replyOf } from "../reply-of";
import { TooManyWaitsError } from "../too-many-waits-error";
import type { Reply, WaitEnd, WaitListener, WaitRequest, Waits } from "../waits";
import type { HeardEvent } from "./heard-event";
import { type MemoryReply, MemoryWait, type Status, WaitScope, type WaitingRecipient } from "./memory-wait";
import { OpenWaits } from "./open-waits";
import { RecentEvents } from "./recent-events";
import { QUIET_TIMING, WaitTimer } from "./wait-timer";
import { WaitingNode } from "./waiting-node";

/** Recipients of an account whose ends have not left. */
const MOST = 100_000;
/** ms for which ends are kept for a node that is gone. */
const KEPT = 3_600_000;

const accounts = new Map<string, MemoryWaits>();

export interface MemoryWaitsParts {
  readonly departures?: MemoryDepartures;
  readonly clone?: (msg: NodeMessage) => NodeMessage;
  readonly timing?: Timing;
  /** Recipients. */
  readonly most?: number;
}

/** The messages of an account without a store that wait: they last as long as the process, over deploys. */
export class MemoryWaits implements Waits {
  readonly #departures: MemoryDepartures;
  readonly #clone: (msg: NodeMessage) => NodeMessage;
  readonly #now: () => number;
  readonly #most: number;
  /** Of the waits, and of the events that become too old. It runs while there are nodes. */
  readonly #timer: WaitTimer<MemoryWait | RecentEvents>;
  readonly #nodes = new Map<string, WaitingNode>();
  readonly #waits = new Set<MemoryWait>();
  readonly #open = new OpenWaits();
  readonly #groups = new Map<string, WaitScope>();
  readonly #recent = new RecentEvents();
  /** Recipients with replies that their nodes have to look at. */
  readonly #unread = new Set<WaitingRecipient>();
  #order = 0;
  /** Whether there has been a node that waits: nothing is kept for those that may begin otherwise. */
  #isUsed = false;

  constructor({
    departures = new MemoryDepartures(),
    clone = cloneMessage,
    timing = QUIET_TIMING,
    most = MOST,
  }: MemoryWaitsParts = {}) {
    this.#departures = departures;
    this.#clone = clone;
    this.#now = timing.now;
    this.#most = most;
    this.#timer = new WaitTimer(timing, (entry) =>
      entry instanceof RecentEvents ? this.#age() : this.#due(entry),
    );
  }

  /** Those of an account, the same after a deploy. */
  static of(accountId: string): MemoryWaits {
    const known =
      accounts.get(accountId) ?? new MemoryWaits({ departures: MemoryGuards.of(accountId).departures });
    accounts.set(accountId, known);
    return known;
  }

  /** Recipients whose ends have not left, and all else that is in memory. */
  get load(): { readonly open: number; readonly entries: number } {
    let open = 0;
    for (const node of this.#nodes.values()) {
      open += node.open + node.kept;
    }
    const entries =
      this.#nodes.size +
      this.#waits.size +
      this.#open.size +
      this.#groups.size +
      this.#timer.size +
      this.#unread.size +
      this.#recent.size;
    return { open, entries };
  }

  /**
   * Begins to wait, for one recipient at least. Nobody knows here whether the account has sent the message.
   * @throws TooManyWaitsError
   */
  async begin(request: WaitRequest): Promise<void> {
    this.#use();
    const now = this.#now();
    const numbers = [...new Set(request.recipients.map((each) => each.replace(/^\+/, "")))];
    this.#makeRoom(numbers.length, now);
    const node = this.#node(request.node, now);
    const scope = this.#scopeOf(request);
    const leftAt = this.#departures.leftAt(request.clientMessageId);
    const wait = new MemoryWait(this.#order++, request, node, scope, leftAt, numbers);
    scope.waits.add(wait);
    scope.open += wait.open;
    scope.early++;
    node.open += wait.open;
    this.#waits.add(wait);
    this.#open.add(wait);
    this.#hearBefore(wait, now);
    for (const recipient of wait.recipients) {
      this.#read(recipient);
    }
    if (wait.open > 0 && node.listener !== null) {
      this.#timer.add(wait, request.until);
    }
    node.tellOpen();
  }

  join(identity: string, listener: WaitListener): () => void {
    this.#use();
    const node = this.#node(identity, this.#now());
    node.arrive(listener);
    for (const recipient of this.#unread) {
      this.#read(recipient);
    }
    for (const wait of this.#waits) {
      if (!wait.isDue) {
        this.#timer.add(wait, wait.request.until);
      }
    }
    this.#age();
    node.tellOpen();
    return () => this.#leave(node, listener);
  }

  /** Ends have left when they were heard. What still waits goes on when its node is back. */
  async close(): Promise<void> {}

  /** An event of a webhook of the account. Each event once, whatever number of copies comes. */
  hear({ transferId, clientMessageId, number, status, at, reply }: HeardEvent): void {
    const now = this.#now();
    if (!this.#isUsed) {
      return;
    }
    if (reply !== null) {
      if (number !== null) {
        this.#hearReply(number, reply, now);
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
    this.#age();
    for (const recipient of this.#open.recipients(ids, number)) {
      if (recipient.wait.hears(now)) {
        recipient.move(heard);
        this.#endByStatus(recipient);
      }
    }
  }

  #use(): void {
    this.#isUsed = true;
    this.#departures.follow();
  }

  #node(identity: string, now: number): WaitingNode {
    const node = this.#nodes.get(identity) ?? new WaitingNode(identity, now);
    this.#nodes.set(identity, node);
    return node;
  }

  #leave(node: WaitingNode, listener: WaitListener): void {
    if (!node.leave(listener, this.#now())) {
      return;
    }
    this.#forget(node);
    if (!this.#isHeard) {
      this.#timer.clear();
    }
  }

  /** Whether some node runs. */
  get #isHeard(): boolean {
    return [...this.#nodes.values()].some(({ listener }) => listener !== null);
  }

  /** Forgets events that are too old, and looks again when the next one is. */
  #age(): void {
    this.#recent.expire(this.#now());
    const { nextEnd } = this.#recent;
    if (nextEnd !== null && this.#isHeard) {
      this.#timer.add(this.#recent, nextEnd);
    }
  }

  #forget(node: WaitingNode): void {
    if (node.isIdle) {
      this.#nodes.delete(node.identity);
    }
  }

  /** Drops what is kept for nodes that have been gone for long, or for any that is gone where there is no room. */
  #makeRoom(recipients: number, now: number): void {
    const gone = [...this.#nodes.values()].filter(({ listener }) => listener === null);
    const isFull = this.load.open + recipients > this.#most;
    for (const node of gone) {
      if (isFull || node.goneSince <= now - KEPT) {
        node.forgetKept();
        this.#forget(node);
      }
    }
    if (isFull && this.load.open + recipients > this.#most) {
      throw new TooManyWaitsError(this.#most);
    }
  }

  #scopeOf({ node, group }: WaitRequest): WaitScope {
    if (group === null) {
      return new WaitScope(null);
    }
    const key = JSON.stringify([node, group]);
    const scope = this.#groups.get(key) ?? new WaitScope(key);
    this.#groups.set(key, scope);
    return scope;
  }

  #hearBefore(wait: MemoryWait, now: number): void {
    const { request, leftAt } = wait;
    for (const { number, status } of this.#recent.statusesOf(request, leftAt, now)) {
      wait.recipientOf(number)?.move(status);
    }
    for (const recipient of wait.recipients) {
      this.#endByStatus(recipient);
      if (recipient.asks) {
        for (const reply of this.#recent.freeReplies(recipient.number, request.channel, leftAt, now)) {
          this.#give(reply, recipient);
        }
      }
    }
  }

  #hearReply(number: string, { channel, body }: NewReply, now: number): void {
    const reply: MemoryReply = { channel, number, body, at: now, isFree: true };
    this.#recent.addReply(reply);
    this.#age();
    const recipient = this.#open.question(number, channel, now);
    if (recipient !== undefined) {
      this.#give(reply, recipient);
      this.#read(recipient);
    }
  }

  #give(reply: MemoryReply, recipient: WaitingRecipient): void {
    reply.isFree = false;
    recipient.unread ??= [];
    recipient.unread.push(reply);
    recipient.wait.unread++;
    recipient.wait.scope.unread++;
    this.#unread.add(recipient);
  }

  /** Lets the node look at the replies of a recipient, where it runs. */
  #read(recipient: WaitingRecipient): void {
    const { wait } = recipient;
    const { listener } = wait.node;
    while (listener !== null && recipient.unread !== null) {
      const stored = this.#next(recipient);
      const reply = replyOf(stored.number, stored.channel, stored.body, stored.at);
      if (listener.matches(reply)) {
        this.#end(recipient, "happened", null, reply);
      } else if (listener.others === "output") {
        this.#pass(recipient, reply);
      } else {
        stored.isFree = true;
      }
    }
    this.#endIfOver(wait.scope);
  }

  /** Takes the first reply that the node has not looked at. */
  #next(recipient: WaitingRecipient): MemoryReply {
    const { wait, unread } = recipient;
    const reply = unread?.shift() as MemoryReply;
    wait.unread--;
    wait.scope.unread--;
    if (unread?.length === 0) {
      recipient.unread = null;
      this.#unread.delete(recipient);
    }
    return reply;
  }

  /** A reply that is not the one leaves; its recipient waits on. */
  #pass({ number, wait }: WaitingRecipient, reply: Reply): void {
    wait.node.emit({
      what: "other",
      msg: this.#clone(wait.request.msg),
      recipients: [number],
      kind: wait.request.kind,
      status: null,
      at: reply.at,
      reply,
      replaced: false,
      restored: false,
      sequence: null,
    });
  }

  #endByStatus(recipient: WaitingRecipient): void {
    const { verdict } = recipient;
    if (verdict !== null && !recipient.ended) {
      this.#end(recipient, verdict.what, verdict.status, null);
      this.#endIfOver(recipient.wait.scope);
    }
  }

  #end(
    recipient: WaitingRecipient,
    what: "happened" | "failed",
    status: Status | null,
    reply: Reply | null,
  ): void {
    const { wait, number } = recipient;
    this.#close(recipient);
    wait.node.emit({
      what,
      msg: wait.open === 0 ? wait.request.msg : this.#clone(wait.request.msg),
      recipients: [number],
      kind: wait.request.kind,
      status: status?.word ?? null,
      at: status?.at ?? reply?.at ?? this.#now(),
      reply,
      replaced: false,
      restored: false,
      sequence: this.#count(wait),
    });
    wait.node.tellOpen();
  }

  /** The end of a recipient leaves. Replies that nobody has looked at are free. */
  #close(recipient: WaitingRecipient): void {
    const { wait } = recipient;
    const { node, scope } = wait;
    recipient.ended = true;
    this.#open.forgetQuestion(recipient);
    while (recipient.unread !== null) {
      this.#next(recipient).isFree = true;
    }
    wait.open--;
    scope.open--;
    node.open--;
    if (wait.open === 0) {
      this.#timer.drop(wait);
      this.#open.remove(wait);
      this.#waits.delete(wait);
      scope.waits.delete(wait);
      if (!wait.isDue) {
        scope.early--;
      }
      if (scope.open === 0 && scope.key !== null) {
        this.#groups.delete(scope.key);
      }
    }
  }

  /** The place of the message that leaves now. */
  #count(wait: MemoryWait): WaitEnd["sequence"] {
    if (!wait.isCounted) {
      return null;
    }
    const { scope } = wait;
    const index = scope.index++;
    return { id: scope.id, index, count: scope.open === 0 ? index + 1 : null };
  }

  #due(wait: MemoryWait): void {
    wait.isDue = true;
    wait.scope.early--;
    this.#endIfOver(wait.scope);
  }

  /** Nothing was heard of all who are left. */
  #endIfOver(scope: WaitScope): void {
    const [first] = scope.waits;
    if (first === undefined || !scope.isOver) {
      return;
    }
    const silent = [...scope.waits].flatMap(({ recipients }) => recipients.filter(({ ended }) => !ended));
    for (const recipient of silent) {
      this.#close(recipient);
    }
    first.node.emit({
      what: "silent",
      msg: first.request.msg,
      recipients: silent.map(({ number }) => number),
      kind: first.request.kind,
      status: null,
      at: this.#now(),
      reply: null,
      replaced: silent.some(({ replaced }) => replaced),
      restored: false,
      sequence: this.#count(first),
    });
    first.node.tellOpen();
  }
}
