import { after, type Clock } from "../util/clock";
import type { Deliveries, WebhookEvent } from "../webhooks/deliveries";
import { hasReports, statusPayload } from "./event-payloads";
import { type ScriptedReply, repliesOf } from "./scripted-recipients";
import { scriptedStatuses } from "./scripted-statuses";
import type { SimulatedMessage } from "./records";
import type { StatusPlan } from "./status-plan";

const DEFAULT_STATUSES: readonly string[] = ["delivered"];

export interface MessageEventsContext {
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly plan: StatusPlan;
  readonly reply: (recipient: string, reply: ScriptedReply) => void;
  readonly mostPending: number;
}

interface StatusSequence {
  readonly message: SimulatedMessage;
  readonly recipient: string;
  readonly statuses: readonly string[];
  readonly delayMs: number;
  readonly callback: string | null;
  readonly delivered: boolean;
}

export class MessageEvents {
  readonly #scheduled = new Set<() => void>();
  /** Incremented by each cancellation, so that running sequences stop. */
  #epoch = 0;

  constructor(private readonly context: MessageEventsContext) {}

  get scheduled(): number {
    return this.#scheduled.size;
  }

  start(message: SimulatedMessage): void {
    if (message.test) return;
    const planned = this.context.plan.take();
    // The answer to the send goes first.
    const immediate = setImmediate(() => {
      this.#scheduled.delete(cancel);
      this.#startSequences(message, planned);
    });
    const cancel = () => clearImmediate(immediate);
    this.#scheduled.add(cancel);
  }

  cancel(): void {
    for (const cancel of this.#scheduled) cancel();
    this.#scheduled.clear();
    this.#epoch += 1;
  }

  #startSequences(
    message: SimulatedMessage,
    planned: { statuses: readonly string[]; delayMs: number } | null,
  ): void {
    const { deliveries } = this.context;
    const sms = hasReports(message);
    const given = message.fields.notificationCallbackUrl;
    const callback = sms && typeof given === "string" && given !== "" ? given : null;
    const dropReason = deliveries.dropReason({ kind: "status", callback });
    const delivered = dropReason === null;
    let dropped = 0;
    let first: WebhookEvent | null = null;
    const by = sms ? "sms" : message.channel === "rcs" ? "rcs" : "whatsapp";
    for (const recipient of message.recipients) {
      const statuses = planned?.statuses ?? scriptedStatuses(recipient, by) ?? DEFAULT_STATUSES;
      const sequence = { message, recipient, statuses, delayMs: planned?.delayMs ?? 0, callback, delivered };
      if (!delivered) {
        dropped += statuses.length;
        if (statuses[0] !== undefined) first ??= this.#event(sequence, statuses[0]);
      }
      const replies = repliesOf(recipient, message);
      if (delivered || replies.length > 0) void this.#run(sequence, replies);
    }
    if (dropReason !== null && first !== null) deliveries.drop(first, dropReason, dropped);
  }

  /** Each status waits until all webhooks were tried with the previous one, which keeps the order on a good connection. */
  async #run(sequence: StatusSequence, replies: readonly ScriptedReply[]): Promise<void> {
    const { deliveries, reply } = this.context;
    const { statuses, delayMs, delivered, recipient } = sequence;
    const epoch = this.#epoch;
    for (const status of statuses) {
      if (delayMs > 0) await this.#pause(delayMs);
      if (delivered)
        await new Promise<void>((tried) => deliveries.send(this.#event(sequence, status), tried));
      if (this.#epoch !== epoch) return;
    }
    for (const each of replies) reply(recipient, each);
  }

  #event({ message, recipient, callback }: StatusSequence, status: string): WebhookEvent {
    const at = this.context.clock.now();
    const payload = statusPayload({ message, recipient, status, at });
    return { kind: "status", event: hasReports(message) ? "report" : "status", payload, callback };
  }

  /** Waits; returns at once if too many events wait already. */
  #pause(milliseconds: number): Promise<void> {
    if (this.#scheduled.size >= this.context.mostPending) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = after(this.context.clock, milliseconds, () => {
        this.#scheduled.delete(stop);
        resolve();
      });
      this.#scheduled.add(stop);
    });
  }
}
