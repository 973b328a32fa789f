import type { PreparedRequest } from "../../gateway/codec/prepare-request";
import { type Verdict, localVerdict } from "../../gateway/codec/verdict";
import { contentOf, faultContent } from "../../gateway/queue/stored-content";
import type { FieldError } from "../../shared/messaging-error";
import { writeUnreadable } from "../../shared/recipients/unreadable-number";
import { writePerson } from "../../shared/recipients/row-person";
import { sanitiseName, sanitiseText } from "../../shared/sanitise-text";
import { NO_RULES, type RequestRules } from "../../store/guards/request-rules";
import type { NewRequest } from "../../store/jobs/jobs";
import { StoreError } from "../../store/engine/store-error";
import { say } from "../../texts/say";
import { isSensitive } from "../node-red/sensitive";
import type { OutboxSession } from "../store/outbox/outbox-session";
import type { SendJob } from "./jobs/send-job";
import { type Done, KEPT, type MessageEnd } from "./message-end";
import type { Part } from "./parts/message-parts";
import type { RowNumber } from "./rows/row-recipient";
import type { SendContext } from "./send-context";
import { bareSnapshot, writeSnapshot } from "./snapshot";
import { sumRecipients } from "./badge/count-recipients";
import { OpenMessage, type StoredResults } from "./stored-results";

/** Requests and recipients of one page. */
const PAGE_REQUESTS = 100;
const PAGE_RECIPIENTS = 1_000;

const NAMED = 5;

interface PreparedPart {
  readonly request: NewRequest;
  /** Null for a part that is not sent. */
  readonly prepared: PreparedRequest | null;
}

export class StoredSender {
  #warnedOfLost = false;
  #warnedOfLength = false;

  constructor(
    private readonly context: SendContext,
    private readonly stored: StoredResults,
  ) {}

  /** Returns KEPT if the message is stored. @throws FieldError, SetupError at once for an invalid first part */
  keep(outbox: OutboxSession, job: SendJob, parts: readonly Part[], done: Done): Promise<MessageEnd> {
    const first = checkRequest(outbox, job, parts[0] as Part);
    this.context.badge.beginParts(parts);
    return this.#keep(outbox, job, parts, first, done);
  }

  /** Stores an invalid row, so that the history has the whole list. It is not sent. */
  keepRejected(
    outbox: OutboxSession,
    job: SendJob,
    number: RowNumber,
    error: FieldError,
    clientMessageId: string | null,
    done: Done,
  ): Promise<MessageEnd> {
    const verdict = this.context.emitter.verdictOf(error, job.send);
    const fault = { ...verdict, parameter: error.field, clientMessageId };
    const { given, digits } = number;
    const part = { index: 0, fault, rules: NO_RULES };
    const recipients = given === "" ? [] : [given];
    return this.keep(
      outbox,
      job,
      [
        digits === null
          ? { ...part, recipients, invalid: true, rejected: [{ value: given, row: 1 }] }
          : { ...part, recipients: [digits], invalid: false },
      ],
      done,
    );
  }

  async #keep(
    outbox: OutboxSession,
    job: SendJob,
    parts: readonly Part[],
    first: PreparedPart,
    done: Done,
  ): Promise<MessageEnd> {
    const { account, acceptance } = outbox;
    if (outbox.isFull()) {
      const limit = account.dispatcher.queueLimit;
      return this.#refuse(job, parts, localVerdict("QUEUE_FULL", say("service.queue-limit", { limit })));
    }
    const { identity } = this.context;
    const last = parts.at(-1);
    const invalid = last?.invalid ? last.recipients : [];
    const message = new OpenMessage(
      account.id,
      identity,
      job,
      this.stored,
      done,
      parts.length,
      isSensitive(job.msg) ? new Map() : null,
      invalid,
    );
    message.people = sumRecipients(parts);
    if (first.prepared !== null) {
      message.checked = { request: first.prepared, recipients: first.request.recipients.length };
    }
    const snapshot =
      message.contents === null ? this.#snapshot(job, invalid, account.snapshotLimit) : bareSnapshot(job);
    const accepted = { message, channel: job.channelName, snapshot };
    try {
      if (parts.length === 1 && !isLong(parts[0] as Part)) {
        await acceptance.accept(accepted, [first.request]);
        return KEPT;
      }
      const total = parts.reduce((sum, { recipients }) => sum + recipients.length, 0);
      const pages = toPages(job, parts);
      if (parts.length <= PAGE_REQUESTS && total <= PAGE_RECIPIENTS) {
        await acceptance.accept(accepted, [...pages].flat());
      } else {
        await acceptance.acceptPages(accepted, pages);
      }
      return KEPT;
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      const fault = error.uncertain ? "STORE_UNCERTAIN" : "STORE_UNAVAILABLE";
      return this.#refuse(job, parts, localVerdict(fault, error.message));
    }
  }

  #refuse(job: SendJob, parts: readonly Part[], verdict: Verdict): MessageEnd {
    let end: MessageEnd = null;
    for (const part of parts) {
      end = this.context.emitter.deliver(job, part, part.fault ?? verdict) ?? end;
    }
    return end;
  }

  /** Warns once of values that JSON cannot represent. */
  #snapshot(job: SendJob, invalid: readonly string[], limit: number): string {
    const { node } = this.context;
    const { text, lost, tooLong } = writeSnapshot(job, invalid, limit);
    if (lost.length > 0 && !this.#warnedOfLost) {
      this.#warnedOfLost = true;
      const named = lost.slice(0, NAMED).map((path) => `msg.${sanitiseName(path)}`);
      const paths = lost.length > NAMED ? `${named.join(", ")}, …` : named.join(", ");
      node.warn(say("send.snapshot.lost", { paths }));
    }
    if (tooLong && !this.#warnedOfLength) {
      this.#warnedOfLength = true;
      node.warn(say("send.snapshot.too-long", { kib: Math.round(limit / 1024) }));
    }
    return text;
  }
}

/** Returns no entries of a sensitive message: they may be any text. */
function toUnreadable({ msg, send, stamp }: SendJob, { rejected = [] }: Part): readonly string[] {
  const isAlone = stamp === null && rejected.length === 1;
  const hidden = isSensitive(msg);
  return rejected.map(({ value, row }) =>
    writeUnreadable({
      text: hidden ? "…" : sanitiseText(value),
      row: send.row !== undefined ? send.row + 1 : isAlone && row === 1 ? null : row,
    }),
  );
}

/** A sensitive message stores no name. */
const toPerson = ({ msg, send: { row, person = null } }: SendJob): string | undefined =>
  person === null || isSensitive(msg)
    ? undefined
    : writePerson({ row: row === undefined ? null : row + 1, name: person });

const toRequest = (job: SendJob, part: Part, content: string): NewRequest => ({
  part: part.index,
  operation: job.operation,
  priority: 0,
  clientMessageId: part.fault === null ? job.idOf(part) : null,
  content,
  recipients: part.invalid ? toUnreadable(job, part) : part.recipients,
  person: toPerson(job),
  rules: part.fault === null && part.rules !== NO_RULES ? part.rules : undefined,
});

/** A part that is not sent costs nothing, and its result is emitted at any hour. */
const FAULT_RULES: RequestRules = { ...NO_RULES, alsoOptedOut: true, cost: 0 };

const faultRequest = (job: SendJob, part: Part, fault: Verdict): NewRequest => ({
  ...toRequest(job, { ...part, fault }, faultContent(fault)),
  rules: FAULT_RULES,
});

/** @throws FieldError, SetupError */
function checkRequest(outbox: OutboxSession, job: SendJob, part: Part): PreparedPart {
  if (part.fault !== null) {
    return { request: faultRequest(job, getSlice(part, 0), part.fault), prepared: null };
  }
  const batch = job.batch(part);
  return {
    request: toRequest(job, part, contentOf(batch)),
    prepared: outbox.account.dispatcher.prepare(batch),
  };
}

/** A part with an invalid field is not sent; the others of its message are. */
function tryRequest(job: SendJob, part: Part): NewRequest {
  if (part.fault !== null) {
    return faultRequest(job, part, part.fault);
  }
  try {
    return toRequest(job, part, contentOf(job.batch(part)));
  } catch (error) {
    return faultRequest(job, part, job.faultOf(error));
  }
}

/** Only a part that is not sent can have more recipients than a page. */
const isLong = ({ recipients }: Part): boolean => recipients.length > PAGE_RECIPIENTS;

function getSlice(part: Part, from: number): Part {
  if (!isLong(part)) {
    return part;
  }
  const { recipients, rejected } = part;
  const to = from + PAGE_RECIPIENTS;
  const slice = { ...part, recipients: recipients.slice(from, to) };
  return rejected === undefined ? slice : { ...slice, rejected: rejected.slice(from, to) };
}

function* longPages(job: SendJob, part: Part, fault: Verdict): Iterable<readonly NewRequest[]> {
  for (let after = 0; after < part.recipients.length; after += PAGE_RECIPIENTS) {
    yield [{ ...faultRequest(job, getSlice(part, after), fault), after }];
  }
}

function* toPages(job: SendJob, parts: readonly Part[]): Iterable<readonly NewRequest[]> {
  let page: NewRequest[] = [];
  let recipients = 0;
  for (const part of parts) {
    if (part.fault !== null && isLong(part)) {
      if (page.length > 0) {
        yield page;
      }
      page = [];
      recipients = 0;
      yield* longPages(job, part, part.fault);
      continue;
    }
    page.push(tryRequest(job, part));
    recipients += part.recipients.length;
    if (page.length === PAGE_REQUESTS || recipients >= PAGE_RECIPIENTS) {
      yield page;
      page = [];
      recipients = 0;
    }
  }
  if (page.length > 0) {
    yield page;
  }
}
