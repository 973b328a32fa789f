import type { LeaveDecision } from "../../../gateway/queue/dispatcher";
import type { BlockedRecipients } from "../../../gateway/queue/blocked-recipients";
import { localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import { departureOf, MemoryRequest } from "../memory-request";
import type { Part } from "./message-parts";
import type { SendJob } from "../jobs/send-job";

/** Who hears of the requests of a message. None of this may throw or run code of a flow, except `ended`. */
export interface PartRun {
  /** The request waits until `until`, in epoch ms. @returns false where another one of the message waits until then, too */
  waits(until: number): boolean;
  /** It has waited. */
  leaves(until: number): void;
  /** Recipients that it does not leave with. */
  split(parts: readonly Part[]): void;
  /** A part follows the request of the message that waits until then. Its own one ends. */
  follow(part: Part, until: number): void;
  /** The own request of a part that follows has ended. */
  freed(): void;
  ended(part: Part, verdict: Verdict): void;
  /** Place of a part of which nobody knew when the message was divided. */
  nextIndex(): number;
}

const FOLLOWS: LeaveDecision = { kind: "ends", verdict: localVerdict("CLOSING") };

/** The request of one part of a message. Where guards hold only some of its recipients back, it leaves without them. */
export class PartRequest extends MemoryRequest {
  /** Whether the encoded request has more recipients than it is to have. */
  #isStale = false;
  #waitsUntil: number | null = null;
  #follows = false;

  constructor(
    job: SendJob,
    part: Part,
    private readonly run: PartRun,
  ) {
    super(job, part);
  }

  override leaves(now: number): LeaveDecision | null {
    if (this.#waitsUntil !== null) {
      this.run.leaves(this.#waitsUntil);
      this.#waitsUntil = null;
    }
    return super.leaves(now);
  }

  protected departure(held: readonly BlockedRecipients[]): LeaveDecision | null {
    if (held.length > 0) {
      const own = this.#divide(held);
      if (own !== null) {
        return own.verdict === null ? this.#wait(own.until) : departureOf(own);
      }
    }
    return this.#isStale ? this.#change() : null;
  }

  /**
   * Splits recipients off.
   * @returns what becomes of the request itself, where none of its recipients is left
   */
  #divide(held: readonly BlockedRecipients[]): BlockedRecipients | null {
    const gone = new Set(held.flatMap(({ recipients }) => recipients));
    const leaving = this.part.recipients.filter((each) => !gone.has(each));
    const own =
      leaving.length > 0
        ? null
        : (held.find(({ verdict }) => verdict === null) ?? (held[0] as BlockedRecipients));
    const others = held.filter((each) => each !== own).map((each) => this.#late(each));
    const recipients = own?.recipients ?? leaving;
    if (recipients.length < this.part.recipients.length) {
      this.part = { ...this.part, recipients, divided: true };
      this.#isStale = true;
    }
    if (others.length > 0) {
      this.run.split(others);
    }
    return own;
  }

  #late({ recipients, verdict }: BlockedRecipients): Part {
    const { rules } = this.part;
    const index = this.run.nextIndex();
    const clientMessageId = verdict === null ? `${this.job.clientMessageId}-${index + 1}` : null;
    return { recipients, index, fault: verdict, invalid: false, rules, late: { clientMessageId } };
  }

  #wait(until: number): LeaveDecision {
    if (this.run.waits(until)) {
      this.#waitsUntil = until;
      return { kind: "waits", until };
    }
    this.#follows = true;
    this.run.follow(this.part, until);
    return FOLLOWS;
  }

  #change(): LeaveDecision {
    try {
      const request = this.job.access.queue.prepare(this.job.batch(this.part));
      this.#isStale = false;
      return { kind: "changes", request };
    } catch (error) {
      return { kind: "ends", verdict: this.job.faultOf(error) };
    }
  }

  protected ended(verdict: Verdict): void {
    if (this.#waitsUntil !== null) {
      this.run.leaves(this.#waitsUntil);
      this.#waitsUntil = null;
    }
    if (this.#follows) {
      this.run.freed();
    } else {
      this.run.ended(this.part, verdict);
    }
  }
}
