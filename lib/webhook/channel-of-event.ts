import { type MessageChannel, readMessageChannel } from "../shared/message-channel";
import type { EventKind } from "./classify-event";

/**
 * The channel that an event itself tells. A status message tells none: those of WhatsApp and RCS have the same fields.
 * @param payload the event in the service's field names
 * @returns null for status messages, for other messengers, and for what is not recognised
 */
export function channelOfEvent(kind: EventKind, payload: unknown): MessageChannel | null {
  if (kind === "report") {
    return "sms";
  }
  if (kind !== "inbound") {
    return null;
  }
  const { textMessageContent, binaryMessageContent, type } = payload as Readonly<Record<string, unknown>>;
  const isSms = typeof textMessageContent === "string" || Array.isArray(binaryMessageContent);
  return isSms ? "sms" : readMessageChannel(type);
}
