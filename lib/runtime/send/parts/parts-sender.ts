import type { SendProgress } from "../../activity/activity-log";
import type { NodeActivity } from "../../activity/node-activity";
import type { MessageEnd } from "../message-end";
import type { Part } from "./message-parts";
import { type DeliverPart, PartsRun, type RunNode } from "./parts-run";
import type { CancelRequest } from "../read-cancel";
import type { SendJob } from "../jobs/send-job";
import { peopleOf, type StatusBadge } from "../status-badge";

/** Sends the parts of messages: one request for each. */
export class PartsSender {
  readonly #runs = new Set<PartsRun>();
  readonly #node: RunNode;

  /** @param simulated whether the account's service is the built-in simulator */
  constructor(
    private readonly badge: StatusBadge,
    private readonly activity: NodeActivity,
    private readonly simulated: boolean,
    deliver: DeliverPart,
  ) {
    this.#node = {
      deliver,
      onBytes: ({ prepared }, done, total) => {
        if (prepared !== null) {
          badge.progress(prepared.progress, done, total);
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
    const run = new PartsRun(job, parts, this.#node);
    if (parts[0]?.fault === null) {
      run.submitFirst();
    }
    this.badge.begin(parts.reduce((sum, part) => sum + peopleOf(part), 0));
    const progress = parts.length === 1 ? null : this.#progress(parts);
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

  /** Shows the progress of several requests in the sidebar. */
  #progress(parts: readonly Part[]): SendProgress {
    const total = parts.reduce((sum, { recipients }) => sum + recipients.length, 0);
    return this.activity.begin(total, this.simulated);
  }
}
