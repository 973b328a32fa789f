export type Channel = "sms" | "flash" | "voice" | "whatsapp" | "rcs";
