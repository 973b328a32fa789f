import type { NodeMessage } from "node-red";
import type { WaitOutcome } from "../../shared/fields/wait-fields";
import type { OpenWait, ReportedOutcome } from "../../store/waits/wait";
import type { WaitRows } from "../../store/waits/wait-rows";
import { isSensitive } from "../node-red/sensitive";
import type { LiveWaits } from "./live-waits";
import type { OpenCounts } from "./open-counts";
import { readMessage } from "./wait-message";
import type { WaitEnd, WaitListener } from "./waits";

export interface WaitParts {
  readonly waits: WaitRows;
  readonly resultOwner: string;
  readonly live: LiveWaits;
  readonly listeners: ReadonlyMap<string, WaitListener>;
  readonly counts: OpenCounts;
  readonly mayEmit: () => boolean;
  /** Nodes whose ends another process, or this one earlier, may have emitted. */
  readonly early: Set<string>;
  /** True if this process started the wait, and no other one can have adopted it. */
  readonly isOwn: (wait: OpenWait) => boolean;
}

/** Outcomes in the store, and in the message that the node emits. */
const EMITTED_OUTCOMES = {
  matched: "happened",
  failed: "failed",
  timed_out: "silent",
  unmatched: "other",
} as const satisfies Record<ReportedOutcome | "timed_out", WaitOutcome>;

/** Chooses the node of an end, and makes its message. */
export class WaitOutlet {
  /** True if a node may not emit now, so that ends stayed in the store. */
  isHeldBack = false;

  constructor(private readonly parts: WaitParts) {}

  get nodes(): readonly string[] {
    return [...this.parts.listeners.keys()];
  }

  /** The listener of a node; null if it may not emit now. */
  listenerOf(node: string): WaitListener | null {
    const listener = this.parts.listeners.get(node);
    if (listener !== undefined && this.parts.mayEmit()) {
      return listener;
    }
    this.isHeldBack = true;
    return null;
  }

  isRestored(wait: OpenWait): boolean {
    return this.parts.early.has(wait.node) && !this.parts.isOwn(wait);
  }

  /** @param isLast true if the wait emits nothing after it, so that the message needs no copy */
  messageOf(wait: OpenWait, isLast: boolean): NodeMessage {
    const { key } = wait;
    const { live } = this.parts;
    const message = live.message(key);
    if (message === undefined) {
      return this.#restore(wait);
    }
    if (!isLast) {
      return this.parts.listeners.get(wait.node)?.clone(message) ?? message;
    }
    live.deleteMessage(key);
    return message;
  }

  /** A message that is not changed. */
  shownMessage(wait: OpenWait): NodeMessage {
    return this.parts.live.message(wait.key) ?? this.#restore(wait);
  }

  endOf(
    wait: OpenWait,
    outcome: keyof typeof EMITTED_OUTCOMES,
    recipients: readonly string[],
  ): Omit<WaitEnd, "msg" | "at" | "sequence"> {
    const restored = this.isRestored(wait);
    return {
      what: EMITTED_OUTCOMES[outcome],
      recipients,
      kind: wait.kind,
      status: null,
      reply: null,
      replaced: false,
      restored,
    };
  }

  #restore({ node, snapshot }: OpenWait): NodeMessage {
    const message = readMessage(snapshot);
    if (isSensitive(message)) {
      this.parts.listeners.get(node)?.textless();
    }
    return message;
  }
}
