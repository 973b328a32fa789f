import type { NodeAPI, NodeMessage } from "node-red";
import { localVerdict } from "../../gateway/codec/verdict";
import { OPERATIONS } from "../../gateway/contract/operations";
import type { UnderWay } from "../../shared/async/under-way";
import { FieldError, type SetupError } from "../../shared/messaging-error";
import type { ParsedRecipients } from "../../shared/recipients/recipients";
import type { ChannelDefinition } from "../channels/channel-definition";
import type { FieldValues } from "../fields/field-reader";
import type { ReadValues } from "../guards/delivery-rules";
import { isSensitive } from "../node-red/sensitive";
import type { OutboxSession } from "../store/outbox/outbox-session";
import type { CancelMessages } from "./cancel-messages";
import { forgetCancels, takeCancels } from "./cancelled-unread";
import type { JobResults } from "./jobs/job-results";
import type { ReadMessage, SendJob } from "./jobs/send-job";
import { complete, type Done, type MessageEnd } from "./message-end";
import { splitParts } from "./parts/message-parts";
import type { PartsSender } from "./parts/parts-sender";
import type { RecipientDivision } from "./recipient-division";
import { recipientsOf } from "./remainder";
import type { Send } from "./result-outlet";
import { runtimePaths } from "./runtime-paths";
import type { Ready, SendConfig, SendSetup } from "./send-setup";
import type { SendSuccession } from "./send-succession";
import type { StatusBadge } from "./status-badge";
import type { StoredSender } from "./stored-sender";

const NO_RECIPIENTS: ParsedRecipients = {
  accepted: [],
  rejected: [],
  duplicates: 0,
  warnings: [],
  empty: true,
};

/** Fields of a message that were read before it turned out to need several requests or asynchronous work. */
export interface ReadFields extends ReadValues {
  readonly parsed: ParsedRecipients | Promise<ParsedRecipients>;
}

/** What a run needs of its node. */
export interface RunnerParts {
  readonly channel: ChannelDefinition;
  readonly config: SendConfig;
  readonly setup: SendSetup;
  readonly badge: StatusBadge;
  readonly results: JobResults;
  readonly parts: PartsSender;
  readonly stored: StoredSender;
  readonly division: RecipientDivision;
  readonly cancels: CancelMessages;
  readonly succession: SendSuccession;
  /** Messages that have not ended. */
  readonly active: UnderWay;
  /** Messages that wait unread. */
  readonly unread: ReadonlySet<NodeMessage>;
  /** Messages that are being read. */
  readonly reading: Set<Promise<void>>;
  /** Where messages are kept; null where they are in memory. */
  readonly outboxOf: (ready: Ready) => OutboxSession | null;
  readonly jobOf: (ready: Ready, message: ReadMessage, count: number) => SendJob;
  readonly warn: (parsed: ParsedRecipients, values: FieldValues) => void;
}

/** Runs messages that need a promise: those of several requests, with fields that are read later, files, and what cancels others. */
export class MessageRunner {
  /** Messages that wait for something before they are kept or sent. */
  readonly #runs = new Set<Promise<void>>();

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: RunnerParts,
  ) {}

  /** Runs an accepted message to its end. @param read its fields, where they were read before */
  run(msg: NodeMessage, send: Send, done: Done, read: ReadFields | null = null): Promise<void> {
    const { cancels, unread, reading } = this.node;
    const running =
      read === null && cancels.mayCancel(msg)
        ? cancels.run(
            msg,
            { runs: [...this.#runs], reading: [...reading], unread: [...unread], now: reading },
            () => this.#read(msg, send, done, null),
          )
        : this.#read(msg, send, done, read);
    return this.follow(this.finish(running, msg, send, done));
  }

  /** What cancels others waits for the end of this. */
  follow(run: Promise<void>): Promise<void> {
    this.#runs.add(run);
    return run.finally(() => this.#runs.delete(run));
  }

  /** Completes a message as `running` says. */
  async finish(running: Promise<MessageEnd>, msg: NodeMessage, send: Send, done: Done): Promise<void> {
    const { succession, active, badge } = this.node;
    try {
      complete(done, await running);
    } catch (error) {
      if (succession.handsOver && (error as Partial<SetupError>).code === "ACCOUNT_CLOSED") {
        active.begin();
        void succession.passOn(msg, send, done);
        return;
      }
      // A fault of the set-up, found before anything was sent.
      badge.trouble(error);
      done(error as Error);
    } finally {
      active.end();
    }
  }

  /** Reads and sends a message, and notes until when it is in no queue. */
  #read(msg: NodeMessage, send: Send, done: Done, read: ReadFields | null): Promise<MessageEnd> {
    const { reading } = this.node;
    let end = (): void => {};
    const now = new Promise<void>((resolve) => {
      end = resolve;
    });
    const onRead = (): void => {
      reading.delete(now);
      end();
    };
    reading.add(now);
    return this.#send(msg, send, done, read, onRead).finally(onRead);
  }

  async #send(
    msg: NodeMessage,
    send: Send,
    done: Done,
    before: ReadFields | null,
    onRead: () => void,
  ): Promise<MessageEnd> {
    const { channel, config, setup, division, warn, jobOf, outboxOf } = this.node;
    const ready = setup.opened ?? (await setup.ready());
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
      warn(parsed, values);
      const checking = division.byGuard(ready.access.guard, parsed, send, values);
      const checked = checking instanceof Promise ? await checking : checking;
      const { allowed: accepted } = checked;
      const ruled = await division.byRules(ready, read, accepted, send);
      const prepared = channel.prepare ? await channel.prepare(values, config, runtimePaths(this.RED)) : null;
      const other = otherwise instanceof Error ? null : otherwise;
      const message = { msg, send, operation, values, accepted, prepared, otherwise: other };
      const divided = await division.byWindow(ready, message, otherwise, ruled);
      const held = [...checked.held, ...divided.held];
      const parts = splitParts(OPERATIONS[operation], parsed, { ...divided, held });
      const job = jobOf(ready, message, parts.length);
      const outbox = outboxOf(ready);
      const isCancelled = takeCancels(job);
      const cancelled = new Set(parts.filter(isCancelled));
      if (outbox === null || parts.every((part) => part.invalid || cancelled.has(part))) {
        const sending = this.node.parts.send(
          job,
          parts.map((part) => (cancelled.has(part) ? { ...part, fault: localVerdict("CANCELLED") } : part)),
        );
        onRead();
        return await sending;
      }
      return await this.node.stored.keep(outbox, job, parts, done);
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      forgetCancels(msg);
      return this.node.results.reject(msg, send, operation, values, error);
    }
  }
}
