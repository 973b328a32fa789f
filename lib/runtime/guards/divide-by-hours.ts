import { inSlices } from "../../shared/async/in-slices";
import { NO_RULES, type RequestRules } from "../../store/guards/request-rules";
import { groupRecipients } from "./group-recipients";
import { blockVerdictOf } from "./block-verdict-of";
import type { HeldRecipients } from "./recipient-guard";
import type { SendingHours } from "./sending-hours";

/** Recipients of a message with the rules of their requests. */
export interface RuledRecipients {
  /** Digits, in the order of the message; at least one. */
  readonly recipients: readonly string[];
  readonly rules: RequestRules;
}

/** The recipients of a message, each exactly once. */
export interface DividedRecipients {
  readonly leaving: readonly RuledRecipients[];
  /** A group for each reason. */
  readonly held: readonly HeldRecipients[];
}

/** The sending hours of an account, as far as rules ask for them. */
export type OpeningHours = Pick<SendingHours, "zoneOf" | "opensAt" | "refuses" | "isExempt">;

export interface RuleSurroundings {
  /** Null where messages leave at any hour. */
  readonly hours: OpeningHours | null;
  /** IANA name of the account's time zone, in which verdicts say times. */
  readonly zone: string;
  /** Epoch ms. */
  readonly now: number;
}

/** Why recipients of one zone are not sent to: when the hours begin, or from when on the message is useless. */
interface Refusal {
  readonly fault: "OUTSIDE_HOURS" | "TOO_LATE";
  readonly at: number;
}

const isRefusal = (found: RequestRules | Refusal): found is Refusal => "fault" in found;

/** The rules of the recipients whose hours are those of a zone. @param zone null where no hours count for them */
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

/** The rules of a message for which the account's hours do not count; null where they do. */
function exempt(rules: RequestRules, { hours }: RuleSurroundings): RequestRules | null {
  if (hours === null || (rules.zone === null && rules !== NO_RULES)) {
    return rules;
  }
  return hours.isExempt(rules.category) ? { ...rules, zone: null } : null;
}

/**
 * Groups recipients by the zone whose hours count for them: those that leave, now or when the hours begin, and those that the account
 * refuses or for which it is too late.
 */
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
    // The first of several beginnings stands for all.
    group.at = Math.min(group.at, found.at);
    await inSlices(members, (slice) => void group.recipients.push(...slice));
  }
  const held = [...refused].map(([fault, { at, recipients: numbers }]) => ({
    recipients: numbers,
    verdict: blockVerdictOf({ fault, at, numbers, zone: spoken }),
  }));
  return { leaving, held };
}
