import type { NodeMessage } from "node-red";
import type { MessageEnd } from "./message-end";
import { readCancel } from "./read-cancel";
import type { RowsSender } from "./rows/rows-sender";
import type { SendContext } from "./send-context";

export class CancelMessages {
  constructor(
    private readonly context: SendContext,
    private readonly rows: RowsSender,
  ) {}

  /** A quick check, because nearly no message has the property. */
  mayCancel(msg: NodeMessage): boolean {
    return Boolean((msg as { cancel?: unknown }).cancel) && this.context.hasRecipients;
  }

  cancels(msg: NodeMessage): boolean {
    try {
      return this.mayCancel(msg) && readCancel(msg) !== null;
    } catch {
      return true;
    }
  }

  /** @param send sends a message that turns out to be a usual one @throws FieldError, SetupError, StoreError */
  async run(msg: NodeMessage, send: () => Promise<MessageEnd>): Promise<MessageEnd> {
    const request = readCancel(msg);
    if (request === null) {
      return send();
    }
    const { identity, setup, badge, reading } = this.context;
    // Only messages before this one are cancelled.
    const runs = [...this.context.runs];
    const { account, access } = setup.opened ?? (await setup.ready());
    // Rows that have not started may start only after others were sent.
    const hasLists = this.rows.cancel(request);
    await Promise.all(runs);
    // Rows that have started are read and stored like earlier messages.
    await Promise.all(hasLists ? [...reading] : []);
    await access.outbox.acceptance.settled();
    badge.cancelled(await account.cancel(identity, request.keys));
    return null;
  }
}
