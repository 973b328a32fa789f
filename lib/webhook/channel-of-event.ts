import { MESSAGE_CHANNELS, type MessageChannel, readMessageChannel } from "../shared/message-channel";
import type { EventKind } from "./classify-event";

/** The channel that an event itself tells; null for a status message, which tells none, for other messengers, and for what is not recognised. */
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

/** Channels whose people are phone numbers, however their events spell them. */
const TELEPHONES: ReadonlySet<string> = new Set([...MESSAGE_CHANNELS, "voice"]);

/** The messenger that an event names, as it spells it, if its people have ids of its own, such as `Telegram`; null for all others. */
export function messengerOfEvent(kind: EventKind, payload: unknown): string | null {
  if (kind === "report" || kind === "unrecognised" || channelOfEvent(kind, payload) !== null) {
    return null;
  }
  const { type } = payload as Readonly<Record<string, unknown>>;
  const name = typeof type === "string" ? type.trim() : "";
  return name === "" || TELEPHONES.has(name.toLowerCase()) ? null : name;
}
