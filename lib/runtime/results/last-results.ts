import { type Outcome, shownOutcome } from "../../shared/outcomes";
import { operationChannel } from "../channels/operation-channel";
import type { SendResult } from "../channels/send-result";

const MINUTES = 60;
const minuteOf = (at: number): number => Math.floor(at / 60_000);

/** The parts of a result that its sentences are made from. */
export type FailedResult = Pick<
  SendResult,
  | "operation"
  | "outcome"
  | "statusCode"
  | "statusName"
  | "statusMessage"
  | "advice"
  | "transferId"
  | "httpStatus"
  | "source"
>;

const failedResult = ({
  operation,
  outcome,
  statusCode,
  statusName,
  statusMessage,
  advice,
  transferId,
  httpStatus,
  source,
}: SendResult): FailedResult => ({
  operation,
  outcome,
  statusCode,
  statusName,
  statusMessage,
  advice,
  transferId,
  httpStatus,
  source,
});

/** The last message that failed. */
export interface LastFailure {
  /** Epoch ms. */
  readonly at: number;
  readonly result: FailedResult;
}

const ACCEPTED: ReadonlySet<string> = new Set<Outcome>(["sent", "queued"]);
const FAILED: ReadonlySet<string> = new Set<Outcome>(["rejected", "denied", "retry-later", "unknown"]);
/** Names of results that a person or a deploy has decided. */
const DECIDED: ReadonlySet<string> = new Set(["CANCELLED", "CLOSING"]);
/** Names of results that say nothing of the next message: of this one alone, and of a Node-RED that ended. */
const OF_ONE_MESSAGE: ReadonlySet<string> = new Set([
  "PROCESS_ENDED",
  "STOPPED_WAITING",
  "TEXT_NOT_STORED",
  "FILE_CHANGED",
  "FILE_UNWRITABLE",
  "INTERNAL_FAULT",
]);
/** Names of refusals that say something of the recipient, or of when it came. */
const OF_RECIPIENT: ReadonlySet<string> = new Set([
  "INVALID_RECIPIENT",
  "RECIPIENTS_BLACKLISTED",
  "RECIPIENTS_NOT_ALLOWED",
  "NO_DEVICE_ENABLED",
  "SESSION_EXPIRED",
  "RECIPIENTS_MISSING",
  "RECIPIENTS_INVALID",
  "NO_DEFAULT_COUNTRY",
  "COUNTRY_NOT_ALLOWED",
  "NUMBER_TYPE_NOT_ALLOWED",
  "KEY_REUSED",
  "TOO_LATE",
]);
/** Messages in a row without a clear answer that are more than chance, and messages in a row that were refused with the same code. */
const [MORE_THAN_CHANCE, ALL_REFUSED] = [3, 10];

/** Whether a result is a failure that nobody wanted. @param outcome as people see it @param name of its code or fault */
export const isFailure = (outcome: string, name: string | null): boolean =>
  FAILED.has(outcome) && !DECIDED.has(name ?? "");

/**
 * How many failures like this one, with none accepted in between, say that the next message would probably fail as well: one where the fault is
 * of the account, the service, the way to it, or of how messages are made here. Null for a failure that never says so. Of `rejected` they are
 * different messages with the same name: one wrong message is one, however many people and requests it has.
 */
export function tellingOf(outcome: string, name: string | null): number | null {
  if (!isFailure(outcome, name) || OF_ONE_MESSAGE.has(name ?? "")) {
    return null;
  }
  if (outcome === "rejected") {
    return OF_RECIPIENT.has(name ?? "") ? null : ALL_REFUSED;
  }
  return outcome === "unknown" ? MORE_THAN_CHANCE : 1;
}

const laterOf = (known: LastFailure | null, other: LastFailure): LastFailure =>
  known !== null && known.at > other.at ? known : other;

/** What the messages of an account came to last in this process. */
export class LastResults {
  /** Epoch ms; null where none was accepted. */
  acceptedAt: number | null = null;
  failure: LastFailure | null = null;
  /** The last one after which the next message would probably fail as well. */
  lastingFailure: LastFailure | null = null;
  /** Failures since one was accepted that say so together. */
  #inRow = 0;
  /** Messages that were refused with the same name since one was accepted, by their ids. */
  #refused = { name: "", messages: new Set<string>() };
  /** People whose message ended as `unknown`, by minute since the epoch, those of the last hour. */
  readonly #unknown = new Map<number, number>();
  /** What was seen to leave next, and since when (epoch ms). */
  #first: { readonly what: WeakRef<object> | number; readonly since: number } | null = null;

  /** @param at epoch ms of the answer @param message id that the messages of a list have in common; absent where it is not known */
  note(sent: SendResult, at: number, message = ""): void {
    const { operation, statusName: name, recipients } = sent;
    if (operationChannel(operation) === null) {
      return;
    }
    const result = shownOutcome(sent.outcome, name);
    if (ACCEPTED.has(result)) {
      this.acceptedAt = Math.max(this.acceptedAt ?? at, at);
      this.#inRow = 0;
      this.#refused.messages.clear();
    } else if (isFailure(result, name)) {
      const failure = { at, result: failedResult(sent) };
      // A result that a restart has brought back is older.
      this.failure = laterOf(this.failure, failure);
      const telling = tellingOf(result, name);
      if (telling !== null && this.#timesOf(result, name, message) >= telling) {
        this.lastingFailure = laterOf(this.lastingFailure, failure);
      }
      if (result === "unknown") {
        this.#addUnknown(minuteOf(at), recipients.length || 1);
      }
    }
  }

  /** @returns how many such failures in a row this one is */
  #timesOf(result: string, name: string, message: string): number {
    if (result !== "rejected") {
      return ++this.#inRow;
    }
    if (this.#refused.name !== name) {
      this.#refused = { name, messages: new Set() };
    }
    const { messages } = this.#refused;
    if (messages.size < ALL_REFUSED) {
      messages.add(message);
    }
    return messages.size;
  }

  #addUnknown(minute: number, count: number): void {
    this.#unknown.set(minute, (this.#unknown.get(minute) ?? 0) + count);
    const [oldest = minute] = this.#unknown.keys();
    if (this.#unknown.size > MINUTES) {
      this.#unknown.delete(oldest);
    }
  }

  /** People whose message ended as `unknown` in the last hour. @param now epoch ms */
  unknownOfHour(now: number): number {
    const first = minuteOf(now) - MINUTES + 1;
    return [...this.#unknown].reduce((sum, [minute, count]) => (minute >= first ? sum + count : sum), 0);
  }

  /**
   * Somebody looked.
   * @param first what leaves next, the same object or number each time; null where nothing waits
   * @returns epoch ms since when each look has found that it is this one; null where nothing waits
   */
  seen(first: object | number | null, now: number): number | null {
    const known = this.#first;
    const what = typeof known?.what === "object" ? known.what.deref() : known?.what;
    if (first === null) {
      this.#first = null;
    } else if (known === null || what !== first) {
      this.#first = { what: typeof first === "object" ? new WeakRef(first) : first, since: now };
    }
    return this.#first?.since ?? null;
  }
}
