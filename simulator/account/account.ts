import { BoundedLog, type LogLimits } from "../util/bounded-log";
import type { ByteAllowance } from "../util/byte-allowance";
import type { ByteBudget } from "../util/byte-budget";
import type { CallbackRule } from "../webhooks/callback-rule";
import { Callbacks } from "../messages/callbacks";
import type { CheckedRequest } from "../endpoints/check-request";
import type { Clock } from "../util/clock";
import { countSms, newTransferId } from "../faults/build-reply";
import type { ResponseContext } from "../faults/plan-response";
import type { ParsedMessage } from "../endpoints/endpoint";
import type { SimulatedAttachment } from "../inventory/attachments";
import type { WindowSession } from "../inventory/session-window";
import { FaultPlan, type PlannedFault } from "../faults/fault-plan";
import type { FaultRule } from "../faults/fault-rule";
import { Inventory } from "../inventory/inventory";
import { type NewMedia, parseMedia, type SimulatedMedia } from "../inventory/media-store";
import type { Incoming } from "../webhooks/parse-incoming";
import type { NewWebhook } from "../webhooks/parse-webhook";
import {
  type ReceivedMessage,
  type RecordedRequest,
  type SimulatedMessage,
  sizeOfMessage,
  sizeOfRequest,
} from "../messages/records";
import type { SimulatedAccount } from "./simulated-account";
import { suggestionsOf, type TappableSuggestion } from "../messages/suggestions";
import type { PlannedStatuses, StatusRule } from "../messages/status-plan";
import type { SimulatedTemplate } from "../inventory/templates";
import { TokenStore } from "../sign-in/token-store";
import type { RegisteredWebhook, SimulatedDelivery, WebhookKind } from "../webhooks/webhook-records";
import type { WebhookSettings } from "../webhooks/webhook-settings";
import type { WebhookHandle } from "../webhooks/webhooks";

export interface AccountOptions {
  readonly clock: Clock;
  readonly log: LogLimits;
  readonly queuedAbove: number;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** Maximum bytes of uploaded media that the account keeps. */
  readonly mediaBytes: number;
  readonly webhooks: WebhookSettings;
  readonly callbackRule: CallbackRule;
  /** Shared by the records of all accounts. */
  readonly budget: ByteBudget;
  /** Shared by the pending events of all accounts. */
  readonly allowance: ByteAllowance;
  /** Called after each delivery attempt and for dropped events. */
  readonly onDelivery: (delivery: SimulatedDelivery, account: SimulatedAccount) => void;
}

/** One account: its logs, faults, tokens, inventory and callbacks. */
export class Account implements SimulatedAccount, ResponseContext {
  readonly url: string;
  readonly faults = new FaultPlan();
  readonly inventory: Inventory;
  readonly callbacks: Callbacks;
  readonly tokens: TokenStore;
  readonly queuedAbove: number;
  readonly tokenLifetime: number;
  readonly #clock: Clock;
  readonly #requests: BoundedLog<RecordedRequest>;
  readonly #messages: BoundedLog<SimulatedMessage>;

  constructor(url: string, options: AccountOptions) {
    this.url = url;
    this.#clock = options.clock;
    this.inventory = new Inventory(options.clock, options.mediaBytes, options.budget);
    this.queuedAbove = options.queuedAbove;
    this.tokenLifetime = options.tokenLifetime;
    this.tokens = new TokenStore(options.clock, options.tokenLifetime);
    this.#requests = new BoundedLog(options.log, sizeOfRequest, options.budget);
    this.#messages = new BoundedLog(options.log, sizeOfMessage, options.budget);
    this.callbacks = new Callbacks(
      {
        clock: options.clock,
        log: options.log,
        settings: options.webhooks,
        callbackRule: options.callbackRule,
        budget: options.budget,
        allowance: options.allowance,
        onDelivery: (delivery) => options.onDelivery(delivery, this),
      },
      this.inventory,
      this.messages,
    );
  }

  get requests(): readonly RecordedRequest[] {
    return this.#requests.entries;
  }

  get messages(): readonly SimulatedMessage[] {
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

  get faultPlan(): readonly PlannedFault[] {
    return this.faults.list();
  }

  get applications(): readonly string[] {
    return this.inventory.applications.list();
  }

  addApplication(applicationId: string): void {
    this.inventory.applications.add(applicationId);
  }

  get sessions(): readonly WindowSession[] {
    return this.inventory.sessionWindow.list();
  }

  openSession(number: string): void {
    this.inventory.sessionWindow.open(number);
  }

  get templates(): readonly SimulatedTemplate[] {
    return this.inventory.templates.list();
  }

  addTemplate(template: SimulatedTemplate): void {
    this.inventory.templates.add(template);
  }

  get media(): readonly SimulatedMedia[] {
    return this.inventory.media.list();
  }

  addMedia(media: NewMedia): string {
    return this.inventory.media.add(parseMedia(media));
  }

  get attachments(): readonly SimulatedAttachment[] {
    return this.inventory.attachments.list();
  }

  get received(): readonly ReceivedMessage[] {
    return this.callbacks.received;
  }

  get receivedCount(): number {
    return this.callbacks.receivedCount;
  }

  suggestions(transferId: string): readonly TappableSuggestion[] {
    const message = this.messages.findLast((each) => each.transferId === transferId);
    return message ? suggestionsOf(message) : [];
  }

  registerWebhook(webhook: NewWebhook): WebhookHandle {
    return this.callbacks.deliveries.webhooks.register(webhook, "program");
  }

  get webhooks(): readonly RegisteredWebhook[] {
    return this.callbacks.deliveries.webhooks.list();
  }

  allowCallbacks(rule: CallbackRule): void {
    this.callbacks.deliveries.callbackRule = rule;
  }

  get deliveries(): readonly SimulatedDelivery[] {
    return this.callbacks.deliveries.entries;
  }

  get deliveryCount(): number {
    return this.callbacks.deliveries.total;
  }

  get pendingDeliveries(): number {
    return this.callbacks.pending;
  }

  planStatuses(rule: StatusRule): void {
    this.callbacks.plan.add(rule);
  }

  get statusPlan(): readonly PlannedStatuses[] {
    return this.callbacks.plan.list();
  }

  receive(incoming: Incoming): number[] {
    return this.callbacks.receive(incoming);
  }

  deliver(kind: WebhookKind, payload: unknown): number[] {
    return this.callbacks.deliver(kind, payload);
  }

  revokeTokens(): void {
    this.tokens.revokeAll();
  }

  reset(): void {
    this.#requests.clear();
    this.#messages.clear();
    this.faults.clear();
    this.callbacks.reset();
    this.inventory.clear();
    this.tokens.revokeAll();
  }

  record(request: Omit<RecordedRequest, "id">): {
    -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key];
  } {
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
    this.callbacks.messageAccepted(accepted);
    return transferId;
  };
}
