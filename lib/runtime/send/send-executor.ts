import type { Node, NodeAPI, NodeMessage } from "node-red";
import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { ChannelDefinition } from "../channels/channel-definition";
import { messageValue } from "../fields/message-value";
import { CancelMessages } from "./cancel-messages";
import { DirectSender } from "./direct-sender";
import type { Done, Send } from "./message-end";
import { MessageRunner } from "./message-runner";
import { MAX_LOOPS } from "./loop-count";
import { listOfRows, RowsSender } from "./rows/rows-sender";
import { SendContext } from "./send-context";
import type { Ready, SendConfig } from "./send-setup";
import { SendHandover } from "./send-handover";
import { StoredResults } from "./stored-results";
import { StoredSender } from "./stored-sender";

/** Runs every send node: reads fields, checks and splits messages, sends or stores requests, and emits results. */
export class SendExecutor {
  readonly #context: SendContext;
  readonly #rows: RowsSender;
  readonly #handover: SendHandover;
  readonly #cancels: CancelMessages;
  readonly #runner: MessageRunner;
  #detach: (() => void) | null = null;
  #closed = false;

  constructor(RED: NodeAPI, node: Node, config: SendConfig, channel: ChannelDefinition, keeps = true) {
    const context = new SendContext(RED, node, config, channel, keeps);
    const { setup, badge } = context;
    this.#context = context;
    this.#handover = new SendHandover(context, {
      accept: (msg, send, done) => this.#accept(msg, send, done),
      run: (msg, send, done) => this.#runner.run(msg, send, done),
      stopUnread: () => this.#rows.stop(),
    });
    this.#rows = new RowsSender(context, (msg, send, done) => this.#begin(msg, send, done));
    const results = new StoredResults(context);
    const direct = new DirectSender(context, this.#handover);
    this.#cancels = new CancelMessages(context, this.#rows);
    this.#runner = new MessageRunner(
      context,
      direct,
      new StoredSender(context, results),
      this.#cancels,
      this.#handover,
    );
    // A setup error shows at once, not only with the first message.
    setup.ready().then(
      (ready) => this.#attach(ready, results),
      (error: unknown) => badge.trouble(error),
    );
    node.on("input", (msg, send, done) => this.#accept(msg, send, done));
    node.on("close", (done: () => void) => {
      this.#closed = true;
      this.#detach?.();
      setup.leave();
      void this.#handover.close().finally(done);
    });
  }

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

  #accept(msg: NodeMessage, send: Send, done: Done): void {
    const { RED, emitter, badge, setup } = this.#context;
    if (emitter.countLoops(msg) >= MAX_LOOPS) {
      // Emits nothing: any output would send the message back.
      const error = new SetupError("SENT_BACK", say("send.SENT_BACK"));
      badge.trouble(error);
      done(error);
      return;
    }
    const { recipientsPath } = setup;
    const recipients = recipientsPath === null ? undefined : messageValue(RED, msg, recipientsPath);
    const list = listOfRows(recipients);
    if (list === null || recipientsPath === null || this.#cancels.cancels(msg)) {
      this.#acceptOne(msg, this.#rows.named(recipients, send), done);
    } else {
      this.#rows.accept(msg, list, recipientsPath, send, done);
    }
  }

  /** Delays reading while many messages wait, if the fields cannot change in between. */
  #acceptOne(msg: NodeMessage, send: Send, done: Done): void {
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
    if (this.#handover.handsOver) {
      void this.#handover.handOn(msg, send, done);
    } else {
      void this.#runner.run(msg, send, done);
    }
  }
}
