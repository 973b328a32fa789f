import type { MessageEnd } from "../message-end";
import type { CancelRequest } from "../read-cancel";
import type { SendContext } from "../send-context";
import type { SendJob } from "../jobs/send-job";
import type { Part } from "./message-parts";
import { PartsRun, type PartsWork } from "./parts-run";

/** Sends the parts of messages: one request for each. */
export class PartsSender {
  readonly #runs = new Set<PartsRun>();
  readonly #work: PartsWork;

  constructor(
    private readonly context: SendContext,
    succession: Pick<PartsWork, "deliver">,
  ) {
    this.#work = {
      deliver: (job, part, verdict) => succession.deliver(job, part, verdict),
      onBytes: ({ prepared }, done, total) => {
        if (prepared !== null) {
          context.badge.progress(prepared.progress, done, total);
        }
      },
    };
  }

  /**
   * Starts the parts in order. At most as many requests run at the same time as the account has connections.
   * @returns how the message ends
   * @throws FieldError where the first part shows that a field is wrong; nothing was sent then
   */
  async send(job: SendJob, parts: readonly Part[]): Promise<MessageEnd> {
    const run = new PartsRun(job, parts, this.#work);
    if (parts[0]?.fault === null) {
      run.submitFirst();
    }
    this.context.badge.beginParts(parts);
    const people = parts.reduce((sum, { recipients }) => sum + recipients.length, 0);
    const progress = parts.length === 1 ? null : this.context.progress(people);
    this.#runs.add(run);
    try {
      return await run.run(progress);
    } finally {
      this.#runs.delete(run);
      progress?.end();
    }
  }

  /** Ends parts that are meant and have not been submitted. @returns how many */
  cancel(request: CancelRequest): number {
    return [...this.#runs].reduce((sum, run) => sum + run.cancel(request), 0);
  }
}
