import { randomUUID } from "node:crypto";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Batch } from "../gateway/dispatcher";
import { OPERATIONS, type Operation, type OperationId } from "../gateway/operations";
import { localVerdict, type Verdict } from "../gateway/verdict";
import { LIMITS } from "../shared/limits";
import { FieldError, SetupError } from "../shared/messaging-error";
import {
  type ParsedRecipients,
  parseRecipients,
  parseRecipientsInSlices,
  splitBatches,
} from "../shared/recipients";
import { Account, type AccountAccess, CLOSE_GRACE } from "./account";
import type { SendProgress } from "./activity-log";
import { PartsStamp, withProperty } from "./batch-message";
import type { FieldConfig } from "./compile-field";
import { FieldReader, type FieldValues } from "./field-reader";
import { NodeActivity } from "./node-activity";
import { ResultOutlet, type Send } from "./result-outlet";
import type { ComposeBatch, Preparation, SendKind } from "./send-kind";
import { isAccepted, sendResult } from "./send-result";
import { StatusBadge } from "./status-badge";
import { runtimeTexts } from "./texts";

/** Configuration that every send node has besides its fields. */
export interface SendConfig extends FieldConfig {
  readonly account?: string;
  readonly outputs?: number;
  readonly resultProperty?: string;
}

/** What a node needs before its first message. */
interface Setup {
  readonly reader: FieldReader;
  readonly account: Account;
}

/** One request to make of a message, or the fault that keeps it from being made. */
interface Part {
  readonly recipients: readonly string[];
  /** Position in the sequence, the local one last. */
  readonly index: number;
  readonly fault: Verdict | null;
}

/** What all parts of one message share. */
interface Job {
  readonly msg: NodeMessage;
  readonly send: Send;
  readonly access: AccountAccess;
  readonly reader: FieldReader;
  readonly operation: OperationId;
  readonly values: FieldValues;
  readonly compose: ComposeBatch;
  readonly clientMessageId: string;
  readonly stamp: PartsStamp | null;
  /** Where the kind has no recipients. */
  readonly prepared: Preparation | null;
}

/** A setup whose account lets it in. */
interface Ready extends Setup {
  readonly access: AccountAccess;
}

const EXPLAINED = 5;
/** Characters of recipients that are read in no time. */
const SHORT_TEXT = 64;
const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Names the first few bad numbers, each with its reason. */
function explain(rejected: ParsedRecipients["rejected"]): string {
  const some = rejected.slice(0, EXPLAINED).map(({ value, explanation }) => `'${value}': ${explanation}`);
  const more = rejected.length - some.length;
  return `${some.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** Not by spread: what is added to such a copy has the engine make a class of its own for each message. */
function copyWithout(values: FieldValues, left: string | null): FieldValues {
  const copy: FieldValues = {};
  for (const name of Object.keys(values)) {
    if (name !== left) {
      copy[name] = values[name];
    }
  }
  return copy;
}

/**
 * Runs every send node: reads the fields of a message, checks and splits it, hands the batches to the account's
 * dispatcher, and lets each result out. One executor for all kinds of messages.
 */
export class SendExecutor {
  readonly #badge: StatusBadge;
  readonly #activity: NodeActivity;
  readonly #outlet: ResultOutlet;
  /** Messages that have not ended, and who waits for that. */
  #active = 0;
  #idle: (() => void) | null = null;
  /** Found at the start, the account too: a closing node can no longer look it up. */
  readonly #setup: Setup | Error;
  #access: Promise<AccountAccess> | null = null;
  /** Set up and let in: from then on a message need not wait for either. */
  #opened: Ready | null = null;
  private readonly config: SendConfig;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: SendConfig,
    private readonly kind: SendKind,
  ) {
    this.config = { ...kind.settings, ...config, kind: config.kind ?? kind.kinds?.[0] };
    this.#badge = new StatusBadge(node, runtimeTexts(RED));
    this.#activity = new NodeActivity(RED, node);
    const ports = config.outputs === 6 ? 6 : 4;
    const property = config.resultProperty || "result";
    this.#outlet = new ResultOutlet(RED, node, this.#badge, this.#activity, kind.label, ports, property);
    this.#setup = this.#findSetup();
    this.#badge.simulated = this.#simulated;
    // Whatever cannot work shows at once, not only with the first message.
    this.#ready().catch((error: unknown) => this.#badge.trouble(error));
    node.on("input", (msg, send, done) => {
      this.#active++;
      const opened = this.#opened;
      if (opened?.access.lease.crowded === true && opened.reader.quick && kind.recipients !== null) {
        this.#badge.waits(1);
        opened.access.lease.later(() => {
          this.#badge.waits(-1);
          void this.#handle(msg, send as Send, done);
        });
      } else {
        void this.#handle(msg, send as Send, done);
      }
    });
    node.on("close", (done: () => void) => void this.#close().finally(done));
  }

  #findSetup(): Setup | Error {
    const { RED, node, config, kind } = this;
    try {
      if (kind.kinds?.includes(String(config.kind)) === false) {
        throw new SetupError(
          "BAD_SETTING",
          `The node is set to the kind '${String(config.kind)}', but must be set to ${kind.kinds.join(", ")}. Open it and choose one.`,
        );
      }
      kind.check?.(config);
      const reader = new FieldReader(RED, node, kind.fields, config);
      return { reader, account: Account.of(config.account ? RED.nodes.getNode(config.account) : null) };
    } catch (error) {
      return error as Error;
    }
  }

  get #simulated(): boolean {
    return !(this.#setup instanceof Error) && this.#setup.account.simulated;
  }

  async #handle(msg: NodeMessage, send: Send, done: (error?: Error) => void): Promise<void> {
    try {
      done((await this.#run(msg, send)) ?? undefined);
    } catch (error) {
      // Set-up faults, found before anything was sent.
      this.#badge.trouble(error);
      done(error as Error);
    } finally {
      if (--this.#active === 0) {
        this.#idle?.();
      }
    }
  }

  /** @returns the error to end a single-batch message with, else null */
  async #run(msg: NodeMessage, send: Send): Promise<Error | null> {
    const { reader, account, access } = this.#opened ?? (await this.#ready());
    let values: FieldValues = {};
    // Until the fields are read, the operation that the configuration alone means stands in the result.
    let operation = this.kind.choose(values, this.config);
    let job: Job | null = null;
    try {
      // Nothing is awaited that is there already: a turn of the promises for each would cost more than the rest.
      const read = reader.read(msg);
      values = read instanceof Promise ? await read : read;
      operation = this.kind.choose(values, this.config);
      const found = this.#recipients(values, account);
      const parsed = found instanceof Promise ? await found : found;
      this.#warn(parsed, values);
      const parts = this.#split(OPERATIONS[operation], parsed);
      const compose = this.#composer(values, parsed.accepted);
      const prepared = this.kind.prepare
        ? await this.kind.prepare(values, this.config, this.RED.settings.userDir)
        : null;
      job = this.#job(msg, send, access, reader, operation, values, compose, prepared, parts.length);
      return await this.#deliverAll(job, parts);
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      return this.#rejectWhole(msg, send, operation, values, error);
    }
  }

  async #ready(): Promise<Ready> {
    if (this.#setup instanceof Error) {
      throw this.#setup;
    }
    this.#access ??= this.#setup.account.access();
    try {
      this.#opened = { ...this.#setup, access: await this.#access };
      return this.#opened;
    } catch (error) {
      this.#access = null;
      throw error;
    }
  }

  #recipients(
    values: FieldValues,
    { defaultCountry }: Account,
  ): ParsedRecipients | Promise<ParsedRecipients> {
    const { recipients } = this.kind;
    if (recipients === null) {
      return { accepted: [], rejected: [], duplicates: 0, warnings: [], empty: true };
    }
    const value = values[recipients];
    return typeof value === "string" && value.length <= SHORT_TEXT
      ? parseRecipients(value, { defaultCountry })
      : parseRecipientsInSlices(value, { defaultCountry }, yieldNow);
  }

  #warn(parsed: ParsedRecipients, values: FieldValues): void {
    if (this.kind.recipients === null) {
      return;
    }
    for (const warning of [...parsed.warnings, ...(this.kind.warn?.(values) ?? [])]) {
      this.node.warn(warning);
    }
  }

  #split(operation: Operation, parsed: ParsedRecipients): Part[] {
    if (operation.recipients === null) {
      return [{ recipients: [], index: 0, fault: null }];
    }
    const size = operation.recipients?.many ? LIMITS.recipientsPerRequest : 1;
    const parts: Part[] = splitBatches(parsed.accepted, size).map((recipients, index) => ({
      recipients,
      index,
      fault: null,
    }));
    if (parsed.rejected.length > 0) {
      const fault = localVerdict("RECIPIENTS_INVALID", explain(parsed.rejected));
      const recipients = parsed.rejected.map(({ value }) => value);
      parts.push({ recipients, index: parts.length, fault });
    }
    if (parts.length === 0) {
      parts.push({ recipients: [], index: 0, fault: localVerdict("RECIPIENTS_MISSING") });
    }
    return parts;
  }

  #job(
    msg: NodeMessage,
    send: Send,
    access: AccountAccess,
    reader: FieldReader,
    operation: OperationId,
    values: FieldValues,
    compose: ComposeBatch,
    prepared: Preparation | null,
    count: number,
  ): Job {
    const given = values.clientMessageId;
    return {
      msg,
      send,
      access,
      reader,
      operation,
      values,
      compose,
      prepared,
      clientMessageId: typeof given === "string" && given !== "" ? given : randomUUID(),
      stamp:
        count > 1 ? new PartsStamp(this.RED, count, this.config.resultProperty || "result", msg.parts) : null,
    };
  }

  /** @throws FieldError */
  #composer(read: FieldValues, accepted: readonly string[]): ComposeBatch {
    const { recipients, compose } = this.kind;
    const composed =
      compose && accepted.length > 0
        ? compose(copyWithout(read, recipients), accepted, this.config)
        : undefined;
    return composed ?? (() => copyWithout(read, recipients));
  }

  #batch(job: Job, part: Part): Batch {
    const { operation, prepared } = job;
    if (prepared !== null) {
      const progress = (done: number, total: number | null): void =>
        this.#badge.progress(prepared.progress, done, total);
      return { operation, fields: prepared.fields, transfer: { ...prepared.transfer, progress } };
    }
    const { recipients, application } = OPERATIONS[operation];
    const fields = job.compose(part.recipients);
    if (application && fields.applicationId === undefined) {
      fields.applicationId = this.#applicationId(job.access);
    }
    if (recipients !== null) {
      const numbers = recipients.plus ? part.recipients.map((digits) => `+${digits}`) : part.recipients;
      fields[recipients.field] = recipients.many ? numbers : numbers[0];
    }
    fields.clientMessageId = this.#idOf(job, part);
    return { operation, fields };
  }

  /** @throws SetupError NO_APPLICATION */
  #applicationId({ applicationId }: AccountAccess): string {
    if (applicationId === "") {
      throw new SetupError(
        "NO_APPLICATION",
        "Neither the node nor its account says which application sends. Open the account and type in the application id that the provider gave you.",
      );
    }
    return applicationId;
  }

  #idOf(job: Job, part: Part): string {
    return job.stamp === null ? job.clientMessageId : `${job.clientMessageId}-${part.index + 1}`;
  }

  /**
   * Starts the parts in order, at most as many at a time as the account has connections.
   * @throws FieldError where the first part shows that a field is wrong; nothing was sent then
   */
  async #deliverAll(job: Job, parts: readonly Part[]): Promise<Error | null> {
    const first = parts[0]?.fault === null ? job.access.lease.submit(this.#batch(job, parts[0])) : null;
    this.#badge.begin(parts.length);
    if (parts.length === 1) {
      const [part] = parts as [Part];
      return this.#deliver(job, part, part.fault ?? (await (first ?? this.#submit(job, part))));
    }
    const progress = this.#progress(parts);
    let next = 0;
    let error: Error | null = null;
    const worker = async (): Promise<void> => {
      for (let part = parts[next++]; part !== undefined; part = parts[next++]) {
        const answer = part.index === 0 ? first : null;
        const verdict = part.fault ?? (await (answer ?? this.#submit(job, part)));
        progress.step(part.recipients.length);
        error = this.#deliver(job, part, verdict) ?? error;
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(job.access.concurrency, parts.length) }, worker));
    } finally {
      progress.end();
    }
    return error;
  }

  /** What the editor is told of a message that goes out as several requests. */
  #progress(parts: readonly Part[]): SendProgress {
    const total = parts.reduce((sum, { recipients }) => sum + recipients.length, 0);
    return this.#activity.begin(total, this.#simulated);
  }

  async #submit(job: Job, part: Part): Promise<Verdict> {
    try {
      return await job.access.lease.submit(this.#batch(job, part));
    } catch (error) {
      // Others of this message are on their way, so only this part is refused.
      return localVerdict("FIELD_INVALID", (error as Error).message);
    }
  }

  #deliver(job: Job, part: Part, verdict: Verdict): Error | null {
    const { prepared } = job;
    const clientMessageId = part.fault === null && prepared === null ? this.#idOf(job, part) : null;
    const message = this.#message(job, part, clientMessageId);
    const transfer = prepared?.finish(message, verdict, isAccepted(verdict));
    const error = this.#outlet.emit(
      message,
      sendResult(verdict, {
        operation: job.operation,
        recipients: part.recipients,
        clientMessageId,
        parameter: null,
        transfer: transfer ?? null,
        test: job.values.test === true,
        simulated: this.#simulated,
      }),
      job.send,
    );
    if (error !== null && job.stamp !== null) {
      this.node.error(error, message);
      return null;
    }
    return error;
  }

  /** The message that a result leaves with: the one that came, or a copy of it for each part of a split. */
  #message(job: Job, part: Part, clientMessageId: string | null): NodeMessage {
    const { RED, kind } = this;
    let message = job.msg;
    const idProperty = job.reader.messageProperty("clientMessageId");
    if (job.stamp === null) {
      if (idProperty !== null && clientMessageId !== null) {
        RED.util.setMessageProperty(message, idProperty, clientMessageId, true);
      }
      return message;
    }
    const listProperty = kind.recipients === null ? null : job.reader.messageProperty(kind.recipients);
    message =
      listProperty === null ? { ...message } : withProperty(RED, message, listProperty, part.recipients);
    if (idProperty !== null && clientMessageId !== null) {
      message = withProperty(RED, message, idProperty, clientMessageId);
    }
    message.parts = job.stamp.at(part.index);
    return message;
  }

  /** A field is wrong, so no part of the message may go. */
  #rejectWhole(
    msg: NodeMessage,
    send: Send,
    operation: OperationId,
    values: FieldValues,
    error: FieldError,
  ): Error | null {
    const verdict = localVerdict(error.code, error.message);
    this.#badge.begin(1);
    return this.#outlet.emit(
      msg,
      sendResult(verdict, {
        operation,
        recipients: [],
        clientMessageId: typeof values.clientMessageId === "string" ? values.clientMessageId : null,
        parameter: error.field,
        transfer: null,
        test: values.test === true,
        simulated: this.#simulated,
      }),
      send,
    );
  }

  async #close(): Promise<void> {
    this.#outlet.beginClosing();
    const access = await this.#access?.catch(() => null);
    await access?.lease.close(CLOSE_GRACE);
    // Node-RED delivers in the next turn and drops what finds a closed node: what is on the wire comes in first.
    await yieldNow();
    if (this.#active > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#outlet.reportClosing();
    this.#badge.close();
  }
}
