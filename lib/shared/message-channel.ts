export const MESSAGE_CHANNELS = ["sms", "whatsapp", "rcs"] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

export function readMessageChannel(value: unknown): MessageChannel | null {
  const name = typeof value === "string" ? value.trim().toLowerCase() : "";
  return MESSAGE_CHANNELS.find((each) => each === name) ?? null;
}

export const CHANNEL_OF_TYPE: ReadonlyMap<string, MessageChannel> = new Map([
  ["messaging-sms-send", "sms"],
  ["messaging-whatsapp-send", "whatsapp"],
  ["messaging-rcs-send", "rcs"],
]);
