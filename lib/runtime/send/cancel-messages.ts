import type { NodeMessage } from "node-red";
import type { QueueHandle } from "../../gateway/queue/dispatcher";
import type { OutboxSession } from "../store/outbox/outbox-session";
import { cancelUnread } from "./cancelled-unread";
import { MemoryRequest } from "./memory-request";
import type { MessageEnd } from "./message-end";
import type { PartsSender } from "./parts/parts-sender";
import { type CancelRequest, readCancel } from "./read-cancel";
import type { RowsSender } from "./rows/rows-sender";
import type { Ready, SendSetup } from "./send-setup";
import type { StatusBadge } from "./status-badge";

/** What cancelling needs of its node. */
export interface CancelParts {
  /** Identity of the node across deploys. */
  readonly identity: string;
  /** Whether the node sends to people. */
  readonly hasRecipients: boolean;
  readonly setup: SendSetup;
  readonly badge: StatusBadge;
  readonly parts: PartsSender;
  readonly rows: RowsSender;
  /** Where messages are kept; null where they are in memory. */
  readonly outboxOf: (ready: Ready) => OutboxSession | null;
}

/** What came before a message that cancels. */
export interface EarlierMessages {
  /** Runs of messages, which the store has when they end. */
  readonly runs: readonly Promise<void>[];
  /** Ends when messages are in the queue of an account without a store. */
  readonly reading: readonly Promise<void>[];
  /** Messages that wait until there is space in it. */
  readonly unread: readonly NodeMessage[];
  /** Messages that are being read now. */
  readonly now: ReadonlySet<Promise<void>>;
}

/** Messages that cancel others of their node. */
export class CancelMessages {
  constructor(private readonly parts: CancelParts) {}

  /** Whether a message may be one that cancels others. Nearly none has the property. */
  mayCancel(msg: NodeMessage): boolean {
    return Boolean((msg as { cancel?: unknown }).cancel) && this.parts.hasRecipients;
  }

  /** Whether a message is surely or maybe one that cancels others. */
  cancels(msg: NodeMessage): boolean {
    try {
      return this.mayCancel(msg) && readCancel(msg) !== null;
    } catch {
      return true;
    }
  }

  /**
   * Cancels what has not left of the node: the results of that leave like others.
   * @param send sends a message that turns out to be a usual one
   * @throws FieldError, SetupError, StoreError
   */
  async run(
    msg: NodeMessage,
    { runs, reading, unread, now }: EarlierMessages,
    send: () => Promise<MessageEnd>,
  ): Promise<MessageEnd> {
    const { identity, setup, badge, rows, outboxOf } = this.parts;
    const request = readCancel(msg);
    if (request === null) {
      return send();
    }
    const ready = setup.opened ?? (await setup.ready());
    const outbox = outboxOf(ready);
    // Rows that have not begun may do so only when others have left.
    const hasLists = rows.cancel(request);
    if (outbox === null) {
      for (const waiting of unread) {
        cancelUnread(waiting, [request]);
      }
      await Promise.all(reading);
      badge.cancelled(this.#cancelWaiting(ready.access.queue, request));
    } else {
      await Promise.all(runs);
      // Rows that have begun are read and kept like messages that came before.
      await Promise.all(hasLists ? [...now] : []);
      await outbox.intake.settled();
      badge.cancelled(await ready.account.cancel(identity, request.keys));
    }
    return null;
  }

  /** Ends messages of this node that wait in memory and are surely not at the service. @returns how many requests that were */
  #cancelWaiting(queue: QueueHandle, request: CancelRequest): number {
    const outside = this.parts.parts.cancel(request);
    return outside + queue.cancel((waiter) => waiter instanceof MemoryRequest && waiter.isMeant(request));
  }
}
