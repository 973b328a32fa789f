import type { NodeMessage } from "node-red";
import type { Timing } from "../../../gateway/http/timing";
import { deliveryRank } from "../../../store/delivery-rank";
import type { NewReply } from "../../../store/waits/wait";
import { AccountMemory } from "../../memory/account-memory";
import { MemoryDepartures } from "../../memory/memory-departures";
import { cloneMessage } from "../../node-red/clone-message";
import type { FlowLifecycle } from "../../node-red/flow-lifecycle";
import { TooManyWaitsError } from "../too-many-waits-error";
import type { WaitListener, WaitRequest, Waits } from "../waits";
import type { HeardEvent } from "./heard-event";
import { MemoryEnds } from "./memory-ends";
import { type MemoryReply, MemoryWait, type Status, WaitScope } from "./memory-wait";
import { QUIET_TIMING } from "./wait-timer";
import { WaitingNode } from "./waiting-node";

/** Recipients of an account whose ends have not left. */
const MOST = 100_000;
/** ms for which ends are kept for a node that is gone. */
const KEPT = 3_600_000;

const NOTHING = (): void => {};

const accounts = new Map<string, MemoryWaits>();

/** The flows in which the nodes are. */
export type Flows = Pick<FlowLifecycle, "running" | "onStarted">;

/** What tests replace. */
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
  readonly #now: () => number;
  readonly #most: number;
  readonly #ends: MemoryEnds;
  readonly #nodes = new Map<string, WaitingNode>();
  #order = 0;
  /** Whether there has been a node that waits: nothing is kept for those that may begin otherwise. */
  #isUsed = false;
  #flows: Flows | null = null;
  #unfollow: () => void = NOTHING;

  constructor({
    departures = new MemoryDepartures(),
    clone = cloneMessage,
    timing = QUIET_TIMING,
    most = MOST,
  }: MemoryWaitsParts = {}) {
    this.#departures = departures;
    this.#now = timing.now;
    this.#most = most;
    this.#ends = new MemoryEnds(timing, clone, () => this.#isJoined);
  }

  /** Those of an account, the same after a deploy. */
  static of(accountId: string): MemoryWaits {
    const known =
      accounts.get(accountId) ?? new MemoryWaits({ departures: AccountMemory.of(accountId).departures });
    accounts.set(accountId, known);
    return known;
  }

  /** Lets messages leave only while these flows run: at other times Node-RED may drop them. */
  follow(flows: Flows): this {
    if (this.#flows !== flows) {
      this.#flows = flows;
      this.#watchFlows();
    }
    return this;
  }

  /** Listens to the flows as long as there are nodes. */
  #watchFlows(): void {
    this.#unfollow();
    this.#unfollow = (this.#isJoined ? this.#flows?.onStarted(() => this.#wake()) : undefined) ?? NOTHING;
  }

  /** Recipients whose ends have not left, and all that is in memory. */
  get load(): { readonly open: number; readonly entries: number } {
    let open = 0;
    for (const node of this.#nodes.values()) {
      open += node.open + node.kept;
    }
    return { open, entries: this.#nodes.size + this.#ends.entries };
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
    const leftAt = this.#departures.leftAt(request.clientMessageId);
    const wait = new MemoryWait(this.#order++, request, node, this.#scopeOf(request), leftAt, numbers);
    const { waits, open, timer } = this.#ends;
    node.open += wait.open;
    waits.add(wait);
    open.add(wait);
    this.#hearBefore(wait, now);
    for (const recipient of wait.recipients) {
      this.#ends.read(recipient);
    }
    if (wait.open > 0 && node.isJoined) {
      timer.add(wait, request.until);
    }
    node.tellOpen();
  }

  join(identity: string, listener: WaitListener): () => void {
    this.#use();
    const node = this.#node(identity, this.#now());
    const isFirst = !this.#isJoined;
    node.join(listener);
    if (isFirst) {
      this.#watchFlows();
    }
    this.#wake();
    for (const wait of this.#ends.waits) {
      if (!wait.isDue) {
        this.#ends.timer.add(wait, wait.request.until);
      }
    }
    this.#ends.age();
    node.tellOpen();
    return () => this.#leave(node, listener);
  }

  /** Ends have left when they were heard. What still waits goes on when its node is back. */
  async close(): Promise<void> {}

  /** An event of a webhook of the account. Each event once, whatever number of copies comes. */
  hear({ transferId, clientMessageId, number, status, at, reply }: HeardEvent): void {
    if (!this.#isUsed) {
      return;
    }
    const now = this.#now();
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
    const { open, recent } = this.#ends;
    const ids = { transferId, clientMessageId };
    const heard: Status = { word, rank: deliveryRank(word), at: at ?? now };
    recent.addStatus({ ids, number, status: heard, receivedAt: now });
    this.#ends.age();
    for (const recipient of open.recipients(ids, number)) {
      if (recipient.wait.hears(now)) {
        recipient.move(heard);
        this.#ends.endByStatus(recipient);
      }
    }
  }

  #use(): void {
    this.#isUsed = true;
    this.#departures.follow();
  }

  /** Whether there is some node. */
  get #isJoined(): boolean {
    return [...this.#nodes.values()].some(({ isJoined }) => isJoined);
  }

  #node(identity: string, now: number): WaitingNode {
    const mayEmit = (): boolean => this.#flows?.running ?? true;
    const node = this.#nodes.get(identity) ?? new WaitingNode(identity, mayEmit, now);
    this.#nodes.set(identity, node);
    return node;
  }

  /** Gives the nodes that run what was heard for them. */
  #wake(): void {
    for (const node of this.#nodes.values()) {
      node.emitKept();
    }
    this.#ends.readAll();
  }

  #leave(node: WaitingNode, listener: WaitListener): void {
    if (!node.leave(listener, this.#now())) {
      return;
    }
    this.#forget(node);
    if (!this.#isJoined) {
      this.#ends.timer.clear();
      this.#watchFlows();
    }
  }

  #forget(node: WaitingNode): void {
    if (node.isIdle) {
      this.#nodes.delete(node.identity);
    }
  }

  /** Drops what is kept for nodes that have been gone for long, or for any that is gone where there is no room. */
  #makeRoom(recipients: number, now: number): void {
    const isFull = (): boolean => this.load.open + recipients > this.#most;
    const isCrowded = isFull();
    for (const node of [...this.#nodes.values()].filter(({ isJoined }) => !isJoined)) {
      if (isCrowded || node.goneSince <= now - KEPT) {
        node.forgetKept();
        this.#forget(node);
      }
    }
    if (isCrowded && isFull()) {
      throw new TooManyWaitsError(this.#most);
    }
  }

  #scopeOf({ node, group }: WaitRequest): WaitScope {
    if (group === null) {
      return new WaitScope(null);
    }
    const { groups } = this.#ends;
    const key = JSON.stringify([node, group]);
    const scope = groups.get(key) ?? new WaitScope(key);
    groups.set(key, scope);
    return scope;
  }

  #hearBefore(wait: MemoryWait, now: number): void {
    const { request, leftAt } = wait;
    const { recent } = this.#ends;
    for (const { number, status } of recent.statusesOf(request, leftAt, now)) {
      wait.recipientOf(number)?.move(status);
    }
    for (const recipient of wait.recipients) {
      if (recipient.asks) {
        for (const reply of recent.freeReplies(recipient.number, request.channel, leftAt, now)) {
          this.#ends.give(reply, recipient);
        }
      }
      this.#ends.endByStatus(recipient);
    }
  }

  #hearReply(number: string, { channel, body }: NewReply, now: number): void {
    const { open, recent } = this.#ends;
    const reply: MemoryReply = { channel, number, body, at: now, isFree: true };
    recent.addReply(reply);
    this.#ends.age();
    const recipient = open.question(number, channel, now);
    if (recipient !== undefined) {
      this.#ends.give(reply, recipient);
      this.#ends.read(recipient);
    }
  }
}
