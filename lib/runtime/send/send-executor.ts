import type { Node, NodeAPI, NodeMessage } from "node-red";
import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import { UnderWay } from "../../shared/async/under-way";
import { FieldError, SetupError } from "../../shared/messaging-error";
import type { ParsedRecipients } from "../../shared/recipients/recipients";
import { say } from "../../texts/say";
import { recipientSentence } from "../../texts/recipient-sentence";
import { NodeActivity } from "../activity/node-activity";
import type { ChannelDefinition } from "../channels/channel-definition";
import type { FieldValues } from "../fields/field-reader";
import { AccountLink } from "./account-link";
import { CancelMessages } from "./cancel-messages";
import { cancelUnread, forgetCancels, takeCancels } from "./cancelled-unread";
import { LastMessage } from "./last-message";
import { JobResults } from "./jobs/job-results";
import { identityOf } from "../node-red/node-identity";
import type { OutboxSession } from "../store/outbox/outbox-session";
import type { Done } from "./message-end";
import { MessageRunner } from "./message-runner";
import type { Part } from "./parts/message-parts";
import { PartsSender } from "./parts/parts-sender";
import { RecipientDivision } from "./recipient-division";
import { recipientsOf } from "./remainder";
import { ResultOutlet, type Send } from "./result-outlet";
import { MOST_ROUNDS } from "./rounds";
import { type ReadMessage, SendJob } from "./jobs/send-job";
import { isSensitive } from "../node-red/sensitive";
import { type Ready, type SendConfig, SendSetup } from "./send-setup";
import { SendSuccession } from "./send-succession";
import { SingleRequest } from "./single-request";
import { StatusBadge } from "./status-badge";
import { RowsSender } from "./rows/rows-sender";
import { StoredResults } from "./stored-results";
import { StoredSender } from "./stored-sender";

const NO_PROGRESS = (): void => {};

/**
 * Runs every send node, whatever its channel: reads the fields of a message, checks and splits it, hands the requests to
 * the account's dispatcher, and emits each result.
 */
export class SendExecutor {
  readonly #setup: SendSetup;
  readonly #link: AccountLink;
  readonly #badge: StatusBadge;
  readonly #resultProperty: string;
  readonly #outlet: ResultOutlet;
  readonly #results: JobResults;
  readonly #rows: RowsSender;
  readonly #active = new UnderWay();
  readonly #division: RecipientDivision;
  readonly #succession: SendSuccession;
  readonly #cancels: CancelMessages;
  readonly #runner: MessageRunner;
  /** Messages that wait unread. */
  readonly #unread = new Set<NodeMessage>();
  /** Messages that are being read. */
  readonly #reading = new Set<Promise<void>>();
  readonly #stored: StoredSender;
  /** Null for a test from the dialog, and for files. */
  readonly #last: LastMessage | null;

  /** @param keeps false for a test from the dialog, which no account keeps */
  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly config: SendConfig,
    private readonly channel: ChannelDefinition,
    private readonly keeps = true,
  ) {
    this.#resultProperty = config.resultProperty || "result";
    const ports = config.outputs === 6 ? 6 : 4;
    const badge = new StatusBadge(node);
    const activity = new NodeActivity(RED, node);
    const setup = new SendSetup(RED, node, config, channel, keeps);
    const { names } = setup;
    const hasRecipients = channel.recipients !== null;
    const property = this.#resultProperty;
    const outlet = new ResultOutlet(RED, node, badge, activity, channel.label, ports, property, names);
    const results = new JobResults(node, outlet, badge, setup.simulated, names);
    this.#outlet = outlet;
    this.#badge = badge;
    this.#setup = setup;
    this.#link = new AccountLink(setup, keeps, hasRecipients);
    this.#results = results;
    const parts = new PartsSender(badge, activity, setup.simulated, (job, part, verdict) =>
      this.#succession.handsOver
        ? this.#succession.deliver(job, part, verdict)
        : results.deliver(job, part, verdict),
    );
    this.#succession = new SendSuccession(RED, node, {
      setup,
      outlet,
      badge,
      results,
      active: this.#active,
      take: (msg, send, done) => this.#take(msg, send, done),
      run: (msg, send, done) => this.#runner.run(msg, send, done),
      stopUnread: () => this.#rows.stop(),
    });
    this.#rows = new RowsSender(RED, {
      node,
      activity,
      simulated: setup.simulated,
      setup,
      link: this.#link,
      resultProperty: this.#resultProperty,
      active: this.#active,
      begin: (msg, send, done) => this.#begin(msg, send, done),
      follow: (run) => this.#runner.follow(run),
      reading: this.#reading,
      cancelUnread,
      waits: (people) => badge.resume(people),
    });
    badge.simulated = setup.simulated;
    this.#division = new RecipientDivision(channel, keeps, {
      checkOf: (ready, message) => {
        const job = this.#jobOf(ready, message, 1);
        return (part) => ready.access.queue.prepare(job.batch(part, NO_PROGRESS));
      },
      warn: (values) => this.#warnOf(values),
    });
    const storedResults = new StoredResults(RED, node, results, badge);
    this.#last = keeps && hasRecipients ? LastMessage.begin(RED, node) : null;
    const identity = identityOf(node);
    this.#stored = new StoredSender(
      node,
      identity,
      results,
      badge,
      storedResults,
      activity,
      setup.simulated,
      channel.label,
    );
    const rows = this.#rows;
    const outboxOf = (ready: Ready): OutboxSession | null => this.#link.outboxOf(ready);
    this.#cancels = new CancelMessages({ identity, hasRecipients, setup, badge, parts, rows, outboxOf });
    this.#runner = new MessageRunner(RED, {
      channel,
      config: this.config,
      setup,
      badge,
      results,
      parts,
      stored: this.#stored,
      division: this.#division,
      cancels: this.#cancels,
      succession: this.#succession,
      active: this.#active,
      unread: this.#unread,
      reading: this.#reading,
      outboxOf,
      jobOf: (ready, message, count) => this.#jobOf(ready, message, count),
      warn: (parsed, values) => this.#warn(parsed, values),
    });
    // A wrong set-up shows at once, not only with the first message.
    setup.ready().then(
      ({ access }) => this.#link.attach(identity, access, storedResults, badge),
      (error: unknown) => badge.trouble(error),
    );
    node.on("input", (msg, send, done) => this.#take(msg, send, done));
    node.on("close", (done: () => void) => {
      this.#last?.end();
      this.#link.detach();
      setup.leave();
      void this.#succession.close().finally(done);
    });
  }

  /** Takes a message as it comes: as one, or, with rows as its recipients, as one for each of them. */
  #take(msg: NodeMessage, send: Send, done: Done): void {
    if (this.#outlet.roundsOf(msg) >= MOST_ROUNDS) {
      // Nothing leaves any output, which would bring it back.
      const error = new SetupError("SENT_BACK", say("send.SENT_BACK"));
      this.#badge.trouble(error);
      done(error);
      return;
    }
    const { recipientsPath } = this.#setup;
    this.#last?.note(msg, recipientsPath);
    const list = recipientsPath === null ? null : this.#rows.listOf(msg, recipientsPath);
    if (
      list === null ||
      recipientsPath === null ||
      send.remainder !== undefined ||
      this.#cancels.cancels(msg)
    ) {
      this.#takeOne(msg, send, done);
    } else {
      this.#rows.take(msg, list, recipientsPath, send, done);
    }
  }

  /** Reads a message at once, or leaves it unread while many wait, where its fields cannot change meanwhile. */
  #takeOne(msg: NodeMessage, send: Send, done: Done): void {
    this.#active.begin();
    const { opened } = this.#setup;
    const outbox = this.#link.outbox;
    const queue = this.#link.queue;
    // What cancels messages in memory does not wait behind them: they may be stopped for long.
    const waits = opened?.reader.quick && (opened.window?.quick ?? true) && this.channel.recipients !== null;
    if (waits && queue?.isBacklogged() && (outbox !== null || !this.#cancels.mayCancel(msg))) {
      this.#badge.waits(1);
      this.#unread.add(msg);
      queue.defer(() => {
        this.#badge.waits(-1);
        this.#unread.delete(msg);
        this.#begin(msg, send, done);
      });
    } else {
      this.#begin(msg, send, done);
    }
  }

  /** Uses no promise where the message is one request and its fields are at hand, which is nearly always so. */
  #begin(msg: NodeMessage, send: Send, done: Done): void {
    if (this.#succession.handsOver) {
      void this.#succession.passOn(msg, send, done);
      return;
    }
    const { opened } = this.#setup;
    const quick =
      this.keeps &&
      !this.#cancels.mayCancel(msg) &&
      opened?.reader.quick &&
      opened.window === null &&
      this.channel.recipients !== null &&
      this.channel.prepare === undefined;
    if (!quick) {
      void this.#runner.run(msg, send, done);
      return;
    }
    let error: Error | null | undefined;
    try {
      error = this.#sendQuickly(opened, msg, send, done);
    } catch (fault) {
      this.#badge.trouble(fault);
      error = fault as Error;
    }
    if (error !== undefined) {
      done(error ?? undefined);
      this.#active.end();
    }
  }

  /** @returns undefined while the request is under way, else the error to end the message with, or null */
  #sendQuickly(ready: Ready, msg: NodeMessage, send: Send, done: Done): Error | null | undefined {
    const { channel } = this;
    const config = this.config;
    let values: FieldValues = {};
    let operation = channel.choose(values, config);
    try {
      const read = ready.rules.divide(ready.reader.read(msg) as FieldValues, isSensitive(msg));
      values = read.values;
      operation = channel.choose(values, config);
      const parsed = recipientsOf(send.remainder, values, channel.recipients as string, ready);
      if (
        parsed instanceof Promise ||
        parsed.accepted.length !== 1 ||
        parsed.rejected.length > 0 ||
        (ready.access.guard !== null && !this.#division.passes(ready.access.guard, parsed, send, values))
      ) {
        void this.#runner.run(msg, send, done, { ...read, parsed });
        return undefined;
      }
      const rules = this.#division.rulesOfOne(ready, read, parsed.accepted, send);
      if ("outcome" in rules) {
        void this.#runner.run(msg, send, done, { ...read, parsed });
        return undefined;
      }
      this.#warn(parsed, values);
      const { accepted } = parsed;
      const message = { msg, send, operation, values, accepted, prepared: null, otherwise: null };
      const job = this.#jobOf(ready, message, 1);
      const part = { recipients: parsed.accepted, index: 0, fault: null, invalid: false, rules };
      if (takeCancels(job)(part)) {
        this.#badge.begin(1);
        this.#settle(job, part, localVerdict("CANCELLED"), done);
        return undefined;
      }
      const outbox = this.#link.outboxOf(ready);
      if (outbox !== null) {
        void this.#runner.finish(this.#stored.keep(outbox, job, [part], done), msg, send, done);
        return undefined;
      }
      const batch = job.batch(part, NO_PROGRESS);
      job.access.queue.submitWithCallback(batch, new SingleRequest(this.#settle, job, part, done));
      this.#badge.begin(1);
      return undefined;
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      forgetCancels(msg);
      return this.#results.reject(msg, send, operation, values, error);
    }
  }

  readonly #settle = (job: SendJob, part: Part, verdict: Verdict, done: Done): void => {
    if (this.#succession.handsOver) {
      void this.#succession.deliverAndComplete(job, part, verdict, done);
      return;
    }
    let error: Error | null;
    try {
      error = this.#results.deliver(job, part, verdict);
    } catch (fault) {
      this.#badge.trouble(fault);
      error = fault as Error;
    }
    done(error ?? undefined);
    this.#active.end();
  };

  #jobOf(ready: Ready, message: ReadMessage, count: number): SendJob {
    return new SendJob(this.RED, this.channel, this.config, ready, message, count, this.#resultProperty);
  }

  #warn(parsed: ParsedRecipients, values: FieldValues): void {
    if (this.channel.recipients === null) {
      return;
    }
    for (const warning of parsed.warnings) {
      this.node.warn(recipientSentence(warning));
    }
    this.#warnOf(values);
  }

  #warnOf(values: FieldValues): void {
    for (const warning of this.channel.warn?.(values) ?? []) {
      this.node.warn(warning);
    }
  }
}
