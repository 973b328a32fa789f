import { MINUTES, minuteOf } from "../../shared/activity";
import type { Outcome } from "../../shared/outcomes";
import type { KeptDetails } from "./kept-entry";
import type { NewEntry } from "./refusal-log";

/** The last message that failed. */
export interface LastFailure {
  /** Epoch ms. */
  readonly at: number;
  readonly outcome: string;
  readonly statusCode: number | null;
  readonly statusName: string;
  /** A sentence without any value of the message, and what to do; made when they are read. */
  readonly details: Pick<KeptDetails, "plainReason" | "advice"> | null;
}

const ACCEPTED: ReadonlySet<string> = new Set<Outcome>(["sent", "queued"]);
const FAILED: ReadonlySet<string> = new Set<Outcome>(["rejected", "denied", "retry-later", "unknown"]);
/** Names of results that a person or a deploy has decided. */
const DECIDED: ReadonlySet<string> = new Set(["CANCELLED", "CLOSING"]);
/** Names of results that say nothing of the next message: of files of the message, and of a Node-RED that ended. */
const PASSING: ReadonlySet<string> = new Set([
  "PROCESS_ENDED",
  "STOPPED_WAITING",
  "FILE_CHANGED",
  "FILE_UNWRITABLE",
]);

/** Whether a result is a failure that nobody wanted. @param outcome as people see it @param name of its code or fault */
export const isFailure = (outcome: string, name: string | null): boolean =>
  FAILED.has(outcome) && !DECIDED.has(name ?? "");

/** Whether the next message would probably fail as well: the fault is of the account, the service or the way to it. */
export const isLasting = (outcome: string, name: string | null): boolean =>
  isFailure(outcome, name) && outcome !== "rejected" && !PASSING.has(name ?? "");

const laterOf = (known: LastFailure | null, other: LastFailure): LastFailure =>
  known !== null && known.at > other.at ? known : other;

/** What the messages of an account came to last in this process. */
export class LastResults {
  /** Epoch ms; null where none was accepted. */
  acceptedAt: number | null = null;
  failure: LastFailure | null = null;
  /** The last one that `isLasting`. */
  lastingFailure: LastFailure | null = null;
  /** People whose message ended as `unknown`, by minute since the epoch, those of the last hour. */
  readonly #unknown = new Map<number, number>();
  /** Epoch ms since when messages were seen to wait although they may leave, with none accepted meanwhile. */
  #stuckSince: number | null = null;

  /** @param at epoch ms of the answer */
  note(entry: NewEntry, details: KeptDetails | null, at: number): void {
    const { result, channel, code, name, count } = entry;
    if (channel === "media" || channel === "webhook") {
      return;
    }
    if (ACCEPTED.has(result)) {
      this.acceptedAt = Math.max(this.acceptedAt ?? at, at);
    } else if (isFailure(result, name)) {
      const failure = { at, outcome: result, statusCode: code, statusName: name, details };
      // A result that a restart has brought back is older.
      this.failure = laterOf(this.failure, failure);
      if (isLasting(result, name)) {
        this.lastingFailure = laterOf(this.lastingFailure, failure);
      }
      if (result === "unknown") {
        this.#addUnknown(minuteOf(at), count || 1);
      }
    }
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
   * Somebody looked. @param waits whether a message waits that may leave @param acceptedAt the last one that was accepted, in any process
   * @returns epoch ms since when each look has found messages that wait, and none that was accepted meanwhile; null where that is not so
   */
  seen(waits: boolean, acceptedAt: number | null, now: number): number | null {
    const since = this.#stuckSince;
    const goesOn = waits && since !== null && (acceptedAt === null || acceptedAt < since);
    this.#stuckSince = goesOn ? since : waits ? now : null;
    return this.#stuckSince;
  }
}
