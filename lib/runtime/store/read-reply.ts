import type { NewReply } from "../../store/waits/wait";
import { channelOfEvent } from "../../webhook/channel-of-event";
import type { EventKind } from "../../webhook/classify-event";
import { eventText } from "./event-text";

/**
 * The reply that an event is: a text SMS, or a message of WhatsApp or RCS, with or without words.
 * @param payload the event in the service's field names
 * @returns null for other events, for a binary SMS and for other messengers. The application is in lower case.
 */
export function readReply(kind: EventKind, payload: unknown): NewReply | null {
  if (kind !== "inbound") {
    return null;
  }
  const { textMessageContent, applicationId } = payload as Readonly<Record<string, unknown>>;
  const channel = channelOfEvent(kind, payload);
  if (channel === null || (channel === "sms" && typeof textMessageContent !== "string")) {
    return null;
  }
  const application = channel === "sms" ? "" : (eventText(applicationId)?.toLowerCase() ?? "");
  return { channel, application, body: JSON.stringify(payload) };
}
