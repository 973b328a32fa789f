/** The channels by which people get messages and write them. */
export const MESSAGE_CHANNELS = ["sms", "whatsapp", "rcs"] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

/** A channel by its name in any case; null for every other value. */
export function readMessageChannel(value: unknown): MessageChannel | null {
  const name = typeof value === "string" ? value.trim().toLowerCase() : "";
  return MESSAGE_CHANNELS.find((each) => each === name) ?? null;
}

/** The types of the nodes that send messages to people, and the channel of each. */
export const CHANNEL_OF_TYPE: ReadonlyMap<string, MessageChannel> = new Map([
  ["sms-send", "sms"],
  ["whatsapp-send", "whatsapp"],
  ["rcs-send", "rcs"],
]);
