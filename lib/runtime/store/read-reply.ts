import type { NewReply, ReplyChannel } from "../../store/waits/wait";
import type { EventKind } from "../../webhook/classify-event";
import { eventText } from "./event-text";

const MESSENGERS: ReadonlyMap<string, ReplyChannel> = new Map([
  ["whatsapp", "whatsapp"],
  ["rcs", "rcs"],
]);

/**
 * The reply that an event is: a text SMS, or a message of WhatsApp or RCS, with or without words.
 * @param payload the event in the service's field names
 * @returns null for other events, for a binary SMS and for other messengers. The application is in lower case.
 */
export function readReply(kind: EventKind, payload: unknown): NewReply | null {
  if (kind !== "inbound") {
    return null;
  }
  const { textMessageContent, type, applicationId } = payload as Readonly<Record<string, unknown>>;
  if (typeof textMessageContent === "string") {
    return { channel: "sms", application: "", body: JSON.stringify(payload) };
  }
  const channel = typeof type === "string" ? MESSENGERS.get(type.trim().toLowerCase()) : undefined;
  return channel === undefined
    ? null
    : {
        channel,
        application: eventText(applicationId)?.toLowerCase() ?? "",
        body: JSON.stringify(payload),
      };
}
