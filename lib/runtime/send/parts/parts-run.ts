import { localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import type { SendProgress } from "../../activity/activity-log";
import { isMeant } from "../memory-request";
import type { MessageEnd } from "../message-end";
import type { Part } from "./message-parts";
import { PartRequest, type PartRun } from "./part-request";
import type { CancelRequest } from "../read-cancel";
import type { SendJob } from "../jobs/send-job";

/** What a node does for the parts of its messages. */
export interface PartsWork {
  /** Emits the result of a part. */
  deliver(job: SendJob, part: Part, verdict: Verdict): MessageEnd | Promise<MessageEnd>;
  /** Shows the bytes of a file that were transferred. */
  readonly onBytes: (job: SendJob, done: number, total: number | null) => void;
}

/**
 * The parts of one message on their way: as many at a time as the account has connections. Of parts that wait until the same moment one
 * waits in the queue; the others follow it, so a list takes few places there, however long it is.
 */
export class PartsRun implements PartRun {
  #todo: Part[] = [];
  #next = 0;
  /** By the moment until which they wait, in epoch ms. */
  readonly #followers = new Map<number, Part[]>();
  #underWay = 0;
  #open = 0;
  #indexes: number;
  #end: MessageEnd = null;
  #isFilling = false;
  #progress: SendProgress | null = null;
  readonly #ended: Promise<MessageEnd>;
  #resolve = (_end: MessageEnd): void => {};
  #reject = (_error: unknown): void => {};

  constructor(
    private readonly job: SendJob,
    parts: readonly Part[],
    private readonly work: PartsWork,
  ) {
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#indexes = parts.length;
    this.#add(parts);
  }

  /**
   * Submits the first part, which must be a request.
   * @throws FieldError, SetupError where a field is wrong: nothing is sent
   */
  submitFirst(): void {
    // It may find within the call that it has to wait.
    this.#next = 1;
    this.#underWay = 1;
    this.#submit(this.#todo[0] as Part);
  }

  /**
   * Sends all parts.
   * @param progress null for a message of one part
   * @returns how the message ends; rejects where a result cannot be delivered
   */
  run(progress: SendProgress | null): Promise<MessageEnd> {
    this.#progress = progress;
    this.#fill();
    return this.#ended;
  }

  /** Ends the parts that are meant and not in the queue. @returns how many */
  cancel(request: CancelRequest): number {
    const cancelled: Part[] = [];
    const isKept = (part: Part): boolean => {
      const isOut = part.fault === null && isMeant(this.job, part, request);
      if (isOut) {
        cancelled.push(part);
      }
      return !isOut;
    };
    this.#todo = this.#todo.slice(this.#next).filter(isKept);
    this.#next = 0;
    for (const [until, parts] of this.#followers) {
      this.#followers.set(until, parts.filter(isKept));
    }
    for (const part of cancelled) {
      this.#underWay++;
      this.ended(part, localVerdict("CANCELLED"));
    }
    return cancelled.length;
  }

  nextIndex(): number {
    return this.#indexes++;
  }

  waits(until: number): boolean {
    if (this.#followers.has(until)) {
      return false;
    }
    this.#followers.set(until, []);
    // What waits takes the place of no other one.
    this.#underWay--;
    this.#fillLater();
    return true;
  }

  leaves(until: number): void {
    const parts = this.#followers.get(until) ?? [];
    this.#followers.delete(until);
    this.#underWay++;
    for (const part of parts) {
      this.#todo.push(part);
    }
    this.#fillLater();
  }

  split(parts: readonly Part[]): void {
    this.#add(parts);
    this.#fillLater();
  }

  follow(part: Part, until: number): void {
    this.#followers.get(until)?.push(part);
  }

  freed(): void {
    this.#underWay--;
    this.#fill();
  }

  ended(part: Part, verdict: Verdict): void {
    this.#progress?.step(part.recipients.length);
    try {
      const end = this.work.deliver(this.job, part, verdict);
      if (end instanceof Promise) {
        end.then(
          (found) => this.#close(found),
          (error: unknown) => this.#fail(error),
        );
      } else {
        this.#close(end);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #add(parts: readonly Part[]): void {
    this.#open += parts.length;
    for (const part of parts) {
      this.#todo.push(part);
    }
  }

  #fail(error: unknown): void {
    this.#reject(error);
    this.#close(null);
  }

  #close(end: MessageEnd): void {
    this.#end = end ?? this.#end;
    this.#underWay--;
    if (--this.#open === 0) {
      this.#resolve(this.#end);
    } else {
      this.#fill();
    }
  }

  /** Not in the turn in which a request leaves: results run code of the flow. */
  #fillLater(): void {
    setImmediate(() => this.#fill());
  }

  #fill(): void {
    if (this.#isFilling) {
      return;
    }
    this.#isFilling = true;
    while (this.#underWay < this.job.access.concurrency && this.#next < this.#todo.length) {
      const part = this.#todo[this.#next++] as Part;
      if (this.#next === this.#todo.length) {
        this.#todo.length = 0;
        this.#next = 0;
      }
      this.#underWay++;
      this.#start(part);
    }
    this.#isFilling = false;
  }

  #start(part: Part): void {
    if (part.fault !== null) {
      this.ended(part, part.fault);
      return;
    }
    try {
      this.#submit(part);
    } catch (error) {
      // Earlier parts of the message were sent, so only this part is rejected.
      this.ended(part, this.job.faultOf(error));
    }
  }

  /** @throws FieldError, SetupError before anything is sent */
  #submit(part: Part): void {
    const { job } = this;
    const batch = job.batch(part, (done, total) => this.work.onBytes(job, done, total));
    job.access.queue.submitWithCallback(batch, new PartRequest(job, part, this));
  }
}
