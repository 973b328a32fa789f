import type { Part } from "./parts/message-parts";
import type { SendJob } from "./jobs/send-job";
import type { MessageEnd } from "./message-end";
import type { SendContext } from "./send-context";
import type { SendHandover } from "./send-handover";

/** Sends files, tests and messages without a valid recipient, which are not stored. */
export class DirectSender {
  constructor(
    private readonly context: SendContext,
    private readonly handover: Pick<SendHandover, "deliver">,
  ) {}

  /** @throws FieldError, SetupError if a field is wrong; nothing was sent then */
  async send(job: SendJob, parts: readonly Part[]): Promise<MessageEnd> {
    const requests = parts.map((part) => ({ part, send: this.#prepare(job, part) }));
    this.context.badge.beginParts(parts);
    let end: MessageEnd = null;
    for (const { part, send } of requests) {
      end = (await this.handover.deliver(job, part, await send())) ?? end;
    }
    return end;
  }

  /** @throws FieldError, SetupError */
  #prepare(job: SendJob, part: Part) {
    const { fault } = part;
    if (fault !== null) {
      return async () => fault;
    }
    const { queue } = job.access;
    const batch = job.batch(part, (done, total) => this.#showProgress(job, done, total));
    const request = queue.prepare(batch);
    return () => queue.send(request, batch.transfer);
  }

  #showProgress({ prepared }: SendJob, done: number, total: number | null): void {
    if (prepared !== null) {
      this.context.badge.progress(prepared.progress, done, total);
    }
  }
}
