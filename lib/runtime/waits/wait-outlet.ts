import type { NodeMessage } from "node-red";
import type { OpenWait } from "../../store/waits/wait";
import type { WaitRows } from "../../store/waits/wait-rows";
import { cloneMessage } from "../node-red/clone-message";
import { isSensitive } from "../node-red/sensitive";
import type { LiveWaits } from "./live-waits";
import type { OpenCounts } from "./open-counts";
import { readMessage } from "./wait-message";
import type { WaitEnd, WaitListener } from "./waits";

/** What ends are made from and where they go. */
export interface WaitParts {
  readonly waits: WaitRows;
  readonly resultOwner: string;
  readonly live: LiveWaits;
  readonly listeners: ReadonlyMap<string, WaitListener>;
  readonly counts: OpenCounts;
  /** Whether anything may leave a node now. */
  readonly mayEmit: () => boolean;
  /** Nodes of which something may be there that has left before, in an earlier life of the process or of another one. */
  readonly early: Set<string>;
  /** Whether this process began the wait, and nobody else can have had it since. */
  readonly isOwn: (wait: OpenWait) => boolean;
}

/** Where ends leave, and the messages with which they do. */
export class WaitOutlet {
  /** Whether something stayed in the store because it may not leave now. */
  isHeldBack = false;

  constructor(private readonly parts: WaitParts) {}

  get nodes(): readonly string[] {
    return [...this.parts.listeners.keys()];
  }

  /** The listener of a node; null where nothing may leave it now. */
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

  /** A message of its own. @param isLast whether nothing else leaves of the wait */
  messageOf(wait: OpenWait, isLast: boolean): NodeMessage {
    const { key } = wait;
    const { live } = this.parts;
    const message = live.message(key);
    if (message === undefined) {
      return this.#restore(wait);
    }
    if (!isLast) {
      return cloneMessage(message);
    }
    live.forgetMessage(key);
    return message;
  }

  /** A message only to look at. */
  shownMessage(wait: OpenWait): NodeMessage {
    return this.parts.live.message(wait.key) ?? this.#restore(wait);
  }

  /** What all ends have alike. */
  endOf(
    wait: OpenWait,
    what: WaitEnd["what"],
    recipients: readonly string[],
  ): Omit<WaitEnd, "msg" | "at" | "sequence"> {
    const restored = this.isRestored(wait);
    return { what, recipients, kind: wait.kind, status: null, reply: null, replaced: false, restored };
  }

  #restore({ node, snapshot }: OpenWait): NodeMessage {
    const message = readMessage(snapshot);
    if (isSensitive(message)) {
      this.parts.listeners.get(node)?.textless();
    }
    return message;
  }
}
