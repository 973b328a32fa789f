import { LOCAL_FAULTS } from "../../gateway/contract/local-outcomes";
import type { LeaveDecision, Waiter } from "../../gateway/queue/dispatcher";
import type { BlockedRecipients } from "../../gateway/queue/blocked-recipients";
import type { Verdict } from "../../gateway/codec/verdict";
import type { MessageChannel } from "../../shared/message-channel";
import { operationChannel } from "../channels/operation-channel";
import { RequestCheck } from "../guards/memory-check";
import type { Done } from "./message-end";
import type { Part } from "./parts/message-parts";
import type { CancelRequest } from "./read-cancel";
import type { SendJob } from "./jobs/send-job";

/** Whether a message cancels a part: by the client message id of the part or of its message, or by its once key. */
export const isMeant = (job: SendJob, part: Part, { keys }: CancelRequest): boolean =>
  keys === null ||
  keys.some((key) => key === job.clientMessageId || key === job.idOf(part) || key === part.rules.once?.key);

/** A request in the queue of an account that keeps messages in memory. */
export abstract class MemoryRequest implements Waiter {
  /** Null as long as there was nothing to check. */
  #check: RequestCheck | null = null;

  constructor(
    protected readonly job: SendJob,
    protected part: Part,
  ) {}

  isMeant(request: CancelRequest): boolean {
    return isMeant(this.job, this.part, request);
  }

  leaves(now: number): LeaveDecision | null {
    const { memory } = this.job.access;
    const { rules, recipients } = this.part;
    const id = this.job.idOf(this.part);
    memory.guards.departures.note(id);
    memory.guards.channels.note(this.#channel, id);
    if (this.#check === null) {
      if (memory.isIdle(rules) || recipients.length === 0) {
        return null;
      }
      this.#check = new RequestCheck(memory, rules);
    }
    const held = this.#check.hold(recipients, now);
    return this.departure(held);
  }

  onVerdict(verdict: Verdict): void {
    this.job.access.memory.guards.channels.note(this.#channel, verdict.transferId);
    this.#check?.end(verdict, Date.now());
    if (verdict.fault !== null && LOCAL_FAULTS[verdict.fault].held) {
      this.part = { ...this.part, fault: verdict };
    }
    this.ended(verdict);
  }

  get #channel(): MessageChannel | null {
    return operationChannel(this.job.operation);
  }

  /** @param held the parts of its recipients that do not leave */
  protected abstract departure(held: readonly BlockedRecipients[]): LeaveDecision | null;

  /** Must not throw. */
  protected abstract ended(verdict: Verdict): void;
}

/** What becomes of a request whose recipients are all held back for one reason. */
export const departureOf = ({ verdict, until }: BlockedRecipients): LeaveDecision =>
  verdict === null ? { kind: "waits", until } : { kind: "ends", verdict };

/** Waits for the verdict on a message of one recipient. A class, since closures for each message cost more. */
export class SingleRequest extends MemoryRequest {
  constructor(
    private readonly settle: (job: SendJob, part: Part, verdict: Verdict, done: Done) => void,
    job: SendJob,
    part: Part,
    private readonly done: Done,
  ) {
    super(job, part);
  }

  protected departure([held]: readonly BlockedRecipients[]): LeaveDecision | null {
    return held === undefined ? null : departureOf(held);
  }

  protected ended(verdict: Verdict): void {
    this.settle(this.job, this.part, verdict, this.done);
  }
}
