import type { NodeMessage } from "node-red";
import type { Timing } from "../../../gateway/http/timing";
import { replyOf } from "../reply-of";
import type { Reply, WaitEnd, WaitListener } from "../waits";
import type { MemoryReply, MemoryWait, Status, WaitingRecipient, WaitScope } from "./memory-wait";
import { OpenWaits } from "./open-waits";
import { RecentEvents } from "./recent-events";
import { WaitTimer } from "./wait-timer";

/** The waits of an account that go on, and how each of them ends. */
export class MemoryEnds {
  readonly waits = new Set<MemoryWait>();
  /** The same, found by what events say. */
  readonly open = new OpenWaits();
  /** Waits that are over together, by their group. */
  readonly groups = new Map<string, WaitScope>();
  readonly recent = new RecentEvents();
  /** Of the waits, and of the events that become too old. It runs while there are nodes. */
  readonly timer: WaitTimer<MemoryWait | RecentEvents>;
  /** Recipients with replies that their nodes have to look at. */
  readonly #unread = new Set<WaitingRecipient>();

  /** @param timerRuns whether somebody needs the timer */
  constructor(
    private readonly timing: Timing,
    private readonly clone: (msg: NodeMessage) => NodeMessage,
    private readonly timerRuns: () => boolean,
  ) {
    this.timer = new WaitTimer(timing, (entry) =>
      entry instanceof RecentEvents ? this.age() : this.#due(entry),
    );
  }

  /** All that is in memory. */
  get entries(): number {
    const { waits, open, groups, recent, timer } = this;
    return waits.size + open.size + groups.size + recent.size + timer.size + this.#unread.size;
  }

  /** Forgets events that are too old, and looks again when the next one is. */
  age(): void {
    this.recent.expire(this.timing.now());
    const { nextEnd } = this.recent;
    if (nextEnd !== null && this.timerRuns()) {
      this.timer.add(this.recent, nextEnd);
    }
  }

  /** A recipient is the one whom a reply may be from. */
  give(reply: MemoryReply, recipient: WaitingRecipient): void {
    reply.isFree = false;
    recipient.unread ??= [];
    recipient.unread.push(reply);
    recipient.wait.unread++;
    recipient.wait.scope.unread++;
    this.#unread.add(recipient);
  }

  /** Lets all nodes that run look at the replies that are there for them. */
  readAll(): void {
    for (const recipient of this.#unread) {
      this.read(recipient);
    }
  }

  /** Lets the node look at the replies of a recipient, where it runs. */
  read(recipient: WaitingRecipient): void {
    const { wait } = recipient;
    const { listener } = wait.node;
    if (recipient.isBeingRead) {
      return;
    }
    for (let [stored] = recipient.unread ?? []; listener !== null && stored !== undefined; ) {
      const reply = replyOf(stored.number, stored.channel, stored.body, stored.at);
      const isMeant = listener.matches(reply);
      if (typeof isMeant !== "boolean") {
        recipient.isBeingRead = true;
        void isMeant.then((known) => this.#goOn(recipient, listener, reply, known));
        return;
      }
      this.#decide(recipient, listener, reply, isMeant);
      [stored] = recipient.unread ?? [];
    }
    this.endByStatus(recipient);
    this.#endIfOver(wait.scope);
  }

  /** Ends a recipient whose statuses say so, when its node has looked at its replies. */
  endByStatus(recipient: WaitingRecipient): void {
    const { verdict } = recipient;
    if (verdict !== null && !recipient.ended && recipient.unread === null) {
      this.#end(recipient, verdict.what, verdict.status, null);
      this.#endIfOver(recipient.wait.scope);
    }
  }

  /** A reply was compared. Until then it is not read: nothing else ends its recipient. */
  #goOn(recipient: WaitingRecipient, listener: WaitListener, reply: Reply, isMeant: boolean): void {
    recipient.isBeingRead = false;
    // Another node may have taken the place of the one that compared it.
    if (recipient.wait.node.listener === listener && recipient.unread !== null) {
      this.#decide(recipient, listener, reply, isMeant);
    }
    this.read(recipient);
  }

  #decide(recipient: WaitingRecipient, { others }: WaitListener, reply: Reply, isMeant: boolean): void {
    const stored = this.#next(recipient);
    if (isMeant) {
      this.#end(recipient, "happened", null, reply);
    } else if (others === "output") {
      this.#pass(recipient, reply);
    } else {
      stored.isFree = true;
    }
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
    const { node, request } = wait;
    const { at } = reply;
    const msg = this.clone(request.msg);
    node.emit({ ...endOf(wait, "other", [number]), msg, at, reply });
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
      ...endOf(wait, what, [number]),
      msg: wait.open === 0 ? wait.request.msg : this.clone(wait.request.msg),
      status: status?.word ?? null,
      at: status?.at ?? reply?.at ?? this.timing.now(),
      reply,
      sequence: wait.count(),
    });
    wait.node.tellOpen();
  }

  /** The end of a recipient leaves. Replies that nobody has looked at are free. */
  #close(recipient: WaitingRecipient): void {
    const { wait } = recipient;
    recipient.ended = true;
    this.open.forgetQuestion(recipient);
    while (recipient.unread !== null) {
      this.#next(recipient).isFree = true;
    }
    wait.open--;
    wait.node.open--;
    if (wait.open === 0) {
      this.timer.drop(wait);
      this.open.remove(wait);
      this.waits.delete(wait);
      wait.scope.remove(wait);
      if (wait.scope.isEmpty && wait.scope.key !== null) {
        this.groups.delete(wait.scope.key);
      }
    }
  }

  #due(wait: MemoryWait): void {
    wait.isDue = true;
    wait.scope.early--;
    this.#endIfOver(wait.scope);
  }

  /** Nothing was heard of all who are left. */
  #endIfOver(scope: WaitScope): void {
    if (!scope.isOver) {
      return;
    }
    const { waits } = scope;
    const [first] = waits;
    if (first === undefined) {
      return;
    }
    const silent = waits.flatMap(({ recipients }) => recipients.filter(({ ended }) => !ended));
    for (const recipient of silent) {
      this.#close(recipient);
    }
    first.node.emit({
      ...endOf(
        first,
        "silent",
        silent.map(({ number }) => number),
      ),
      msg: first.request.msg,
      silent: waits.map(({ request }) => request.msg),
      at: Math.max(...waits.map(({ request }) => request.until)),
      replaced: silent.some(({ replaced }) => replaced),
      sequence: first.count(),
    });
    first.node.tellOpen();
  }
}

const endOf = ({ request: { kind } }: MemoryWait, what: WaitEnd["what"], recipients: readonly string[]) => ({
  what,
  recipients,
  kind,
  status: null,
  reply: null,
  replaced: false,
  // In an earlier life of the process there was nothing of it.
  restored: false,
  sequence: null,
});
