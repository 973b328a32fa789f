import type { NodeMessage } from "node-red";
import { localVerdict } from "../../gateway/codec/verdict";
import { OPERATIONS } from "../../gateway/contract/operations";
import { FieldError, type SetupError } from "../../shared/messaging-error";
import type { ParsedRecipients } from "../../shared/recipients/recipients";
import type { FieldValues } from "../fields/field-reader";
import { messageValue } from "../fields/message-value";
import type { ReadValues } from "../guards/delivery-rules";
import type { DividedRecipients } from "../guards/divide-by-hours";
import type { CheckedRecipients, RecipientGuard } from "../guards/recipient-guard";
import { type RuleLists, ruleRecipients } from "../guards/rule-recipients";
import { isSensitive } from "../node-red/sensitive";
import type { CancelMessages } from "./cancel-messages";
import type { DirectSender } from "./direct-sender";
import { type ReadMessage, SendJob } from "./jobs/send-job";
import { complete, type Done, type MessageEnd, type Send } from "./message-end";
import { type Part, splitParts } from "./parts/message-parts";
import { readAnyRecipients, readRowNumber } from "./rows/row-recipient";
import { runtimePaths } from "./runtime-paths";
import type { SendContext } from "./send-context";
import type { Ready } from "./send-setup";
import type { SendHandover } from "./send-handover";
import type { StoredSender } from "./stored-sender";

/** Matches the client message id of the part or of its message, or the idempotency key. */
const isCancelled = (job: SendJob, part: Part): boolean =>
  job.send.cancels?.some(
    ({ keys }) =>
      keys === null ||
      keys.some((key) => [job.clientMessageId, job.idOf(part), part.rules.once?.key].includes(key)),
  ) ?? false;

const NO_RECIPIENTS: ParsedRecipients = {
  accepted: [],
  rejected: [],
  duplicates: 0,
  warnings: [],
  empty: true,
};

/** Opt-outs for a test, which does not use the store. @throws StoreError */
async function listsOfTest({ account }: Ready, recipients: readonly string[]): Promise<RuleLists> {
  const found = await account.ruleLists.optOuts(recipients);
  return { optOuts: async () => found, onceUses: async () => [] };
}

export class MessageRunner {
  constructor(
    private readonly context: SendContext,
    private readonly direct: DirectSender,
    private readonly stored: StoredSender,
    private readonly cancels: CancelMessages,
    private readonly handover: SendHandover,
  ) {}

  run(msg: NodeMessage, send: Send, done: Done): Promise<void> {
    const running = this.cancels.mayCancel(msg)
      ? this.cancels.run(msg, () => this.#read(msg, send, done))
      : this.#read(msg, send, done);
    return this.context.follow(this.#finish(running, msg, send, done));
  }

  async #finish(running: Promise<MessageEnd>, msg: NodeMessage, send: Send, done: Done): Promise<void> {
    const { active, badge } = this.context;
    try {
      complete(done, await running);
    } catch (error) {
      if (this.handover.handsOver && (error as Partial<SetupError>).code === "ACCOUNT_CLOSED") {
        active.begin();
        void this.handover.handOn(msg, send, done);
        return;
      }
      // A setup error: nothing was sent.
      badge.trouble(error);
      done(error as Error);
    } finally {
      active.end();
    }
  }

  #read(msg: NodeMessage, send: Send, done: Done): Promise<MessageEnd> {
    const { reading } = this.context;
    let end = (): void => {};
    const now = new Promise<void>((resolve) => {
      end = resolve;
    });
    const onRead = (): void => {
      reading.delete(now);
      end();
    };
    reading.add(now);
    return this.#send(msg, send, done, onRead).finally(onRead);
  }

  async #send(msg: NodeMessage, send: Send, done: Done, onRead: () => void): Promise<MessageEnd> {
    const { RED, channel, config, setup, emitter } = this.context;
    const lacking = channel.mayLack?.(config) ?? null;
    const ready = setup.opened ?? (await setup.ready());
    let values: FieldValues = {};
    // The operation of the configuration, for a result of unreadable fields.
    let operation = channel.choose(values, config);
    try {
      const read = ready.rules.divide(await ready.reader.read(msg), isSensitive(msg));
      values = read.values;
      operation = channel.choose(values, config);
      if (lacking !== null && String(values[lacking]).trim() === "") {
        emitter.pass(msg, send);
        return null;
      }
      const parsed = await this.#recipients(values, ready);
      this.context.warn(values, parsed.warnings);
      const checked = await this.#byGuard(ready.access.guard, parsed, values);
      const { allowed: accepted } = checked;
      const divided = await this.#byRules(ready, read, accepted);
      const prepared = channel.prepare ? await channel.prepare(values, config, runtimePaths(RED)) : null;
      const message = { msg, send, operation, values, accepted, prepared };
      const held = [...checked.held, ...divided.held];
      const parts = splitParts(OPERATIONS[operation], parsed, { ...divided, held }, send);
      const job = new SendJob(this.context, ready, message, parts.length);
      const { outbox } = ready;
      const cancelled = new Set(parts.filter((part) => part.fault === null && isCancelled(job, part)));
      const isNobody = parts.every((part) => part.rejected === undefined && part.invalid);
      const isOver = cancelled.size > 0 && parts.every((part) => part.invalid || cancelled.has(part));
      if (outbox === null || isNobody || isOver) {
        const sending = this.direct.send(
          job,
          parts.map((part) => (cancelled.has(part) ? { ...part, fault: localVerdict("CANCELLED") } : part)),
        );
        onRead();
        return await sending;
      }
      return await this.stored.keep(outbox, job, parts, done);
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      if (error.isMissing && error.field === lacking) {
        emitter.pass(msg, send);
        return null;
      }
      return this.#reject(ready, { msg, send, operation, values }, error, done);
    }
  }

  /** @throws FieldError (or rejects with it) for a row without a number */
  #recipients(
    values: FieldValues,
    { reader, account: { defaultCountry }, rowNumber }: Ready,
  ): ParsedRecipients | Promise<ParsedRecipients> {
    const field = this.context.channel.recipients;
    if (field === null) {
      return NO_RECIPIENTS;
    }
    const fromMessage = reader.messageProperty(field) !== null;
    return readAnyRecipients(values[field], { field, defaultCountry, rowNumber, fromMessage });
  }

  #byGuard(
    guard: RecipientGuard | null,
    { accepted }: ParsedRecipients,
    values: FieldValues,
  ): CheckedRecipients | Promise<CheckedRecipients> {
    return guard === null || accepted.length === 0
      ? { allowed: accepted, held: [] }
      : guard.check(accepted, { sms: this.context.channel.isSms?.(values) ?? false });
  }

  /** @throws FieldError, StoreError for a test */
  async #byRules(ready: Ready, read: ReadValues, recipients: readonly string[]): Promise<DividedRecipients> {
    if (recipients.length === 0) {
      return { leaving: [], held: [] };
    }
    const { account, access, rules } = ready;
    const { hours, zone } = access;
    const now = Date.now();
    const asked = rules.read(read, now, zone, recipients);
    const around = { hours, zone, now };
    if (!this.context.keeps) {
      return ruleRecipients(recipients, asked, around, await listsOfTest(ready, recipients));
    }
    // The claim checks a single recipient, which saves a query for each message.
    return ruleRecipients(recipients, asked, around, recipients.length === 1 ? null : account.ruleLists);
  }

  /** A rejected row is stored too, so that the history has the whole list. */
  async #reject(
    ready: Ready,
    { msg, send, operation, values }: Pick<ReadMessage, "msg" | "send" | "operation" | "values">,
    error: FieldError,
    done: Done,
  ): Promise<MessageEnd> {
    const { RED, setup, emitter } = this.context;
    const { recipientsPath } = setup;
    if ((send.row === undefined && send.person === undefined) || recipientsPath === null) {
      return emitter.reject(msg, send, operation, values, error);
    }
    const { access, rowNumber, account } = ready;
    const number = readRowNumber(messageValue(RED, msg, recipientsPath), rowNumber, account.defaultCountry);
    const message = { msg, send, operation, values, accepted: [], prepared: null };
    const id = typeof values.clientMessageId === "string" ? values.clientMessageId : null;
    return this.stored.keepRejected(
      access.outbox,
      new SendJob(this.context, ready, message, 1),
      number,
      error,
      id,
      done,
    );
  }
}
