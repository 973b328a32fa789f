import type { SimulatedAttachment } from "../inventory/attachments";
import type { CallbackRule } from "../webhooks/callback-rule";
import type { WindowSession } from "../inventory/session-window";
import type { FaultRule } from "../faults/fault-rule";
import type { NewMedia, SimulatedMedia } from "../inventory/media-store";
import type { Incoming } from "../webhooks/parse-incoming";
import type { NewWebhook } from "../webhooks/parse-webhook";
import type { RecordedRequest, SimulatedMessage } from "../messages/records";
import type { PlannedStatuses, StatusRule } from "../messages/status-plan";
import type { SimulatedTemplate } from "../inventory/templates";
import type { RegisteredWebhook, SimulatedDelivery, WebhookKind } from "../webhooks/webhook-records";
import type { WebhookHandle } from "../webhooks/webhooks";

/** One customer of the service: own address, own logs, faults and tokens. */
export interface SimulatedAccount {
  /** Service address and token service address, without a slash at the end. */
  readonly url: string;
  /** Requests received, oldest first. A live view that is bounded: the oldest are forgotten. */
  readonly requests: readonly RecordedRequest[];
  /** Messages taken, oldest first. A live view that is bounded: the oldest are forgotten. */
  readonly messages: readonly SimulatedMessage[];
  /** Requests received since the start or the last reset, forgotten ones too. */
  readonly requestCount: number;
  /** Messages taken since the start or the last reset, forgotten ones too. */
  readonly messageCount: number;
  /** Appends to the fault plan and returns the rule's id. Throws a TypeError for a wrong rule. */
  addFault(rule: FaultRule): string;
  clearFaults(): void;
  /** Sending applications: the simulator's own, then those that were added. */
  readonly applications: readonly string[];
  /** Lets another application send. Throws a TypeError for an id that is no uuid. */
  addApplication(applicationId: string): void;
  /** Recipients whom WhatsApp text reaches now, without those whom it always reaches. */
  readonly sessions: readonly WindowSession[];
  /** As if this number had just written: it can be sent text for 24 hours. Throws a TypeError for a wrong one. */
  openSession(number: string): void;
  /** Templates that can be sent. */
  readonly templates: readonly SimulatedTemplate[];
  /** Adds a template, or replaces the one of the same name and locale. Throws a TypeError for a wrong one. */
  addTemplate(template: SimulatedTemplate): void;
  /** Media files that can be sent and downloaded, the sample among them. */
  readonly media: readonly SimulatedMedia[];
  /** Adds a media file, as an inbound message would, and returns its mediaId. Throws a TypeError for a wrong one. */
  addMedia(media: NewMedia): string;
  /** Attachments that a WhatsApp broadcast can carry. */
  readonly attachments: readonly SimulatedAttachment[];
  /**
   * Calls a webhook from now on, with every event of its kind; several may be registered. The same address and kind
   * again takes over what is under way there. Throws a TypeError for a wrong one, and beyond 100 of them.
   */
  registerWebhook(webhook: NewWebhook): WebhookHandle;
  /** Registered webhooks, without secrets. */
  readonly webhooks: readonly RegisteredWebhook[];
  /** Decides from now on which addresses of single sends are called, besides those of registered webhooks. */
  allowCallbacks(rule: CallbackRule): void;
  /** Events on their way to webhooks and what became of them, oldest first. A live view that is bounded. */
  readonly deliveries: readonly SimulatedDelivery[];
  /** Entries in the log of deliveries since the start or the last reset, forgotten ones too. */
  readonly deliveryCount: number;
  /** Events that are not acknowledged, given up or dropped yet, those too that are planned by a message taken. */
  readonly pendingDeliveries: number;
  /** What is reported of the next messages, instead of `delivered`. Throws a TypeError for a wrong rule. */
  planStatuses(rule: StatusRule): void;
  /** Rules that are not used up. */
  readonly statusPlan: readonly PlannedStatuses[];
  /**
   * Something happens outside: somebody writes, a message changes its status. Returns the ids of its deliveries.
   * Throws a TypeError for what can't happen.
   */
  receive(incoming: Incoming): number[];
  /** Sends any JSON to the webhooks of a kind and returns the ids of its deliveries. */
  deliver(kind: WebhookKind, payload: unknown): number[];
  /**
   * Empties logs and plans, drops what is under way to webhooks, refuses the tokens issued so far, and takes back
   * what was added: applications, sessions, templates, media, attachments, and webhooks that came by a control.
   * Webhooks that came by `registerWebhook` stay.
   */
  reset(): void;
  /** Refuses the bearer tokens issued so far. */
  revokeTokens(): void;
}
