import { inSlices } from "../../shared/async/in-slices";
import { NO_RULES, type RequestRules } from "../../store/guards/request-rules";
import { groupRecipients } from "./group-recipients";
import { blockVerdictOf } from "./block-verdict-of";
import type { HeldRecipients } from "./recipient-guard";
import type { SendingHours } from "./sending-hours";

export interface RuledRecipients {
  /** Digits, in the order of the message; at least one. */
  readonly recipients: readonly string[];
  readonly rules: RequestRules;
}

export interface DividedRecipients {
  readonly leaving: readonly RuledRecipients[];
  readonly held: readonly HeldRecipients[];
}

export type OpeningHours = Pick<SendingHours, "zoneOf" | "opensAt" | "refuses" | "isExempt">;

export interface RuleSurroundings {
  /** Null if messages are sent at any hour. */
  readonly hours: OpeningHours | null;
  /** IANA name of the account's time zone, for times in results. */
  readonly zone: string;
  readonly now: number;
}

/** Start of the hours, or expiry of the message, which blocks recipients of a zone. */
interface Refusal {
  readonly fault: "OUTSIDE_HOURS" | "TOO_LATE";
  readonly at: number;
}

const isRefusal = (found: RequestRules | Refusal): found is Refusal => "fault" in found;

/** @param zone null if no hours apply */
function rulesIn(
  zone: string | null,
  rules: RequestRules,
  { hours, now }: RuleSurroundings,
): RequestRules | Refusal {
  const begin = Math.max(now, rules.scheduled ?? now);
  const opens = zone === null || hours === null ? begin : hours.opensAt(zone, begin);
  const { uselessAfter } = rules;
  if (opens > begin && hours?.refuses) {
    return { fault: "OUTSIDE_HOURS", at: opens };
  }
  if (uselessAfter !== null && uselessAfter <= opens) {
    return { fault: "TOO_LATE", at: uselessAfter };
  }
  return zone === null ? rules : { ...rules, zone, opens: opens > begin ? opens : null };
}

/** @returns null if the hours of the account apply */
function exempt(rules: RequestRules, { hours }: RuleSurroundings): RequestRules | null {
  if (hours === null || (rules.zone === null && rules !== NO_RULES)) {
    return rules;
  }
  return hours.isExempt(rules.category) ? { ...rules, zone: null } : null;
}

/** Groups recipients by the zone of their hours: allowed ones, also when the hours start later, and blocked ones. */
export async function divideByHours(
  recipients: readonly string[],
  rules: RequestRules,
  around: RuleSurroundings,
): Promise<DividedRecipients> {
  const free = exempt(rules, around);
  const { hours, zone: spoken } = around;
  const byZone =
    free === null && (await groupRecipients(recipients, (each) => (hours as OpeningHours).zoneOf(each)));
  const groups = byZone ? byZone.held : [[null, recipients] as const];
  const leaving: RuledRecipients[] = [];
  const refused = new Map<Refusal["fault"], { at: number; readonly recipients: string[] }>();
  for (const [zone, members] of groups) {
    const found = rulesIn(zone, free ?? rules, around);
    if (!isRefusal(found)) {
      leaving.push({ recipients: members, rules: found });
      continue;
    }
    const group = refused.get(found.fault) ?? { at: found.at, recipients: [] };
    refused.set(found.fault, group);
    // The earliest start applies to all.
    group.at = Math.min(group.at, found.at);
    await inSlices(members, (slice) => void group.recipients.push(...slice));
  }
  const held = [...refused].map(([fault, { at, recipients: numbers }]) => ({
    recipients: numbers,
    verdict: blockVerdictOf({ fault, at, numbers, zone: spoken }),
  }));
  return { leaving, held };
}
