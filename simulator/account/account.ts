import { BoundedLog } from "../util/bounded-log";
import type { CallbackRule } from "../webhooks/webhook-settings";
import type { DeliveriesOptions } from "../webhooks/deliveries";
import { Callbacks } from "../messages/callbacks";
import type { CheckedRequest } from "../endpoints/check-request";
import type { Clock } from "../util/clock";
import { countSms, newTransferId } from "../faults/build-reply";
import type { ResponseContext } from "../faults/plan-response";
import { FaultPlan } from "../faults/fault-plan";
import type { FaultRule } from "../faults/fault-rule";
import { Inventory } from "../inventory/inventory";
import { type NewMedia, parseMedia } from "../inventory/media-store";
import type { Incoming } from "../messages/incoming";
import type { NewWebhook } from "../webhooks/new-webhook";
import type { ParsedMessage, RecordedRequest, SimulatedMessage } from "../messages/records";
import { suggestionsOf } from "../messages/suggestions";
import type { StatusRule } from "../messages/status-plan";
import type { SimulatedTemplate } from "../inventory/templates";
import { TokenStore } from "../sign-in/token-store";
import type { SimulatedDelivery, WebhookKind } from "../webhooks/webhook-records";

export interface AccountOptions extends Omit<DeliveriesOptions, "onDelivery"> {
  readonly queuedAbove: number;
  /** Seconds. */
  readonly tokenLifetime: number;
  readonly onDelivery: (delivery: SimulatedDelivery, account: Account) => void;
}

export type SimulatedAccount = Omit<Account, keyof ResponseContext | "faults" | "callbacks" | "record">;

export class Account implements ResponseContext {
  readonly faults = new FaultPlan();
  readonly inventory: Inventory;
  readonly callbacks: Callbacks;
  readonly tokens: TokenStore;
  readonly queuedAbove: number;
  readonly tokenLifetime: number;
  readonly #clock: Clock;
  readonly #requests: BoundedLog<RecordedRequest>;
  readonly #messages: BoundedLog<SimulatedMessage>;

  constructor(
    readonly url: string,
    options: AccountOptions,
  ) {
    this.#clock = options.clock;
    this.inventory = new Inventory(options.clock);
    this.queuedAbove = options.queuedAbove;
    this.tokenLifetime = options.tokenLifetime;
    this.tokens = new TokenStore(options.clock, options.tokenLifetime);
    this.#requests = new BoundedLog(options.logEntries);
    this.#messages = new BoundedLog(options.logEntries);
    const onDelivery = (delivery: SimulatedDelivery) => options.onDelivery(delivery, this);
    this.callbacks = new Callbacks({ ...options, onDelivery }, this.inventory, this.messages);
  }

  get requests() {
    return this.#requests.entries;
  }

  get messages() {
    return this.#messages.entries;
  }

  get requestCount(): number {
    return this.#requests.total;
  }

  get messageCount(): number {
    return this.#messages.total;
  }

  addFault(rule: FaultRule): string {
    return this.faults.add(rule);
  }

  clearFaults(): void {
    this.faults.clear();
  }

  get faultPlan() {
    return this.faults.list();
  }

  get applications() {
    return [...this.inventory.applications];
  }

  addApplication(applicationId: string): void {
    this.inventory.addApplication(applicationId);
  }

  get sessions() {
    return this.inventory.sessionWindow.list();
  }

  openSession(number: string): void {
    this.inventory.sessionWindow.open(number);
  }

  get templates() {
    return this.inventory.templates.list();
  }

  addTemplate(template: SimulatedTemplate): void {
    this.inventory.templates.add(template);
  }

  get media() {
    return this.inventory.media.list();
  }

  addMedia(media: NewMedia): string {
    return this.inventory.media.add(parseMedia(media));
  }

  get attachments() {
    return this.inventory.attachments.list();
  }

  get received() {
    return this.callbacks.received.entries;
  }

  get receivedCount(): number {
    return this.callbacks.received.total;
  }

  suggestions(transferId: string) {
    const message = this.messages.findLast((each) => each.transferId === transferId);
    return message ? suggestionsOf(message) : [];
  }

  /** Takes over the pending events of the same address and kind. */
  registerWebhook(webhook: NewWebhook) {
    return this.callbacks.deliveries.webhooks.register(webhook, "program");
  }

  get webhooks() {
    return this.callbacks.deliveries.webhooks.list();
  }

  allowCallbacks(rule: CallbackRule, headers: Readonly<Record<string, string>> = {}): void {
    this.callbacks.deliveries.callbackRule = rule;
    this.callbacks.deliveries.webhooks.callbackHeaders = headers;
  }

  get deliveries() {
    return this.callbacks.deliveries.entries;
  }

  get deliveryCount(): number {
    return this.callbacks.deliveries.total;
  }

  /** Events that are not yet acknowledged, given up or dropped, including those planned for accepted messages. */
  get pendingDeliveries(): number {
    return this.callbacks.pending;
  }

  planStatuses(rule: StatusRule): void {
    this.callbacks.plan.add(rule);
  }

  get statusPlan() {
    return this.callbacks.plan.list();
  }

  receive(incoming: Incoming): number[] {
    return this.callbacks.receive(incoming);
  }

  deliver(kind: WebhookKind, payload: unknown): number[] {
    return this.callbacks.receive({ event: "raw", kind, payload });
  }

  revokeTokens(): void {
    this.tokens.revokeAll();
  }

  /** Removes everything but webhooks of `registerWebhook`. */
  reset(): void {
    this.#requests.clear();
    this.#messages.clear();
    this.faults.clear();
    this.callbacks.reset();
    this.inventory.clear();
    this.tokens.revokeAll();
  }

  record(request: Omit<RecordedRequest, "id">): RecordedRequest {
    const entry = { ...request, id: this.#requests.total + 1 };
    this.#requests.add(entry);
    return entry;
  }

  takeFault = (operation: string, message: ParsedMessage | null) =>
    this.faults.take({ operation, recipients: message?.recipients ?? [], content: message?.content ?? null });

  accept = (
    operation: string,
    message: ParsedMessage,
    checked: CheckedRequest,
    statusCode: number,
  ): string => {
    const transferId = newTransferId();
    const accepted = {
      ...message,
      transferId,
      operation,
      fields: checked.fields,
      smsCount: countSms(message),
      at: this.#clock.now(),
      statusCode,
    };
    this.#messages.add(accepted);
    this.callbacks.events.start(accepted);
    return transferId;
  };
}
