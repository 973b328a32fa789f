import type { SimulatedAttachment } from "../inventory/attachments";
import type { CallbackRule } from "../webhooks/callback-rule";
import type { WindowSession } from "../inventory/session-window";
import type { PlannedFault } from "../faults/fault-plan";
import type { FaultRule } from "../faults/fault-rule";
import type { NewMedia, SimulatedMedia } from "../inventory/media-store";
import type { Incoming } from "../webhooks/parse-incoming";
import type { NewWebhook } from "../webhooks/parse-webhook";
import type { ReceivedMessage, RecordedRequest, SimulatedMessage } from "../messages/records";
import type { TappableSuggestion } from "../messages/suggestions";
import type { PlannedStatuses, StatusRule } from "../messages/status-plan";
import type { SimulatedTemplate } from "../inventory/templates";
import type { RegisteredWebhook, SimulatedDelivery, WebhookKind } from "../webhooks/webhook-records";
import type { WebhookHandle } from "../webhooks/webhooks";

/** One customer of the service, with its own address, logs, faults and tokens. */
export interface SimulatedAccount {
  /** Service address and token service address, without a trailing slash. */
  readonly url: string;
  /** Requests received, oldest first. A bounded live view: the oldest are dropped. */
  readonly requests: readonly RecordedRequest[];
  /** Accepted messages, oldest first. A bounded live view: the oldest are dropped. */
  readonly messages: readonly SimulatedMessage[];
  /** Requests received since the start or the last reset, including dropped ones. */
  readonly requestCount: number;
  /** Messages accepted since the start or the last reset, including dropped ones. */
  readonly messageCount: number;
  /** Appends to the fault plan and returns the rule's id. Throws a TypeError for an invalid rule. */
  addFault(rule: FaultRule): string;
  clearFaults(): void;
  /** Rules of the fault plan with remaining uses, in their order. */
  readonly faultPlan: readonly PlannedFault[];
  /** Ids of the sending applications: the built-in one, then the added ones. */
  readonly applications: readonly string[];
  /** Adds a sending application. Throws a TypeError if the id is not a UUID. */
  addApplication(applicationId: string): void;
  /** Recipients whose session window is open now, without those for whom it is always open. */
  readonly sessions: readonly WindowSession[];
  /** Opens the session window of this number for 24 hours, as an inbound message does. Throws a TypeError for an invalid number. */
  openSession(number: string): void;
  /** Approved templates. */
  readonly templates: readonly SimulatedTemplate[];
  /** Adds a template, or replaces the one with the same name and locale. Throws a TypeError for an invalid template. */
  addTemplate(template: SimulatedTemplate): void;
  /** Media files that can be sent and downloaded, including the sample. */
  readonly media: readonly SimulatedMedia[];
  /** Adds a media file, as an inbound message does, and returns its mediaId. Throws a TypeError for an invalid file. */
  addMedia(media: NewMedia): string;
  /** Attachments for WhatsApp broadcasts. */
  readonly attachments: readonly SimulatedAttachment[];
  /**
   * Registers a webhook, which then gets every event of its kind. Registering the same address and kind again takes
   * over the pending events. Throws a TypeError for an invalid webhook and above 100 webhooks.
   */
  registerWebhook(webhook: NewWebhook): WebhookHandle;
  /** Registered webhooks, without secrets. */
  readonly webhooks: readonly RegisteredWebhook[];
  /** Sets which callback addresses of single sends are called, besides those of registered webhooks. */
  allowCallbacks(rule: CallbackRule): void;
  /** Events for webhooks with their delivery state, oldest first. A bounded live view. */
  readonly deliveries: readonly SimulatedDelivery[];
  /** Deliveries logged since the start or the last reset, including dropped entries. */
  readonly deliveryCount: number;
  /** Events that are not yet acknowledged, given up or dropped, including those planned for accepted messages. */
  readonly pendingDeliveries: number;
  /** Messages that phones have sent: simulated ones and those of scripted recipients. A bounded live view, oldest first. */
  readonly received: readonly ReceivedMessage[];
  /** Messages of phones since the start or the last reset, including dropped ones. */
  readonly receivedCount: number;
  /** Suggestions of an RCS message: those on its cards, then those below it; empty for other messages and unknown ids. */
  suggestions(transferId: string): readonly TappableSuggestion[];
  /** Sets the statuses reported for the next messages instead of `delivered`. Throws a TypeError for an invalid rule. */
  planStatuses(rule: StatusRule): void;
  /** Rules that are not used up. */
  readonly statusPlan: readonly PlannedStatuses[];
  /**
   * Simulates an inbound message or a status change. Returns the ids of its deliveries. Throws a TypeError for an
   * invalid event.
   */
  receive(incoming: Incoming): number[];
  /** Sends any JSON to the webhooks of a kind and returns the ids of its deliveries. */
  deliver(kind: WebhookKind, payload: unknown): number[];
  /**
   * Empties logs and plans, drops pending events, revokes all tokens, and removes what was added: applications,
   * sessions, templates, media, attachments, and webhooks registered by a control. Webhooks registered by
   * `registerWebhook` stay.
   */
  reset(): void;
  /** Revokes all bearer tokens issued so far. */
  revokeTokens(): void;
}
