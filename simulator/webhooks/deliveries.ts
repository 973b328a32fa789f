import { BoundedLog } from "../util/bounded-log";
import type { Clock } from "../util/clock";
import { maskUrl } from "../util/mask-url";
import type { Changeable, DropReason, EventKind, SimulatedDelivery, WebhookKind } from "./webhook-records";
import type { CallbackRule, WebhookSettings } from "./webhook-settings";
import { type Webhook, Webhooks } from "./webhooks";

export interface WebhookEvent {
  readonly kind: WebhookKind;
  readonly event: EventKind;
  readonly payload: unknown;
  /** The only address that gets it. Default: all webhooks of the kind. */
  readonly callback?: string | null;
}

export interface DeliveriesOptions {
  readonly clock: Clock;
  readonly logEntries: number;
  readonly settings: WebhookSettings;
  readonly callbackRule: CallbackRule;
  readonly onDelivery: (delivery: SimulatedDelivery) => void;
}

export class Deliveries {
  readonly webhooks: Webhooks;
  callbackRule: CallbackRule;
  readonly #log: BoundedLog<Changeable<SimulatedDelivery>>;
  #overflow: Changeable<SimulatedDelivery> | null = null;
  #closed = false;

  constructor(private readonly options: DeliveriesOptions) {
    this.callbackRule = options.callbackRule;
    this.webhooks = new Webhooks(options.settings, options.clock);
    this.#log = new BoundedLog(options.logEntries);
  }

  get entries(): readonly SimulatedDelivery[] {
    return this.#log.entries;
  }

  get total(): number {
    return this.#log.total;
  }

  get pending(): number {
    return this.webhooks.pending;
  }

  dropReason({ kind, callback }: Pick<WebhookEvent, "kind" | "callback">): DropReason | null {
    if (typeof callback !== "string") {
      return this.webhooks.of(kind).length === 0 ? "nobody-registered" : null;
    }
    const called = this.webhooks.isRegistered(kind, callback) || this.callbackRule(new URL(callback));
    return called ? null : "callback-not-allowed";
  }

  /** @param tried called once after the first attempt at each webhook; at once if there is none */
  send(event: WebhookEvent, tried: () => void = () => {}): number[] {
    if (this.#closed) return [];
    const reason = this.dropReason(event);
    if (reason !== null) {
      const id = this.drop(event, reason, 1);
      tried();
      return [id];
    }
    const webhooks = this.webhooks.of(event.kind, event.callback);
    const body = Buffer.from(JSON.stringify(event.payload));
    let untried = webhooks.length;
    const oneTried = () => {
      untried -= 1;
      if (untried === 0) tried();
    };
    return webhooks.map((webhook) => this.#sendTo(webhook, event, body, oneTried));
  }

  drop(event: WebhookEvent, dropped: DropReason, events: number): number {
    const webhook = typeof event.callback === "string" ? maskUrl(event.callback) : null;
    const record = this.#record(event, webhook, { state: "dropped", dropped, events });
    this.options.onDelivery(record);
    return record.id;
  }

  clear(): void {
    this.webhooks.stop();
    this.#log.clear();
    this.#overflow = null;
  }

  reset(): void {
    this.webhooks.reset();
    this.clear();
  }

  close(): void {
    this.#closed = true;
    this.webhooks.stop();
  }

  #sendTo(webhook: Webhook, event: WebhookEvent, body: Buffer, tried: () => void): number {
    if (this.pending >= this.options.settings.mostPending) {
      tried();
      return this.#dropOverflow(webhook, event);
    }
    const record = this.#record(event, webhook.shownUrl, {});
    let waiting = true;
    const changed = () => {
      if (waiting) tried();
      waiting = false;
      this.webhooks.tidy(webhook);
      this.options.onDelivery(record);
    };
    webhook.target.add({ record, body, firstTry: null, changed });
    return record.id;
  }

  #dropOverflow(webhook: Webhook, event: WebhookEvent): number {
    if (this.#overflow) {
      this.#overflow.events += 1;
      return this.#overflow.id;
    }
    const record = this.#record(event, webhook.shownUrl, { state: "dropped", dropped: "too-many-pending" });
    this.#overflow = record;
    this.options.onDelivery(record);
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
      at: this.options.clock.now(),
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
