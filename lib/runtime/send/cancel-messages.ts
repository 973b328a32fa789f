import type { NodeMessage } from "node-red";
import type { MessageEnd } from "./message-end";
import { readCancel } from "./read-cancel";
import type { RowsSender } from "./rows/rows-sender";
import type { SendContext } from "./send-context";

/** Messages that cancel others of their node. */
export class CancelMessages {
  constructor(
    private readonly context: SendContext,
    private readonly rows: RowsSender,
  ) {}

  /** Whether a message may be one that cancels others. Nearly none has the property. */
  mayCancel(msg: NodeMessage): boolean {
    return Boolean((msg as { cancel?: unknown }).cancel) && this.context.hasRecipients;
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
  async run(msg: NodeMessage, send: () => Promise<MessageEnd>): Promise<MessageEnd> {
    const request = readCancel(msg);
    if (request === null) {
      return send();
    }
    const { identity, setup, badge, reading } = this.context;
    // What came before this message.
    const runs = [...this.context.runs];
    const { account, access } = setup.opened ?? (await setup.ready());
    // Rows that have not begun may do so only when others have left.
    const hasLists = this.rows.cancel(request);
    await Promise.all(runs);
    // Rows that have begun are read and kept like messages that came before.
    await Promise.all(hasLists ? [...reading] : []);
    await access.outbox.acceptance.settled();
    badge.cancelled(await account.cancel(identity, request.keys));
    return null;
  }
}
