import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import type { SendProgress } from "../activity/activity-log";
import type { NodeActivity } from "../activity/node-activity";
import type { MessageEnd } from "./message-end";
import type { Part } from "./message-parts";
import type { SendJob } from "./send-job";
import type { StatusBadge } from "./status-badge";

/** Emits the result of a part. */
export type DeliverPart = (job: SendJob, part: Part, verdict: Verdict) => MessageEnd | Promise<MessageEnd>;

/** Sends the parts of a message: one request for each. */
export class PartsSender {
  /** @param simulated whether the account's service is the built-in simulator */
  constructor(
    private readonly badge: StatusBadge,
    private readonly activity: NodeActivity,
    private readonly simulated: boolean,
    private readonly deliver: DeliverPart,
  ) {}

  /**
   * Starts the parts in order. At most as many requests run at the same time as the account has connections.
   * @returns how the message ends
   * @throws FieldError where the first part shows that a field is wrong; nothing was sent then
   */
  async send(job: SendJob, parts: readonly Part[]): Promise<MessageEnd> {
    const first = parts[0]?.fault === null ? this.#submitOrThrow(job, parts[0]) : null;
    this.badge.begin(parts.length);
    if (parts.length === 1) {
      const [part] = parts as [Part];
      return this.deliver(job, part, part.fault ?? (await (first ?? this.#submit(job, part))));
    }
    const progress = this.#progress(parts);
    let next = 0;
    let end: MessageEnd = null;
    const worker = async (): Promise<void> => {
      for (let part = parts[next++]; part !== undefined; part = parts[next++]) {
        const verdictOfFirst = part.index === 0 ? first : null;
        const verdict = part.fault ?? (await (verdictOfFirst ?? this.#submit(job, part)));
        progress.step(part.recipients.length);
        end = (await this.deliver(job, part, verdict)) ?? end;
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(job.access.concurrency, parts.length) }, worker));
    } finally {
      progress.end();
    }
    return end;
  }

  /** Shows the progress of several requests in the sidebar. */
  #progress(parts: readonly Part[]): SendProgress {
    const total = parts.reduce((sum, { recipients }) => sum + recipients.length, 0);
    return this.activity.begin(total, this.simulated);
  }

  /** @throws FieldError, SetupError before anything is sent */
  #submitOrThrow(job: SendJob, part: Part): Promise<Verdict> {
    const { prepared } = job;
    const batch = job.batch(part, (done, total) => {
      if (prepared !== null) {
        this.badge.progress(prepared.progress, done, total);
      }
    });
    return job.access.queue.submit(batch);
  }

  async #submit(job: SendJob, part: Part): Promise<Verdict> {
    try {
      return await this.#submitOrThrow(job, part);
    } catch (error) {
      // Earlier parts of the message were sent, so only this part is rejected.
      return localVerdict("FIELD_INVALID", (error as Error).message);
    }
  }
}
