import type { Node, NodeAPI, NodeMessage } from "node-red";
import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import { FieldError, SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { ChannelDefinition } from "../channels/channel-definition";
import type { FieldValues } from "../fields/field-reader";
import { messageValue } from "../fields/message-value";
import { isSensitive } from "../node-red/sensitive";
import { CancelMessages } from "./cancel-messages";
import { DirectSender } from "./direct-sender";
import { takeCancels } from "./cancelled-unread";
import { SendJob } from "./jobs/send-job";
import { complete, type Done, type MessageEnd } from "./message-end";
import { MessageRunner } from "./message-runner";
import type { Part } from "./parts/message-parts";
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
  readonly #division: RecipientDivision;
  readonly #succession: SendSuccession;
  readonly #cancels: CancelMessages;
  readonly #runner: MessageRunner;
  readonly #stored: StoredSender;
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
    this.#division = new RecipientDivision(context);
    const results = new StoredResults(context);
    this.#stored = new StoredSender(context, results);
    const direct = new DirectSender(context, this.#succession);
    this.#cancels = new CancelMessages(context, this.#rows);
    this.#runner = new MessageRunner(
      context,
      direct,
      this.#stored,
      this.#division,
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

  /** Uses no promise where the message is one request and its fields are at hand, which is nearly always so. */
  #begin(msg: NodeMessage, send: Send, done: Done): void {
    if (this.#succession.handsOver) {
      void this.#succession.passOn(msg, send, done);
      return;
    }
    const { setup, badge } = this.#context;
    const { opened } = setup;
    const quick = !this.#cancels.mayCancel(msg) && opened?.reader.quick && opened.outbox !== null;
    if (!quick) {
      void this.#runner.run(msg, send, done);
      return;
    }
    let end: MessageEnd | undefined;
    try {
      end = this.#sendQuickly(opened, msg, send, done);
    } catch (fault) {
      badge.trouble(fault);
      end = fault as Error;
    }
    if (end !== undefined) {
      this.#end(done, end);
    }
  }

  /** @returns undefined while the request is under way, else how the message ends */
  #sendQuickly(ready: Ready, msg: NodeMessage, send: Send, done: Done): MessageEnd | undefined {
    const { channel, config, badge } = this.#context;
    let values: FieldValues = {};
    let operation = channel.choose(values, config);
    try {
      const read = ready.rules.divide(ready.reader.read(msg) as FieldValues, isSensitive(msg));
      values = read.values;
      operation = channel.choose(values, config);
      const parsed = this.#division.recipients(values, ready);
      if (
        parsed instanceof Promise ||
        parsed.accepted.length !== 1 ||
        parsed.rejected.length > 0 ||
        (ready.access.guard !== null && !this.#division.passes(ready.access.guard, parsed, values))
      ) {
        void this.#runner.run(msg, send, done, { ...read, parsed });
        return undefined;
      }
      const { accepted } = parsed;
      const rules = this.#division.rulesOfOne(ready, read, accepted);
      if ("outcome" in rules) {
        void this.#runner.run(msg, send, done, { ...read, parsed });
        return undefined;
      }
      this.#context.warn(values, parsed.warnings);
      const message = { msg, send, operation, values, accepted, prepared: null };
      const job = new SendJob(this.#context, ready, message, 1);
      const part = { recipients: accepted, index: 0, fault: null, invalid: false, rules };
      if (takeCancels(job)(part)) {
        badge.begin(1);
        this.#settle(job, part, localVerdict("CANCELLED"), done);
        return undefined;
      }
      void this.#runner.finish(this.#stored.keep(ready.access.outbox, job, [part], done), msg, send, done);
      return undefined;
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      const end = this.#runner.reject(ready, { msg, send, operation, values }, error, done);
      if (!(end instanceof Promise)) {
        return end;
      }
      void this.#runner.finish(end, msg, send, done);
      return undefined;
    }
  }

  readonly #settle = (job: SendJob, part: Part, verdict: Verdict, done: Done): void => {
    let end: MessageEnd | Promise<MessageEnd>;
    try {
      end = this.#succession.deliver(job, part, verdict);
    } catch (fault) {
      this.#context.badge.trouble(fault);
      end = fault as Error;
    }
    if (end instanceof Promise) {
      void this.#endLater(done, end);
    } else {
      this.#end(done, end);
    }
  };

  async #endLater(done: Done, end: Promise<MessageEnd>): Promise<void> {
    this.#end(done, await end);
  }

  #end(done: Done, end: MessageEnd): void {
    complete(done, end);
    this.#context.active.end();
  }
}
