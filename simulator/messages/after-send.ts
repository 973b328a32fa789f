import { after, type Clock } from "../util/clock";
import type { Deliveries, WebhookEvent } from "../webhooks/deliveries";
import { hasReports, statusPayload } from "./event-payloads";
import { type Answer, answersOf } from "./scripted-recipients";
import { magicStatuses } from "./magic-statuses";
import type { SimulatedMessage } from "./records";
import type { StatusPlan } from "./status-plan";

const USUAL: readonly string[] = ["delivered"];

export interface AfterSendContext {
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly plan: StatusPlan;
  /** Lets somebody say something. */
  readonly answer: (recipient: string, answer: Answer) => void;
  /** Events that may wait at the same time. */
  readonly mostPending: number;
}

/** What one recipient will tell, one after the other. */
interface Script {
  readonly message: SimulatedMessage;
  readonly recipient: string;
  readonly statuses: readonly string[];
  readonly delayMs: number;
  readonly callback: string | null;
  /** False: nobody wants to hear of statuses. */
  readonly heard: boolean;
}

/** Tells what becomes of messages that were taken: their statuses, then the answers of those who answer. */
export class AfterSend {
  readonly #context: AfterSendContext;
  /** Cancel what is going to happen. */
  readonly #waiting = new Set<() => void>();
  /** Grows with each cancellation, so that a script from before knows that it is over. */
  #epoch = 0;

  constructor(context: AfterSendContext) {
    this.#context = context;
  }

  /** Events that are planned and not on their way yet. */
  get scheduled(): number {
    return this.#waiting.size;
  }

  /** To be called once for each message that was taken. */
  start(message: SimulatedMessage): void {
    if (message.test) return;
    const planned = this.#context.plan.take();
    // First comes the answer to the send.
    const immediate = setImmediate(() => {
      this.#waiting.delete(cancel);
      this.#tell(message, planned);
    });
    const cancel = () => clearImmediate(immediate);
    this.#waiting.add(cancel);
  }

  /** Nothing that was planned so far will happen. */
  cancel(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
    this.#epoch += 1;
  }

  #tell(message: SimulatedMessage, planned: { statuses: readonly string[]; delayMs: number } | null): void {
    const { deliveries } = this.#context;
    const sms = hasReports(message);
    const given = message.fields.notificationCallbackUrl;
    const callback = sms && typeof given === "string" && given !== "" ? given : null;
    const obstacle = deliveries.obstacle({ kind: "status", callback });
    const heard = obstacle === null;
    let unheard = 0;
    let first: WebhookEvent | null = null;
    for (const recipient of message.recipients) {
      const statuses = planned?.statuses ?? magicStatuses(recipient, sms ? "sms" : "messenger") ?? USUAL;
      const script = { message, recipient, statuses, delayMs: planned?.delayMs ?? 0, callback, heard };
      if (!heard) {
        unheard += statuses.length;
        if (statuses[0] !== undefined) first ??= this.#event(script, statuses[0]);
      }
      const answers = answersOf(recipient, message);
      if (heard || answers.length > 0) void this.#run(script, answers);
    }
    if (obstacle !== null && first !== null) deliveries.drop(first, obstacle, unheard);
  }

  /** Each step waits until the one before was tried by everybody, so that on a good line the order is kept. */
  async #run(script: Script, answers: readonly Answer[]): Promise<void> {
    const { deliveries, answer } = this.#context;
    const { statuses, delayMs, heard, recipient } = script;
    const epoch = this.#epoch;
    for (const status of statuses) {
      if (delayMs > 0) await this.#pause(delayMs);
      if (heard) await new Promise<void>((tried) => deliveries.send(this.#event(script, status), tried));
      if (this.#epoch !== epoch) return;
    }
    for (const each of answers) answer(recipient, each);
  }

  #event({ message, recipient, callback }: Script, status: string): WebhookEvent {
    const at = this.#context.clock.now();
    const payload = statusPayload({ message, recipient, status, at });
    return { kind: "status", event: hasReports(message) ? "report" : "status", payload, callback };
  }

  /** Not when too much is waiting already. */
  #pause(milliseconds: number): Promise<void> {
    if (this.#waiting.size >= this.#context.mostPending) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = after(this.#context.clock, milliseconds, () => {
        this.#waiting.delete(stop);
        resolve();
      });
      this.#waiting.add(stop);
    });
  }
}
