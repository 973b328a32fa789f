import { MESSAGE_CHANNELS, type MessageChannel, readMessageChannel } from "../shared/message-channel";
import type { EventKind } from "./classify-event";

/** Returns null for status messages and other messengers. */
export function getEventChannel(kind: EventKind, payload: unknown): MessageChannel | null {
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

/** Channels with phone numbers. */
const TELEPHONES: ReadonlySet<string> = new Set([...MESSAGE_CHANNELS, "voice"]);

export function getEventMessenger(kind: EventKind, payload: unknown): string | null {
  if (kind === "report" || kind === "unrecognised" || getEventChannel(kind, payload) !== null) {
    return null;
  }
  const { type } = payload as Readonly<Record<string, unknown>>;
  const name = typeof type === "string" ? type.trim() : "";
  return name === "" || TELEPHONES.has(name.toLowerCase()) ? null : name;
}
