import type { QueueHandle } from "../../gateway/queue/dispatcher";
import type { AccountAccess } from "../account/account-sending";
import type { OutboxSession } from "../store/outbox/outbox-session";
import type { ResultNode } from "../store/outbox/stored-message";
import type { Ready, SendSetup } from "./send-setup";
import type { StatusBadge } from "./status-badge";

/** What a send node has of its account: where its messages are kept or wait, and what the account tells it. */
export class AccountLink {
  #detach = (): void => {};
  #closed = false;

  /**
   * @param keeps false for a test from the dialog, which no account keeps
   * @param hasRecipients false for files, which are sent to nobody
   */
  constructor(
    private readonly setup: SendSetup,
    private readonly keeps: boolean,
    private readonly hasRecipients: boolean,
  ) {}

  /** Lets results of messages that the account has kept leave from the node, and shows what it tells. */
  attach(identity: string, { outbox, state }: AccountAccess, node: ResultNode, badge: StatusBadge): void {
    if (!this.keeps || this.#closed) {
      return;
    }
    const ends = [
      ...(outbox === null ? [] : [outbox.attach(identity, node)]),
      ...(this.hasRecipients ? [state.watch((shown) => badge.showAccount(shown))] : []),
    ];
    this.#detach = () => {
      for (const end of ends) {
        end();
      }
    };
  }

  /** The node closes. */
  detach(): void {
    this.#closed = true;
    this.#detach();
  }

  /** Where messages are kept; null for an account that has them in memory, and for files. */
  outboxOf({ access }: Ready): OutboxSession | null {
    return this.keeps && this.hasRecipients ? access.outbox : null;
  }

  /** Where messages are kept, once the account is open; null as for `outboxOf`. */
  get outbox(): OutboxSession | null {
    const { opened } = this.setup;
    return opened === null ? null : this.outboxOf(opened);
  }

  /** Where messages wait unread; null before the account is open. */
  get queue(): Pick<QueueHandle, "isBacklogged" | "defer"> | null {
    return this.outbox?.intake ?? this.setup.opened?.access.queue ?? null;
  }
}
