import { BoundedLog, type LogLimits } from "./bounded-log";
import type { CheckedRequest } from "./check-request";
import type { Clock } from "./clock";
import { countSms, newTransferId } from "./build-reply";
import type { DecisionContext } from "./decide";
import type { Draft } from "./endpoint";
import type { SimulatedAttachment } from "./attachments";
import type { CareSession } from "./care-window";
import { FaultPlan } from "./fault-plan";
import type { FaultRule } from "./fault-rule";
import { Inventory } from "./inventory";
import { type NewMedia, parseMedia, type SimulatedMedia } from "./media-store";
import { type RecordedRequest, type SimulatedMessage, sizeOfMessage, sizeOfRequest } from "./records";
import type { SimulatedTemplate } from "./templates";
import { TokenStore } from "./token-store";

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
  readonly sessions: readonly CareSession[];
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
   * Empties logs and fault plan, refuses the tokens issued so far, and takes back what was added: applications,
   * sessions, templates, media, attachments.
   */
  reset(): void;
  /** Refuses the bearer tokens issued so far. */
  revokeTokens(): void;
}

export interface AccountOptions {
  readonly clock: Clock;
  readonly log: LogLimits;
  readonly queuedAbove: number;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** Bytes of uploaded media that are kept. */
  readonly mediaBytes: number;
}

export class Account implements SimulatedAccount, DecisionContext {
  readonly url: string;
  readonly faults = new FaultPlan();
  readonly inventory: Inventory;
  readonly tokens: TokenStore;
  readonly queuedAbove: number;
  readonly tokenLifetime: number;
  readonly #clock: Clock;
  readonly #requests: BoundedLog<RecordedRequest>;
  readonly #messages: BoundedLog<SimulatedMessage>;

  constructor(url: string, options: AccountOptions) {
    this.url = url;
    this.#clock = options.clock;
    this.inventory = new Inventory(options.clock, options.mediaBytes);
    this.queuedAbove = options.queuedAbove;
    this.tokenLifetime = options.tokenLifetime;
    this.tokens = new TokenStore(options.clock, options.tokenLifetime);
    this.#requests = new BoundedLog(options.log, sizeOfRequest);
    this.#messages = new BoundedLog(options.log, sizeOfMessage);
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

  get applications(): readonly string[] {
    return this.inventory.applications.list();
  }

  addApplication(applicationId: string): void {
    this.inventory.applications.add(applicationId);
  }

  get sessions(): readonly CareSession[] {
    return this.inventory.careWindow.list();
  }

  openSession(number: string): void {
    this.inventory.careWindow.open(number);
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

  revokeTokens(): void {
    this.tokens.revokeAll();
  }

  reset(): void {
    this.#requests.clear();
    this.#messages.clear();
    this.faults.clear();
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

  takeFault = (operation: string, draft: Draft | null) =>
    this.faults.take({ operation, recipients: draft?.recipients ?? [], content: draft?.content ?? null });

  accept = (operation: string, draft: Draft, checked: CheckedRequest, statusCode: number): string => {
    const transferId = newTransferId();
    this.#messages.add({
      ...draft,
      transferId,
      operation,
      fields: checked.fields,
      smsCount: countSms(draft),
      at: this.#clock.now(),
      statusCode,
    });
    return transferId;
  };
}
