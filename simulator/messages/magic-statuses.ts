import { digits } from "./event-payloads";

/** A recipient whose messages always meet the same fate. */
export interface MagicStatus {
  readonly pattern: string;
  readonly example: string;
  readonly meaning: string;
  /** Statuses in their order; without them the usual ones. */
  readonly messenger?: readonly string[];
  /** The same for SMS. */
  readonly sms?: readonly string[];
}

/** Numbers that decide what is reported of a message. Each recipient of a list decides for itself. */
export const MAGIC_STATUSES: readonly MagicStatus[] = [
  row("999030001", "WhatsApp, RCS: delivered, then read", { messenger: ["delivered", "read"] }),
  row("999030002", "WhatsApp, RCS: failed", { messenger: ["failed"] }),
  row("999030003", "WhatsApp, RCS: sent, delivered, read", { messenger: ["sent", "delivered", "read"] }),
  row("999030004", "no status message and no delivery report, ever", { messenger: [], sms: [] }),
  row("999030101", "SMS: expired", { sms: ["expired"] }),
  row("999030102", "SMS: deleted", { sms: ["deleted"] }),
  row("999030103", "SMS: rejected", { sms: ["rejected"] }),
  row("999030104", "SMS: undelivered (the service keeps trying), then delivered", {
    sms: ["undelivered", "delivered"],
  }),
  row("999030105", "SMS: accepted by the carrier, then delivered", { sms: ["accepted", "delivered"] }),
];

function row(pattern: string, meaning: string, fate: Pick<MagicStatus, "messenger" | "sms">): MagicStatus {
  return { pattern, example: pattern, meaning, ...fate };
}

const BY_NUMBER = new Map(MAGIC_STATUSES.map((each) => [each.pattern, each]));

/** Statuses of a message to this recipient; null for the usual ones. */
export function magicStatuses(recipient: string, channel: "messenger" | "sms"): readonly string[] | null {
  return BY_NUMBER.get(digits(recipient))?.[channel] ?? null;
}
