import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Waiter } from "../../gateway/queue/dispatcher";
import { OPERATIONS, type OperationId } from "../../gateway/contract/operations";
import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import { FieldError, type SetupError } from "../../shared/messaging-error";
import type { ParsedRecipients } from "../../shared/recipients/recipients";
import { CLOSE_GRACE } from "../account/account";
import type { SendProgress } from "../activity/activity-log";
import type { FieldValues } from "../fields/field-reader";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import { type Part, readRecipients, splitParts } from "./message-parts";
import { NodeActivity } from "../activity/node-activity";
import { RedeployHandover } from "../node-red/redeploy-handover";
import { ResultOutlet, type Send } from "./result-outlet";
import { SendJob } from "./send-job";
import type { ChannelDefinition } from "../channels/channel-definition";
import { isAccepted, type SendResult, sendResult } from "../channels/send-result";
import { type Ready, type SendConfig, SendSetup } from "./send-setup";
import { StatusBadge } from "./status-badge";
import { runtimeTexts } from "../node-red/texts";

const NO_RECIPIENTS: ParsedRecipients = {
  accepted: [],
  rejected: [],
  duplicates: 0,
  warnings: [],
  empty: true,
};

type Done = (error?: Error) => void;

/** How a message ended: with an error to raise, without one, or with one that was raised already. */
type Ended = Error | null | typeof RAISED;
const RAISED = Symbol("raised");

/** Executors by their nodes, so that one that ends finds its successor. */
const executors = new WeakMap<Node, SendExecutor>();

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What was read of a message that turned out to be more than one request. */
interface Read {
  readonly values: FieldValues;
  readonly parsed: ParsedRecipients | Promise<ParsedRecipients>;
}

const NO_PROGRESS = (): void => {};

/** A message that is one request, on its way. */
class Single implements Waiter {
  constructor(
    private readonly outcome: (job: SendJob, part: Part, verdict: Verdict, done: Done) => void,
    private readonly job: SendJob,
    private readonly part: Part,
    private readonly done: Done,
  ) {}

  told(verdict: Verdict): void {
    this.outcome(this.job, this.part, verdict, this.done);
  }
}

/**
 * Runs every send node: reads the fields of a message, checks and splits it, hands the batches to the account's
 * dispatcher, and lets each result out. One executor for all kinds of messages.
 */
export class SendExecutor {
  readonly #config: SendConfig;
  readonly #setup: SendSetup;
  readonly #badge: StatusBadge;
  readonly #activity: NodeActivity;
  readonly #outlet: ResultOutlet;
  readonly #resultProperty: string;
  /** Messages that have not ended, and who waits for that. */
  #active = 0;
  #idle: (() => void) | null = null;
  /** From a partial deploy on: who takes over, as soon as that is known. */
  #succession: Promise<SendExecutor | null> | null = null;
  /** Ends with the last of what was under way at a partial deploy. */
  #background: Promise<void> = Promise.resolve();
  /** Those of earlier deploys that still wait for answers and let their results out here. */
  readonly #predecessors = new Set<SendExecutor>();

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: SendConfig,
    private readonly kind: ChannelDefinition,
  ) {
    this.#config = { ...kind.settings, ...config, kind: config.kind ?? kind.kinds?.[0] };
    this.#badge = new StatusBadge(node, runtimeTexts(RED));
    this.#activity = new NodeActivity(RED, node);
    this.#resultProperty = config.resultProperty || "result";
    const ports = config.outputs === 6 ? 6 : 4;
    this.#outlet = new ResultOutlet(
      RED,
      node,
      this.#badge,
      this.#activity,
      kind.label,
      ports,
      this.#resultProperty,
    );
    this.#setup = new SendSetup(RED, node, this.#config, kind);
    this.#badge.simulated = this.#setup.simulated;
    executors.set(node, this);
    RedeployHandover.of(RED).arrive(node);
    // Whatever cannot work shows at once, not only with the first message.
    this.#setup.ready().catch((error: unknown) => this.#badge.trouble(error));
    node.on("input", (msg, send, done) => this.#take(msg, send as Send, done));
    node.on("close", (done: () => void) => void this.#close().finally(done));
  }

  /** A message is read at once, or left as it is while many wait, where it will say the same later. */
  #take(msg: NodeMessage, send: Send, done: Done): void {
    this.#active++;
    const { opened } = this.#setup;
    if (opened?.access.queue.crowded() && opened.reader.quick && this.kind.recipients !== null) {
      this.#badge.waits(1);
      opened.access.queue.later(() => {
        this.#badge.waits(-1);
        this.#begin(msg, send, done);
      });
    } else {
      this.#begin(msg, send, done);
    }
  }

  /** Without a promise where all is at hand and one request is all that the message means, as nearly always. */
  #begin(msg: NodeMessage, send: Send, done: Done): void {
    if (this.#succession !== null) {
      void this.#passOn(this.#succession, msg, send, done);
      return;
    }
    const { opened } = this.#setup;
    const quick = opened?.reader.quick && this.kind.recipients !== null && this.kind.prepare === undefined;
    if (!quick) {
      void this.#handle(msg, send, done);
      return;
    }
    let error: Error | null | undefined;
    try {
      error = this.#runQuickly(opened, msg, send, done);
    } catch (fault) {
      this.#badge.trouble(fault);
      error = fault as Error;
    }
    if (error !== undefined) {
      done(error ?? undefined);
      this.#ended();
    }
  }

  #ended(): void {
    if (--this.#active === 0) {
      this.#idle?.();
    }
  }

  /** @returns undefined while it is on its way, else the error to end it with, or null */
  #runQuickly(ready: Ready, msg: NodeMessage, send: Send, done: Done): Error | null | undefined {
    const { kind } = this;
    const config = this.#config;
    let values: FieldValues = {};
    let operation = kind.choose(values, config);
    try {
      values = ready.reader.read(msg) as FieldValues;
      operation = kind.choose(values, config);
      const parsed = readRecipients(values[kind.recipients as string], ready.account.defaultCountry);
      if (parsed instanceof Promise || parsed.accepted.length !== 1 || parsed.rejected.length > 0) {
        void this.#handle(msg, send, done, { values, parsed });
        return undefined;
      }
      this.#warn(parsed, values);
      const message = { msg, send, operation, values, accepted: parsed.accepted, prepared: null };
      const job = new SendJob(this.RED, kind, config, ready, message, 1, this.#resultProperty);
      const part = { recipients: parsed.accepted, index: 0, fault: null };
      const batch = job.batch(part, NO_PROGRESS);
      job.access.queue.hand(batch, new Single(this.#outcome, job, part, done));
      this.#badge.begin(1);
      return undefined;
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      return this.#rejectWhole(msg, send, operation, values, error);
    }
  }

  readonly #outcome = (job: SendJob, part: Part, verdict: Verdict, done: Done): void => {
    if (this.#succession !== null) {
      void this.#outcomeLate(this.#succession, job, part, verdict, done);
      return;
    }
    let error: Error | null;
    try {
      error = this.#deliver(job, part, verdict);
    } catch (fault) {
      this.#badge.trouble(fault);
      error = fault as Error;
    }
    done(error ?? undefined);
    this.#ended();
  };

  /** @param read what was read of it already */
  async #handle(msg: NodeMessage, send: Send, done: Done, read: Read | null = null): Promise<void> {
    try {
      this.#tell(done, await this.#run(msg, send, read));
    } catch (error) {
      if (this.#succession !== null && (error as Partial<SetupError>).code === "ACCOUNT_CLOSED") {
        this.#active++;
        void this.#passOn(this.#succession, msg, send, done);
        return;
      }
      // Set-up faults, found before anything was sent.
      this.#badge.trouble(error);
      done(error as Error);
    } finally {
      this.#ended();
    }
  }

  #tell(done: Done, ended: Ended): void {
    if (ended !== RAISED) {
      done(ended ?? undefined);
    }
  }

  /** @returns how a single-batch message ends; null for others, which raise their errors themselves */
  async #run(msg: NodeMessage, send: Send, before: Read | null): Promise<Ended> {
    const { kind } = this;
    const config = this.#config;
    const ready = this.#setup.opened ?? (await this.#setup.ready());
    let values: FieldValues = {};
    // Until the fields are read, the operation that the configuration alone means stands in the result.
    let operation = kind.choose(values, config);
    try {
      // Nothing is awaited that is there already: a turn of the promises for each would cost more than the rest.
      const read = before?.values ?? ready.reader.read(msg);
      values = read instanceof Promise ? await read : read;
      operation = kind.choose(values, config);
      const found =
        kind.recipients === null
          ? NO_RECIPIENTS
          : (before?.parsed ?? readRecipients(values[kind.recipients], ready.account.defaultCountry));
      const parsed = found instanceof Promise ? await found : found;
      this.#warn(parsed, values);
      const parts = splitParts(OPERATIONS[operation], parsed);
      const prepared = kind.prepare ? await kind.prepare(values, config, this.RED.settings) : null;
      const message = { msg, send, operation, values, accepted: parsed.accepted, prepared };
      const count = parts.length;
      const job = new SendJob(this.RED, kind, config, ready, message, count, this.#resultProperty);
      return await this.#deliverAll(job, parts);
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      return this.#rejectWhole(msg, send, operation, values, error);
    }
  }

  #warn(parsed: ParsedRecipients, values: FieldValues): void {
    if (this.kind.recipients === null) {
      return;
    }
    for (const warning of [...parsed.warnings, ...(this.kind.warn?.(values) ?? [])]) {
      this.node.warn(warning);
    }
  }

  /**
   * Starts the parts in order, at most as many at a time as the account has connections.
   * @throws FieldError where the first part shows that a field is wrong; nothing was sent then
   */
  async #deliverAll(job: SendJob, parts: readonly Part[]): Promise<Ended> {
    const first = parts[0]?.fault === null ? this.#hand(job, parts[0]) : null;
    this.#badge.begin(parts.length);
    if (parts.length === 1) {
      const [part] = parts as [Part];
      return this.#deliverNow(job, part, part.fault ?? (await (first ?? this.#submit(job, part))));
    }
    const progress = this.#progress(parts);
    let next = 0;
    let ended: Ended = null;
    const worker = async (): Promise<void> => {
      for (let part = parts[next++]; part !== undefined; part = parts[next++]) {
        const answer = part.index === 0 ? first : null;
        const verdict = part.fault ?? (await (answer ?? this.#submit(job, part)));
        progress.step(part.recipients.length);
        ended = (await this.#deliverNow(job, part, verdict)) ?? ended;
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(job.access.concurrency, parts.length) }, worker));
    } finally {
      progress.end();
    }
    return ended;
  }

  /** What the editor is told of a message that goes out as several requests. */
  #progress(parts: readonly Part[]): SendProgress {
    const total = parts.reduce((sum, { recipients }) => sum + recipients.length, 0);
    return this.#activity.begin(total, this.#setup.simulated);
  }

  /** @throws FieldError, SetupError before anything is sent */
  #hand(job: SendJob, part: Part): Promise<Verdict> {
    const { prepared } = job;
    const batch = job.batch(part, (done, total) => {
      if (prepared !== null) {
        this.#badge.progress(prepared.progress, done, total);
      }
    });
    return job.access.queue.submit(batch);
  }

  async #submit(job: SendJob, part: Part): Promise<Verdict> {
    try {
      return await this.#hand(job, part);
    } catch (error) {
      // Others of this message are on their way, so only this part is refused.
      return localVerdict("FIELD_INVALID", (error as Error).message);
    }
  }

  #deliverNow(job: SendJob, part: Part, verdict: Verdict): Ended | Promise<Ended> {
    return this.#succession === null
      ? this.#deliver(job, part, verdict)
      : this.#deliverLate(this.#succession, job, part, verdict);
  }

  #deliver(job: SendJob, part: Part, verdict: Verdict): Error | null {
    const { message, result } = this.#resultOf(job, part, verdict);
    const error = this.#outlet.emit(message, result, job.send);
    if (error !== null && job.stamp !== null) {
      this.node.error(error, message);
      return null;
    }
    return error;
  }

  #resultOf(
    job: SendJob,
    part: Part,
    verdict: Verdict,
  ): { readonly message: NodeMessage; readonly result: SendResult } {
    const { prepared } = job;
    const clientMessageId = part.fault === null && prepared === null ? job.idOf(part) : null;
    const message = job.message(part, clientMessageId);
    const transfer = prepared?.finish(message, verdict, isAccepted(verdict)) ?? null;
    const result = sendResult(verdict, {
      operation: job.operation,
      recipients: part.recipients,
      clientMessageId,
      parameter: null,
      transfer,
      test: job.test,
      simulated: this.#setup.simulated,
    });
    return { message, result };
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
        simulated: this.#setup.simulated,
      }),
      send,
    );
  }

  async #close(): Promise<void> {
    if (FlowLifecycle.of(this.RED).partial) {
      await this.#handOver();
      return;
    }
    this.#outlet.beginClosing();
    await this.#abort();
    // Node-RED delivers in the next turn and drops what finds a closed node: what is on the wire comes in first.
    await nextTurn();
    await this.#whenIdle();
    this.#outlet.reportClosing();
    this.#badge.close();
  }

  /** Starts nothing more and gives answers some time, those that predecessors wait for as well. */
  async #abort(): Promise<void> {
    const predecessors = [...this.#predecessors].map((each) => each.#abort());
    await Promise.all([this.#setup.close(CLOSE_GRACE), ...predecessors]);
  }

  async #whenIdle(): Promise<void> {
    if (this.#active > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await Promise.all([...this.#predecessors].map((each) => each.#background));
  }

  /**
   * Ends at once, since other flows run on and need the node back. What has not left goes to the successor as the
   * message that it came in; what has left lets its result out there.
   */
  async #handOver(): Promise<void> {
    let know = (_successor: SendExecutor | null): void => {};
    const succession = new Promise<SendExecutor | null>((resolve) => {
      know = resolve;
    });
    this.#succession = succession;
    this.#badge.close();
    RedeployHandover.of(this.RED).begin(this.node, (node) => {
      const successor = (node === null ? null : executors.get(node)) ?? null;
      if (successor === null) {
        this.#orphaned();
      } else {
        successor.#predecessors.add(this);
        void this.#background.finally(() => successor.#predecessors.delete(this));
      }
      know(successor);
    });
    this.#setup.stop();
    const { onTheWire } = this.#outlet;
    // Node-RED delivers in the next turn and drops what finds a closed node: what is on the wire comes in first.
    await nextTurn();
    this.#outlet.reportUndelivered(onTheWire);
    this.#background = this.#endInBackground();
  }

  async #endInBackground(): Promise<void> {
    await this.#whenIdle();
    await this.#setup.close(0);
    this.#outlet.reportClosing();
  }

  /** The node was removed or disabled: the log is all that is left. */
  #orphaned(): void {
    this.#succession = null;
    this.#outlet.beginClosing();
    const times = FlowLifecycle.of(this.RED);
    const unwatch = times.onStopping(() => {
      if (!times.partial) {
        // Nobody waits for this one: what is still open is unknown, and is said so before the process ends.
        void this.#setup.close(0);
      }
    });
    void this.#background.finally(unwatch);
  }

  /** A message that was not read yet, or did not leave, starts anew in the successor. */
  async #passOn(
    succession: Promise<SendExecutor | null>,
    msg: NodeMessage,
    send: Send,
    done: Done,
  ): Promise<void> {
    const successor = await succession;
    if (successor === null) {
      await this.#handle(msg, send, done);
    } else {
      this.#tell(done, await successor.#takeOver(msg));
      this.#ended();
    }
  }

  /** Takes a message of a predecessor as if it had come by a wire. */
  #takeOver(msg: NodeMessage): Promise<Ended> {
    return new Promise((resolve) => {
      const done = (error?: Error): void => {
        if (error) {
          this.node.error(error, msg);
        }
        resolve(error ? RAISED : null);
      };
      this.#take(msg, (messages) => this.node.send(messages as never), done);
    });
  }

  async #outcomeLate(
    succession: Promise<SendExecutor | null>,
    job: SendJob,
    part: Part,
    verdict: Verdict,
    done: Done,
  ): Promise<void> {
    this.#tell(done, await this.#deliverLate(succession, job, part, verdict));
    this.#ended();
  }

  async #deliverLate(
    succession: Promise<SendExecutor | null>,
    job: SendJob,
    part: Part,
    verdict: Verdict,
  ): Promise<Ended> {
    const successor = await succession;
    if (successor === null) {
      return this.#deliver(job, part, verdict);
    }
    const unsent = verdict.stopped === "unsent" ? job.unsent(part) : null;
    if (unsent !== null) {
      return successor.#takeOver(unsent);
    }
    const { message, result } = this.#resultOf(job, part, verdict);
    return successor.#release(message, result);
  }

  /** Lets out a result that a predecessor waited for. */
  async #release(message: NodeMessage, result: SendResult): Promise<Ended> {
    const successor = await this.#succession;
    if (successor !== null) {
      return successor.#release(message, result);
    }
    this.#badge.begin(1);
    const error = this.#outlet.emit(message, result, (messages) => this.node.send(messages as never));
    if (error === null) {
      return null;
    }
    this.node.error(error, message);
    return RAISED;
  }
}
