import type { Node, NodeAPI, NodeMessage } from "node-red";
import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { ChannelDefinition } from "../channels/channel-definition";
import { messageValue } from "../fields/message-value";
import { CancelMessages } from "./cancel-messages";
import { DirectSender } from "./direct-sender";
import type { Done } from "./message-end";
import { MessageRunner } from "./message-runner";
import { RecipientDivision } from "./recipient-division";
import type { Send } from "./result-outlet";
import { MOST_ROUNDS } from "./rounds";
import { listOfRows, RowsSender } from "./rows/rows-sender";
import { SendContext } from "./send-context";
import type { Ready, SendConfig } from "./send-setup";
import { SendSuccession } from "./send-succession";
import { StoredResults } from "./stored-results";
import { StoredSender } from "./stored-sender";

/**
 * Runs every send node, whatever its channel: reads the fields of a message, checks and splits it, hands the requests to
 * the account's dispatcher, where it keeps messages to its store, and emits each result.
 */
export class SendExecutor {
  readonly #context: SendContext;
  readonly #rows: RowsSender;
  readonly #succession: SendSuccession;
  readonly #cancels: CancelMessages;
  readonly #runner: MessageRunner;
  /** Ends what the account tells this node. */
  #detach: (() => void) | null = null;
  #closed = false;

  /** @param keeps false for a test from the dialog, which no account keeps */
  constructor(RED: NodeAPI, node: Node, config: SendConfig, channel: ChannelDefinition, keeps = true) {
    const context = new SendContext(RED, node, config, channel, keeps);
    const { setup, badge } = context;
    this.#context = context;
    this.#succession = new SendSuccession(context, {
      take: (msg, send, done) => this.#take(msg, send, done),
      run: (msg, send, done) => this.#runner.run(msg, send, done),
      stopUnread: () => this.#rows.stop(),
    });
    this.#rows = new RowsSender(context, (msg, send, done) => this.#begin(msg, send, done));
    const results = new StoredResults(context);
    const direct = new DirectSender(context, this.#succession);
    this.#cancels = new CancelMessages(context, this.#rows);
    this.#runner = new MessageRunner(
      context,
      direct,
      new StoredSender(context, results),
      new RecipientDivision(context),
      this.#cancels,
      this.#succession,
    );
    // A wrong set-up shows at once, not only with the first message.
    setup.ready().then(
      (ready) => this.#attach(ready, results),
      (error: unknown) => badge.trouble(error),
    );
    node.on("input", (msg, send, done) => this.#take(msg, send, done));
    node.on("close", (done: () => void) => {
      this.#closed = true;
      this.#detach?.();
      setup.leave();
      void this.#succession.close().finally(done);
    });
  }

  /** Lets results of messages that the account has kept leave from the node, and shows what the account tells. */
  #attach({ access }: Ready, results: StoredResults): void {
    const { badge, identity, keeps, hasRecipients } = this.#context;
    if (this.#closed || !keeps) {
      return;
    }
    const detach = hasRecipients ? access.outbox.attach(identity, results) : undefined;
    const unwatch = hasRecipients ? access.state.watch((shown) => badge.showAccount(shown)) : undefined;
    this.#detach = () => {
      detach?.();
      unwatch?.();
    };
  }

  /** Accepts a message as one, or, with rows as its recipients, as one for each of them. */
  #take(msg: NodeMessage, send: Send, done: Done): void {
    const { RED, outlet, badge, setup } = this.#context;
    if (outlet.roundsOf(msg) >= MOST_ROUNDS) {
      // Nothing leaves any output, which would bring it back.
      const error = new SetupError("SENT_BACK", say("send.SENT_BACK"));
      badge.trouble(error);
      done(error);
      return;
    }
    const { recipientsPath } = setup;
    const recipients = recipientsPath === null ? undefined : messageValue(RED, msg, recipientsPath);
    const list = listOfRows(recipients);
    if (list === null || recipientsPath === null || this.#cancels.cancels(msg)) {
      this.#takeOne(msg, this.#rows.named(recipients, send), done);
    } else {
      this.#rows.take(msg, list, recipientsPath, send, done);
    }
  }

  /** Reads a message at once, or leaves it unread while many wait, where its fields cannot change meanwhile. */
  #takeOne(msg: NodeMessage, send: Send, done: Done): void {
    const { active, badge, setup } = this.#context;
    active.begin();
    const { opened } = setup;
    const acceptance = opened?.outbox?.acceptance;
    if (!opened?.reader.quick || !acceptance?.isBacklogged()) {
      this.#begin(msg, send, done);
      return;
    }
    badge.resume(1);
    acceptance.defer(() => {
      badge.resume(-1);
      this.#begin(msg, send, done);
    });
  }

  #begin(msg: NodeMessage, send: Send, done: Done): void {
    if (this.#succession.handsOver) {
      void this.#succession.passOn(msg, send, done);
    } else {
      void this.#runner.run(msg, send, done);
    }
  }
}
