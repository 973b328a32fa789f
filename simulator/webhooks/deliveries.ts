import { BoundedLog, type LogLimits } from "../util/bounded-log";
import type { ByteAllowance } from "../util/byte-allowance";
import type { ByteBudget } from "../util/byte-budget";
import type { CallbackRule } from "./callback-rule";
import type { Clock } from "../util/clock";
import { maskUrl } from "../util/mask-url";
import {
  type Changeable,
  type DropReason,
  type EventKind,
  type SimulatedDelivery,
  sizeOfDelivery,
  type WebhookKind,
} from "./webhook-records";
import type { WebhookSettings } from "./webhook-settings";
import { type Webhook, Webhooks } from "./webhooks";

/** Approximate bytes that an event under way takes besides its body. */
const EVENT = 500;

/** Something that happened, for everybody who wants to know. */
export interface WebhookEvent {
  readonly kind: WebhookKind;
  readonly event: EventKind;
  readonly payload: unknown;
  /** The only address that hears of it; without it all webhooks of the kind do. */
  readonly callback?: string | null;
}

export interface DeliveriesOptions {
  readonly clock: Clock;
  readonly log: LogLimits;
  readonly settings: WebhookSettings;
  /** To begin with. */
  readonly callbackRule: CallbackRule;
  /** Shared with all other records. */
  readonly budget: ByteBudget;
  /** Shared with all other events that are under way. */
  readonly allowance: ByteAllowance;
  /** Told each time a try has ended, and of what is dropped. */
  readonly onDelivery: (delivery: SimulatedDelivery) => void;
}

/** Brings the events of one account to its webhooks, and keeps a log of that. */
export class Deliveries {
  readonly webhooks: Webhooks;
  /** Which addresses of single sends are called, besides those of registered webhooks. */
  callbackRule: CallbackRule;
  readonly #options: DeliveriesOptions;
  readonly #log: BoundedLog<Changeable<SimulatedDelivery>>;
  /** The latest record of what was too much, as long as nothing else was logged. */
  #overflow: Changeable<SimulatedDelivery> | null = null;
  /** Of the allowance: what is under way in this account. */
  #held = 0;
  /** Grows each time all that was under way is forgotten. */
  #epoch = 0;
  #closed = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.callbackRule = options.callbackRule;
    this.webhooks = new Webhooks(options.settings, options.clock);
    this.#log = new BoundedLog(options.log, sizeOfDelivery, options.budget);
  }

  get entries(): readonly SimulatedDelivery[] {
    return this.#log.entries;
  }

  get total(): number {
    return this.#log.total;
  }

  /** Deliveries that are not over. */
  get pending(): number {
    return this.webhooks.pending;
  }

  /** Why an event for this address, or for all webhooks of the kind, reaches nobody; null when it does. */
  obstacle({ kind, callback }: Pick<WebhookEvent, "kind" | "callback">): DropReason | null {
    if (typeof callback !== "string") {
      return this.webhooks.of(kind).length === 0 ? "nobody-registered" : null;
    }
    const called = this.webhooks.isRegistered(kind, callback) || this.callbackRule(new URL(callback));
    return called ? null : "callback-not-allowed";
  }

  /**
   * Starts on its way what happened, to each webhook that is to hear of it.
   * @param tried called once, when each of them was tried for the first time; at once when there is none
   * @returns ids of the deliveries, one for each webhook; none after `close`
   */
  send(what: WebhookEvent, tried: () => void = () => {}): number[] {
    if (this.#closed) return [];
    const obstacle = this.obstacle(what);
    if (obstacle !== null) {
      const id = this.drop(what, obstacle, 1);
      tried();
      return [id];
    }
    const webhooks = this.webhooks.of(what.kind, what.callback);
    const body = Buffer.from(JSON.stringify(what.payload));
    let untried = webhooks.length;
    const oneTried = () => {
      untried -= 1;
      if (untried === 0) tried();
    };
    return webhooks.map((webhook) => this.#sendTo(webhook, what, body, oneTried));
  }

  /** Logs events that reach nobody; `what` is the first of them. */
  drop(what: WebhookEvent, dropped: DropReason, events: number): number {
    const webhook = typeof what.callback === "string" ? maskUrl(what.callback) : null;
    const record = this.#record(what, webhook, { state: "dropped", dropped, events });
    this.#options.onDelivery(record);
    return record.id;
  }

  /** Forgets the log and all that is under way. */
  clear(): void {
    this.#stop();
    this.#log.clear();
    this.#overflow = null;
  }

  /** As `clear`; webhooks that came by a control go as well. */
  reset(): void {
    this.webhooks.reset();
    this.clear();
  }

  /** Ends all that is under way; nothing is sent any more. */
  close(): void {
    this.#closed = true;
    this.#stop();
  }

  #stop(): void {
    this.webhooks.stop();
    this.#options.allowance.release(this.#held);
    this.#held = 0;
    this.#epoch += 1;
  }

  #sendTo(webhook: Webhook, what: WebhookEvent, body: Buffer, tried: () => void): number {
    const { allowance, settings } = this.#options;
    const weight = EVENT + body.length;
    if (this.pending >= settings.mostPending || !allowance.take(weight)) {
      tried();
      return this.#dropOverflow(webhook, what);
    }
    this.#held += weight;
    const epoch = this.#epoch;
    const record = this.#record(what, webhook.shownUrl, {});
    let waiting = true;
    const changed = () => {
      if (waiting) tried();
      waiting = false;
      if (record.state !== "waiting" && this.#epoch === epoch) {
        allowance.release(weight);
        this.#held -= weight;
      }
      this.webhooks.tidy(webhook);
      this.#options.onDelivery(record);
    };
    webhook.target.add({ record, body, firstTry: null, changed });
    return record.id;
  }

  /** A million events too many are one line of the log, and not a million. */
  #dropOverflow(webhook: Webhook, what: WebhookEvent): number {
    if (this.#overflow) {
      this.#overflow.events += 1;
      return this.#overflow.id;
    }
    const record = this.#record(what, webhook.shownUrl, { state: "dropped", dropped: "too-many-pending" });
    this.#overflow = record;
    this.#options.onDelivery(record);
    return record.id;
  }

  #record(
    { kind, event, payload }: WebhookEvent,
    webhook: string | null,
    outcome: Partial<SimulatedDelivery>,
  ): Changeable<SimulatedDelivery> {
    const { transferId, clientMessageId } = Object(payload);
    const record: Changeable<SimulatedDelivery> = {
      id: this.#log.total + 1,
      at: this.#options.clock.now(),
      webhook,
      kind,
      event,
      payload,
      transferId: typeof transferId === "string" ? transferId : null,
      clientMessageId: typeof clientMessageId === "string" ? clientMessageId : null,
      state: "waiting",
      dropped: null,
      events: 1,
      tries: 0,
      attempts: [],
      nextTry: null,
      ...outcome,
    };
    this.#log.add(record);
    this.#overflow = null;
    return record;
  }
}
