import { AfterSend } from "./after-send";
import { Deliveries, type DeliveriesOptions } from "../webhooks/deliveries";
import { hasReports, messengerPayload, smsPayload, statusPayload, withPlus } from "./event-payloads";
import { isMsisdn } from "../util/formats";
import type { Inventory } from "../inventory/inventory";
import type { Answer } from "./scripted-recipients";
import { mediaFromJson } from "../inventory/media-from-json";
import { parseMedia, SAMPLE_FILE } from "../inventory/media-store";
import {
  type IncomingMessage,
  type IncomingRaw,
  type IncomingSms,
  type IncomingStatus,
  parseIncoming,
} from "../webhooks/parse-incoming";
import type { SimulatedMessage } from "./records";
import { StatusPlan } from "./status-plan";
import type { WebhookKind } from "../webhooks/webhook-records";

/** Everything by which one account calls its client back. */
export class Callbacks {
  readonly deliveries: Deliveries;
  readonly plan = new StatusPlan();
  readonly #inventory: Inventory;
  readonly #messages: readonly SimulatedMessage[];
  readonly #clock: DeliveriesOptions["clock"];
  readonly #afterSend: AfterSend;

  /** @param messages the account's log */
  constructor(options: DeliveriesOptions, inventory: Inventory, messages: readonly SimulatedMessage[]) {
    this.deliveries = new Deliveries(options);
    this.#inventory = inventory;
    this.#messages = messages;
    this.#clock = options.clock;
    this.#afterSend = new AfterSend({
      clock: options.clock,
      deliveries: this.deliveries,
      plan: this.plan,
      answer: (recipient, answer) => this.#answer(recipient, answer),
      mostPending: options.settings.mostPending,
    });
  }

  /** Events that are on their way, or planned by a message that was taken. */
  get pending(): number {
    return this.deliveries.pending + this.#afterSend.scheduled;
  }

  /** To be called once for each message that was taken. */
  afterSend(message: SimulatedMessage): void {
    this.#afterSend.start(message);
  }

  /** Something happens outside. Returns the ids of its deliveries; throws a TypeError for what can't happen. */
  receive(input: unknown): number[] {
    const incoming = parseIncoming(input);
    switch (incoming.event) {
      case "sms":
        return this.#sms(incoming as IncomingSms);
      case "status":
        return this.#status(incoming as IncomingStatus);
      case "raw":
        return this.#raw(incoming as IncomingRaw);
      default:
        return this.#message(incoming as IncomingMessage);
    }
  }

  /** Any JSON, as it is. Throws a TypeError for what can't be written as JSON. */
  deliver(kind: WebhookKind, payload: unknown): number[] {
    return this.receive({ event: "raw", kind, payload });
  }

  /** Forgets all that is under way or planned. */
  clear(): void {
    this.#afterSend.cancel();
    this.deliveries.clear();
  }

  /** As `clear`; the status plan and webhooks that came by a control go as well. */
  reset(): void {
    this.clear();
    this.plan.clear();
    this.deliveries.reset();
  }

  close(): void {
    this.#afterSend.cancel();
    this.deliveries.close();
  }

  #message({ media, repeat, content = "", ...text }: IncomingMessage): number[] {
    const file = media && parseMedia({ fileName: "file", ...mediaFromJson(media) });
    const sender = isMsisdn(text.sender) ? withPlus(text.sender) : text.sender;
    const mediaId = file ? this.#inventory.media.add(file) : text.mediaId;
    const { type = "whatsapp" } = text;
    if (type === "whatsapp" && isMsisdn(sender)) this.#inventory.careWindow.open(sender);
    return contents(content, repeat).flatMap((each) => {
      const payload = messengerPayload({ ...text, sender, content: each, ...(mediaId && { mediaId }) });
      return this.deliveries.send({ kind: "inbound", event: "inbound", payload });
    });
  }

  #sms({ sender, recipient, content, binary = [], repeat }: IncomingSms): number[] {
    const who = { sender, ...(recipient !== undefined && { recipient }) };
    return contents(content ?? "", repeat).flatMap((each) => {
      const payload = smsPayload(content === undefined ? { ...who, binary } : { ...who, content: each });
      return this.deliveries.send({ kind: "inbound", event: "sms", payload });
    });
  }

  #status({ transferId, status, deliveredOn }: IncomingStatus): number[] {
    const message = this.#messages.findLast((each) => each.transferId === transferId);
    if (!message) throw new TypeError("event: transferId is of no message in the log");
    const at = this.#clock.now();
    const event = hasReports(message) ? "report" : "status";
    return message.recipients.flatMap((recipient) => {
      const payload = statusPayload({ message, recipient, status, at });
      const complete = deliveredOn === undefined ? payload : { ...payload, deliveredOn };
      return this.deliveries.send({ kind: "status", event, payload: complete });
    });
  }

  #raw({ kind, payload, repeat = 1 }: IncomingRaw): number[] {
    const text = JSON.stringify(payload);
    if (text === undefined) throw new TypeError("event: payload must be JSON");
    return Array.from({ length: repeat }).flatMap(() =>
      // Copies: what the caller does to its own object afterwards does not change what was sent.
      this.deliveries.send({ kind, event: "raw", payload: JSON.parse(text) }),
    );
  }

  #answer(recipient: string, { by, content, picture }: Answer): void {
    const sender = withPlus(recipient);
    if (by === "sms") this.#sms({ event: "sms", sender, content });
    else {
      const mediaId = picture ? { mediaId: this.#inventory.media.add(SAMPLE_FILE) } : {};
      this.#message({ sender, content, type: by, displayName: "Magic person", ...mediaId });
    }
  }
}

/** The content as often as it is asked for, numbered where that is more than once. */
function contents(content: string, repeat: number | undefined): string[] {
  if (repeat === undefined) return [content];
  return Array.from({ length: repeat }, (_, index) => `${content} ${index + 1}`.trim());
}
