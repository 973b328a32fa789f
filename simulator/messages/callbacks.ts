import { MessageEvents } from "./message-events";
import { Deliveries, type DeliveriesOptions } from "../webhooks/deliveries";
import { BoundedLog } from "../util/bounded-log";
import { hasReports, messengerPayload, smsPayload, statusPayload, withPlus } from "./event-payloads";
import { isMsisdn } from "../util/formats";
import type { Inventory } from "../inventory/inventory";
import type { ScriptedReply } from "./scripted-recipients";
import { parseMedia, SAMPLE_FILE } from "../inventory/media-store";
import { type IncomingMessage, type IncomingSms, type Parsed, parseIncoming } from "./incoming";
import type { ReceivedMessage, SimulatedMessage } from "./records";
import { suggestedResponse, suggestionsOf, type Tap } from "./suggestions";
import { StatusPlan } from "./status-plan";

export class Callbacks {
  readonly deliveries: Deliveries;
  readonly plan = new StatusPlan();
  readonly received: BoundedLog<ReceivedMessage>;
  readonly events: MessageEvents;
  readonly #inventory: Inventory;
  readonly #messages: readonly SimulatedMessage[];
  readonly #clock: DeliveriesOptions["clock"];

  constructor(options: DeliveriesOptions, inventory: Inventory, messages: readonly SimulatedMessage[]) {
    this.deliveries = new Deliveries(options);
    this.received = new BoundedLog(options.logEntries);
    this.#inventory = inventory;
    this.#messages = messages;
    this.#clock = options.clock;
    this.events = new MessageEvents({
      clock: options.clock,
      deliveries: this.deliveries,
      plan: this.plan,
      reply: (recipient, reply) => this.#reply(recipient, reply),
      mostPending: options.settings.mostPending,
    });
  }

  get pending(): number {
    return this.deliveries.pending + this.events.scheduled;
  }

  receive(input: unknown): number[] {
    const incoming = parseIncoming(input);
    switch (incoming.event) {
      case "sms":
        return this.#sms(incoming);
      case "status":
        return this.#status(incoming);
      case "tap":
        return this.#tap(incoming);
      case "raw":
        return this.#raw(incoming);
      case "inbound":
        return this.#message(incoming);
    }
  }

  clear(): void {
    this.events.cancel();
    this.deliveries.clear();
  }

  reset(): void {
    this.clear();
    this.received.clear();
    this.plan.clear();
    this.deliveries.reset();
  }

  close(): void {
    this.events.cancel();
    this.deliveries.close();
  }

  #message({ media, repeat, content = "", ...text }: IncomingMessage, tap?: Tap): number[] {
    const file = media && ("sample" in media ? SAMPLE_FILE : parseMedia(media));
    const sender = isMsisdn(text.sender) ? withPlus(text.sender) : text.sender;
    const mediaId = file ? this.#inventory.media.add(file) : text.mediaId;
    const { type = "whatsapp" } = text;
    if (type === "whatsapp" && isMsisdn(sender)) this.#inventory.sessionWindow.open(sender);
    return contents(content, repeat).flatMap((each) => {
      const payload = messengerPayload({
        ...text,
        sender,
        content: each,
        ...(mediaId && { mediaId }),
        ...(tap && { suggestedResponse: tap.suggestedResponse }),
      });
      this.#note({
        channel: type,
        sender,
        content: each,
        mediaId: mediaId ?? null,
        tapped: tap?.transferId ?? null,
      });
      return this.deliveries.send({ kind: "inbound", event: "inbound", payload });
    });
  }

  #sms({ sender, recipient, content, binary = [], repeat }: IncomingSms): number[] {
    const who = { sender, ...(recipient !== undefined && { recipient }) };
    return contents(content ?? "", repeat).flatMap((each) => {
      const payload = smsPayload(content === undefined ? { ...who, binary } : { ...who, content: each });
      this.#note({
        channel: "sms",
        sender,
        content: content === undefined ? "" : each,
        mediaId: null,
        tapped: null,
      });
      return this.deliveries.send({ kind: "inbound", event: "sms", payload });
    });
  }

  #status({ transferId, status, deliveredOn, recipient: only }: Parsed<"status">): number[] {
    const message = this.#find(transferId);
    const at = this.#clock.now();
    const event = hasReports(message) ? "report" : "status";
    return recipientsOf(message, only).flatMap((recipient) => {
      const payload = statusPayload({ message, recipient, status, at });
      const complete = deliveredOn === undefined ? payload : { ...payload, deliveredOn };
      return this.deliveries.send({ kind: "status", event, payload: complete });
    });
  }

  #tap({ transferId, suggestion, recipient }: Parsed<"tap">): number[] {
    const message = this.#find(transferId);
    const tapped = suggestionsOf(message)[suggestion];
    if (!tapped) throw new TypeError("event: the message has no such suggestion");
    if (tapped.data === null) throw new TypeError("event: this action has no postback, and so no event");
    const { applicationId } = message.fields;
    return this.#message(
      {
        sender: withPlus(recipientsOf(message, recipient)[0] ?? ""),
        content: tapped.displayText,
        type: "rcs",
        ...(typeof applicationId === "string" && { applicationId }),
      },
      { transferId, suggestedResponse: suggestedResponse(tapped) },
    );
  }

  #find(transferId: string): SimulatedMessage {
    const message = this.#messages.findLast((each) => each.transferId === transferId);
    if (!message) throw new TypeError("event: no message in the log has this transferId");
    return message;
  }

  #note(message: Omit<ReceivedMessage, "at">): void {
    this.received.add({ at: this.#clock.now(), ...message });
  }

  #raw({ kind, payload, repeat = 1 }: Parsed<"raw">): number[] {
    const text = JSON.stringify(payload);
    if (text === undefined) throw new TypeError("event: payload must be JSON");
    return Array.from({ length: repeat }).flatMap(() =>
      // Copies, so that later changes by the caller have no effect.
      this.deliveries.send({ kind, event: "raw", payload: JSON.parse(text) }),
    );
  }

  #reply(recipient: string, { channel, content, picture, tap }: ScriptedReply): void {
    const sender = withPlus(recipient);
    if (channel === "sms") this.#sms({ event: "sms", sender, content });
    else {
      const mediaId = picture ? { mediaId: this.#inventory.media.add(SAMPLE_FILE) } : {};
      const displayName = "Scripted recipient";
      this.#message({ sender, content, type: channel, displayName, ...mediaId }, tap);
    }
  }
}

function recipientsOf({ recipients }: SimulatedMessage, only: string | undefined): readonly string[] {
  if (only === undefined) return recipients;
  const found = recipients.find((recipient) => withPlus(recipient) === withPlus(only));
  if (found === undefined) throw new TypeError("event: the message has no such recipient");
  return [found];
}

/** The content `repeat` times with a number after it; once and unchanged without `repeat`. */
function contents(content: string, repeat: number | undefined): string[] {
  if (repeat === undefined) return [content];
  return Array.from({ length: repeat }, (_, index) => `${content} ${index + 1}`.trim());
}
