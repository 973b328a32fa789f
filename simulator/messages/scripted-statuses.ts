import { digits } from "../util/formats";

export interface ScriptedStatus {
  readonly pattern: string;
  readonly example: string;
  readonly meaning: string;
  readonly messenger?: readonly string[];
  readonly rcs?: readonly string[];
  readonly sms?: readonly string[];
}

export const SCRIPTED_STATUSES: readonly ScriptedStatus[] = [
  row("999030001", "WhatsApp, RCS: delivered, then read", { messenger: ["delivered", "read"] }),
  row("999030002", "WhatsApp, RCS: failed", { messenger: ["failed"] }),
  row("999030003", "WhatsApp, RCS: sent, delivered, read", { messenger: ["sent", "delivered", "read"] }),
  row("999030004", "no status message and no delivery report", { messenger: [], sms: [] }),
  row("999030005", "RCS: no status message, as on a phone that is off; the usual ones on other channels", {
    rcs: [],
  }),
  row("999030101", "SMS: expired", { sms: ["expired"] }),
  row("999030102", "SMS: deleted", { sms: ["deleted"] }),
  row("999030103", "SMS: rejected", { sms: ["rejected"] }),
  row("999030104", "SMS: undelivered (the service keeps trying), then delivered", {
    sms: ["undelivered", "delivered"],
  }),
  row("999030105", "SMS: accepted by the carrier, then delivered", { sms: ["accepted", "delivered"] }),
];

function row(
  pattern: string,
  meaning: string,
  statuses: Pick<ScriptedStatus, "messenger" | "rcs" | "sms">,
): ScriptedStatus {
  return { pattern, example: pattern, meaning, ...statuses };
}

const BY_NUMBER = new Map(SCRIPTED_STATUSES.map((each) => [each.pattern, each]));

export function scriptedStatuses(
  recipient: string,
  channel: "whatsapp" | "rcs" | "sms",
): readonly string[] | null {
  const { messenger = null, rcs = messenger, sms = null } = BY_NUMBER.get(digits(recipient)) ?? {};
  return { whatsapp: messenger, rcs, sms }[channel];
}
