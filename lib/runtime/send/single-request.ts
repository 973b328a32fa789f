import type { Departure } from "../../gateway/queue/dispatcher";
import type { HeldPart } from "../../gateway/queue/held-part";
import type { Verdict } from "../../gateway/codec/verdict";
import { departureOf, MemoryRequest } from "./memory-request";
import type { Done } from "./message-end";
import type { Part } from "./parts/message-parts";
import type { SendJob } from "./jobs/send-job";

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

  protected departure([held]: readonly HeldPart[]): Departure | null {
    return held === undefined ? null : departureOf(held);
  }

  protected ended(verdict: Verdict): void {
    this.settle(this.job, this.part, verdict, this.done);
  }
}
