import { createHash } from "node:crypto";
import { isInstant } from "../../shared/instant";
import type { NewEvent } from "../../store/events/deliveries";
import type { LedgerEntry } from "../../webhook/event-ledger";
import { eventText, readReply, senderDigits } from "./event-fields";

const PLAIN = /^[\x20-\x7e]+$/;

/** Returns a key that every database accepts. Different keys stay different. */
export const storedKey = (key: string): string =>
  PLAIN.test(key) ? key : `sha256:${createHash("sha256").update(JSON.stringify(key)).digest("base64url")}`;

/** Returns null for JSON that is no event. @param key the same for every copy of the event, unique in its account */
export function newEvent(
  { kind, sender, payload, optOut }: Pick<LedgerEntry, "kind" | "sender" | "payload" | "optOut">,
  key: string,
  keepTexts: boolean,
): NewEvent | null {
  if (kind === "unrecognised") {
    return null;
  }
  const fields = payload as Readonly<Record<string, unknown>>;
  const isInbound = kind === "inbound";
  const { deliveredOn } = fields;
  return {
    key,
    kind,
    number: senderDigits({ kind, sender, payload }),
    clientMessageId: isInbound ? null : eventText(fields.clientMessageId),
    transferId: isInbound ? null : eventText(fields.transferId),
    status: isInbound
      ? null
      : eventText(kind === "report" ? fields.deliveryReportMessageStatus : fields.messageStatus),
    at: typeof deliveredOn === "string" && isInstant(deliveredOn) ? Date.parse(deliveredOn) : null,
    body: keepTexts ? JSON.stringify(payload) : null,
    optOut,
    reply: readReply(kind, payload),
  };
}
