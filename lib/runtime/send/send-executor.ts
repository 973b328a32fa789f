import type { Node, NodeAPI, NodeMessage } from "node-red";
import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import { OPERATIONS } from "../../gateway/contract/operations";
import type { QueueHandle } from "../../gateway/queue/dispatcher";
import { UnderWay } from "../../shared/async/under-way";
import { FieldError, SetupError } from "../../shared/messaging-error";
import type { ParsedRecipients } from "../../shared/recipients/recipients";
import { say } from "../../texts/say";
import { recipientSentence } from "../../texts/recipient-sentence";
import { NodeActivity } from "../activity/node-activity";
import type { ChannelDefinition } from "../channels/channel-definition";
import type { FieldValues } from "../fields/field-reader";
import { cancelUnread, forgetCancels, takeCancels } from "./cancelled-unread";
import { LastMessage } from "./last-message";
import { JobResults } from "./jobs/job-results";
import type { AccountAccess } from "../account/account";
import type { ReadValues } from "../guards/delivery-rules";
import { identityOf } from "../node-red/node-identity";
import type { Outbox } from "../store/outbox/outbox";
import { complete, type Done, KEPT, type MessageEnd } from "./message-end";
import { MemoryRequest } from "./memory-request";
import { type Part, splitParts } from "./parts/message-parts";
import { PartsSender } from "./parts/parts-sender";
import { type CancelRequest, readCancel } from "./read-cancel";
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
import { runtimePaths } from "./runtime-paths";
import { RowsSender } from "./rows/rows-sender";
import { StoredResults } from "./stored-results";
import { StoredSender } from "./stored-sender";

const NO_RECIPIENTS: ParsedRecipients = {
  accepted: [],
  rejected: [],
  duplicates: 0,
  warnings: [],
  empty: true,
};

const NO_PROGRESS = (): void => {};

/** Fields of a message that were read before it turned out to need several requests or asynchronous work. */
interface ReadFields extends ReadValues {
  readonly parsed: ParsedRecipients | Promise<ParsedRecipients>;
}

/**
 * Runs every send node, whatever its channel: reads the fields of a message, checks and splits it, hands the requests to
 * the account's dispatcher, and emits each result.
 */
export class SendExecutor {
  readonly #config: SendConfig;
  readonly #setup: SendSetup;
  readonly #badge: StatusBadge;
  readonly #resultProperty: string;
  readonly #outlet: ResultOutlet;
  readonly #results: JobResults;
  readonly #parts: PartsSender;
  readonly #rows: RowsSender;
  readonly #active = new UnderWay();
  readonly #division: RecipientDivision;
  readonly #succession: SendSuccession;
  /** Messages that wait for something before they are kept or sent. */
  readonly #runs = new Set<Promise<void>>();
  /** Messages that wait unread. */
  readonly #unread = new Set<NodeMessage>();
  /** Messages that are being read. */
  readonly #reading = new Set<Promise<void>>();
  readonly #storedResults: StoredResults;
  readonly #stored: StoredSender;
  readonly #identity: string;
  /** Null for a test from the dialog, and for files. */
  readonly #last: LastMessage | null;
  #detach = (): void => {};
  #closed = false;

  /** @param keeps false for a test from the dialog, which no account keeps */
  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: SendConfig,
    private readonly channel: ChannelDefinition,
    private readonly keeps = true,
  ) {
    this.#config = { ...channel.settings, ...config, kind: config.kind ?? channel.messageKinds?.[0] };
    this.#resultProperty = config.resultProperty || "result";
    const ports = config.outputs === 6 ? 6 : 4;
    const badge = new StatusBadge(node);
    const activity = new NodeActivity(RED, node);
    const setup = new SendSetup(RED, node, this.#config, channel, keeps);
    const { names } = setup;
    const property = this.#resultProperty;
    const outlet = new ResultOutlet(RED, node, badge, activity, channel.label, ports, property, names);
    const results = new JobResults(node, outlet, badge, setup.simulated, names);
    this.#outlet = outlet;
    this.#badge = badge;
    this.#setup = setup;
    this.#results = results;
    this.#parts = new PartsSender(badge, activity, setup.simulated, (job, part, verdict) =>
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
      run: (msg, send, done) => this.#run(msg, send, done),
      stopUnread: () => this.#stopRows(),
    });
    this.#rows = new RowsSender(RED, {
      node,
      activity,
      simulated: setup.simulated,
      begin: (msg, send, done) => {
        this.#active.begin();
        this.#begin(msg, send, done);
      },
      queue: () => this.#queue,
      isFull: () => this.#outbox?.isFull === true,
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
    this.#storedResults = new StoredResults(RED, node, results, badge);
    this.#last = keeps && channel.recipients !== null ? LastMessage.begin(RED, node) : null;
    const identity = identityOf(node);
    this.#identity = identity;
    this.#stored = new StoredSender(
      node,
      identity,
      this.#storedResults,
      activity,
      setup.simulated,
      channel.label,
    );
    // A wrong set-up shows at once, not only with the first message.
    setup.ready().then(
      ({ access }) => this.#attach(identity, access),
      (error: unknown) => badge.trouble(error),
    );
    node.on("input", (msg, send, done) => this.#take(msg, send, done));
    node.on("close", (done: () => void) => {
      this.#closed = true;
      this.#last?.end();
      this.#detach();
      setup.leave();
      void this.#succession.close().finally(done);
    });
  }

  /** Lets results of messages that the account has kept leave here, and shows what it tells. */
  #attach(identity: string, { outbox, state }: AccountAccess): void {
    if (!this.keeps || this.#closed) {
      return;
    }
    const ends = [
      ...(outbox === null ? [] : [outbox.attach(identity, this.#storedResults)]),
      // Files are sent to nobody.
      ...(this.channel.recipients === null ? [] : [state.watch((shown) => this.#badge.showAccount(shown))]),
    ];
    this.#detach = () => {
      for (const end of ends) {
        end();
      }
    };
  }

  /** Where messages are kept; null for an account that has them in memory, and for files. */
  #outboxOf({ access }: Ready): Outbox | null {
    return this.keeps && this.channel.recipients !== null ? access.outbox : null;
  }

  /** Where messages are kept, once the account is open; null as for `#outboxOf`. */
  get #outbox(): Outbox | null {
    const { opened } = this.#setup;
    return opened === null ? null : this.#outboxOf(opened);
  }

  /** Where messages wait unread; null before the account is open. */
  get #queue(): Pick<QueueHandle, "isBacklogged" | "defer"> | null {
    return this.#outbox?.intake ?? this.#setup.opened?.access.queue ?? null;
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
    if (list === null || recipientsPath === null || send.remainder !== undefined || this.#cancels(msg)) {
      this.#takeOne(msg, send, done);
    } else {
      this.#takeRows(msg, list, recipientsPath, send, done);
    }
  }

  /** Waits for the account, so that a list is sent no faster than it can leave. */
  #takeRows(msg: NodeMessage, list: readonly unknown[], path: string, send: Send, done: Done): void {
    this.#active.begin();
    const start = ({ reader }: Ready): void => {
      const clientMessageId = reader.messageProperty("clientMessageId");
      const places = { rows: path, result: this.#resultProperty, clientMessageId };
      // From then on each row counts by itself.
      this.#rows.start(msg, list, places, send, done, () => this.#active.end());
    };
    const { opened } = this.#setup;
    if (opened !== null) {
      start(opened);
      return;
    }
    // Without the account, the message is told what is wrong with the set-up.
    const run = this.#setup.ready().then(start, () => this.#begin(msg, send, done));
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
  }

  /** Of an account that keeps messages, no further rows go into the store: those that are there end only when the account closes. */
  #stopRows(): void {
    if (this.#outbox !== null) {
      this.#rows.stop(new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED")));
    }
  }

  /** Whether a message is surely or maybe one that cancels others. */
  #cancels(msg: NodeMessage): boolean {
    try {
      return this.#mayCancel(msg) && readCancel(msg) !== null;
    } catch {
      return true;
    }
  }

  /** Reads a message at once, or leaves it unread while many wait, where its fields cannot change meanwhile. */
  #takeOne(msg: NodeMessage, send: Send, done: Done): void {
    this.#active.begin();
    const { opened } = this.#setup;
    const outbox = this.#outbox;
    const queue = this.#queue;
    // What cancels messages in memory does not wait behind them: they may be stopped for long.
    const waits = opened?.reader.quick && (opened.window?.quick ?? true) && this.channel.recipients !== null;
    if (waits && queue?.isBacklogged() && (outbox !== null || !this.#mayCancel(msg))) {
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
      !this.#mayCancel(msg) &&
      opened?.reader.quick &&
      opened.window === null &&
      this.channel.recipients !== null &&
      this.channel.prepare === undefined;
    if (!quick) {
      void this.#run(msg, send, done);
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
    const config = this.#config;
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
        void this.#run(msg, send, done, { ...read, parsed });
        return undefined;
      }
      const rules = this.#division.rulesOfOne(ready, read, parsed.accepted, send);
      if ("outcome" in rules) {
        void this.#run(msg, send, done, { ...read, parsed });
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
      const outbox = this.#outboxOf(ready);
      if (outbox !== null) {
        const write = this.#stored.check(outbox, job, [part], done);
        void this.#finish(this.#keep(write, job, [part]), msg, send, done);
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

  /** Puts a checked message into the store. @returns KEPT, or how it ends where that was not possible */
  async #keep(
    write: (badge: StatusBadge) => Promise<Verdict | null>,
    job: SendJob,
    parts: readonly Part[],
  ): Promise<MessageEnd> {
    const verdict = await write(this.#badge);
    if (verdict === null) {
      return KEPT;
    }
    let end: MessageEnd = null;
    for (const part of parts) {
      end = this.#results.deliver(job, part, part.fault ?? verdict) ?? end;
    }
    return end;
  }

  /** Runs an accepted message to its end. @param read its fields, where they were read before */
  #run(msg: NodeMessage, send: Send, done: Done, read: ReadFields | null = null): Promise<void> {
    const cancels = read === null && this.#mayCancel(msg);
    const running = cancels
      ? this.#cancelOrSend(msg, send, done, [...this.#runs], [...this.#reading], [...this.#unread])
      : this.#read(msg, send, done, read);
    const run = this.#finish(running, msg, send, done);
    this.#runs.add(run);
    return run.finally(() => this.#runs.delete(run));
  }

  /** Reads and sends a message, and notes until when it is in no queue. */
  #read(msg: NodeMessage, send: Send, done: Done, read: ReadFields | null): Promise<MessageEnd> {
    let end = (): void => {};
    const reading = new Promise<void>((resolve) => {
      end = resolve;
    });
    const onRead = (): void => {
      this.#reading.delete(reading);
      end();
    };
    this.#reading.add(reading);
    return this.#send(msg, send, done, read, onRead).finally(onRead);
  }

  /** Whether a message may be one that cancels others. Nearly none has the property. */
  #mayCancel(msg: NodeMessage): boolean {
    return Boolean((msg as { cancel?: unknown }).cancel) && this.channel.recipients !== null;
  }

  /**
   * Cancels what has not left of the node: the results of that leave like others.
   * @param before runs of messages that came before, which the store has when they end
   * @param reading ends when messages that came before are in the queue of an account without a store
   * @param unread messages that came before and wait until there is space in it
   * @throws FieldError, SetupError, StoreError
   */
  async #cancelOrSend(
    msg: NodeMessage,
    send: Send,
    done: Done,
    before: readonly Promise<void>[],
    reading: readonly Promise<void>[],
    unread: readonly NodeMessage[],
  ): Promise<MessageEnd> {
    const request = readCancel(msg);
    if (request === null) {
      return this.#read(msg, send, done, null);
    }
    const ready = this.#setup.opened ?? (await this.#setup.ready());
    const outbox = this.#outboxOf(ready);
    // Rows that have not begun may do so only when others have left.
    const hasLists = this.#rows.cancel(request);
    if (outbox === null) {
      for (const waiting of unread) {
        cancelUnread(waiting, [request]);
      }
      await Promise.all(reading);
      this.#badge.cancelled(this.#cancelWaiting(ready.access.queue, request));
    } else {
      await Promise.all(before);
      // Rows that have begun are read and kept like messages that came before.
      await Promise.all(hasLists ? [...this.#reading] : []);
      await outbox.intake.settled();
      this.#badge.cancelled(await ready.account.cancel(this.#identity, request.keys));
    }
    return null;
  }

  /** Ends messages of this node that wait in memory and are surely not at the service. @returns how many requests that were */
  #cancelWaiting(queue: QueueHandle, request: CancelRequest): number {
    const outside = this.#parts.cancel(request);
    return outside + queue.cancel((waiter) => waiter instanceof MemoryRequest && waiter.isMeant(request));
  }

  /** Completes a message as `running` says. */
  async #finish(running: Promise<MessageEnd>, msg: NodeMessage, send: Send, done: Done): Promise<void> {
    try {
      complete(done, await running);
    } catch (error) {
      if (this.#succession.handsOver && (error as Partial<SetupError>).code === "ACCOUNT_CLOSED") {
        this.#active.begin();
        void this.#succession.passOn(msg, send, done);
        return;
      }
      // A fault of the set-up, found before anything was sent.
      this.#badge.trouble(error);
      done(error as Error);
    } finally {
      this.#active.end();
    }
  }

  async #send(
    msg: NodeMessage,
    send: Send,
    done: Done,
    before: ReadFields | null,
    onRead: () => void,
  ): Promise<MessageEnd> {
    const { channel } = this;
    const config = this.#config;
    const ready = this.#setup.opened ?? (await this.#setup.ready());
    let values: FieldValues = {};
    // The operation that the configuration alone stands for, for a result of fields that cannot be read.
    let operation = channel.choose(values, config);
    try {
      // Awaits only promises: a turn of the microtask queue for each value would cost more than the rest.
      const reading = before === null ? ready.reader.read(msg) : before.values;
      const readingOther = ready.window?.read(msg) ?? null;
      const all = reading instanceof Promise ? await reading : reading;
      const otherwise = readingOther instanceof Promise ? await readingOther : readingOther;
      const read = before ?? ready.rules.divide(all, isSensitive(msg));
      values = read.values;
      operation = channel.choose(values, config);
      const found =
        channel.recipients === null
          ? NO_RECIPIENTS
          : (before?.parsed ?? recipientsOf(send.remainder, values, channel.recipients, ready));
      const parsed = found instanceof Promise ? await found : found;
      this.#warn(parsed, values);
      const checking = this.#division.byGuard(ready.access.guard, parsed, send, values);
      const checked = checking instanceof Promise ? await checking : checking;
      const { allowed: accepted } = checked;
      const ruled = await this.#division.byRules(ready, read, accepted, send);
      const prepared = channel.prepare ? await channel.prepare(values, config, runtimePaths(this.RED)) : null;
      const other = otherwise instanceof Error ? null : otherwise;
      const message = { msg, send, operation, values, accepted, prepared, otherwise: other };
      const divided = await this.#division.byWindow(ready, message, otherwise, ruled);
      const held = [...checked.held, ...divided.held];
      const parts = splitParts(OPERATIONS[operation], parsed, { ...divided, held });
      const job = this.#jobOf(ready, message, parts.length);
      const outbox = this.#outboxOf(ready);
      const isCancelled = takeCancels(job);
      const cancelled = new Set(parts.filter(isCancelled));
      if (outbox === null || parts.every((part) => part.invalid || cancelled.has(part))) {
        const sending = this.#parts.send(
          job,
          parts.map((part) => (cancelled.has(part) ? { ...part, fault: localVerdict("CANCELLED") } : part)),
        );
        onRead();
        return await sending;
      }
      return await this.#keep(this.#stored.check(outbox, job, parts, done), job, parts);
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      forgetCancels(msg);
      return this.#results.reject(msg, send, operation, values, error);
    }
  }

  #jobOf(ready: Ready, message: ReadMessage, count: number): SendJob {
    return new SendJob(this.RED, this.channel, this.#config, ready, message, count, this.#resultProperty);
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
