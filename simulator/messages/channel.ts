/** How a message travels. */
export type Channel = "sms" | "flash" | "voice" | "whatsapp" | "rcs";
