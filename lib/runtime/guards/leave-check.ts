import type { BlockedRecipients } from "../../gateway/queue/blocked-recipients";
import { type ClaimGuard, type BlockedNumber, NO_GUARD } from "../../store/guards/guard-calls";
import type { QuotaUsage } from "../../store/guards/limits";
import type { ClaimedRequest } from "../../store/jobs/request-claims";
import { type BlockReason, blockVerdictOf } from "./block-verdict-of";
import { limitPeriods } from "./limit-periods";
import type { LimitSettings } from "./limit-settings";
import type { SendingHours } from "./sending-hours";

/** What an account checks when a request leaves. */
export interface LeaveRules {
  readonly limits: LimitSettings | null;
  readonly hours: SendingHours | null;
  /** Time zone of the account: an IANA name. */
  readonly zone: string;
  /** Gets the messages that have left in this hour and day, after each claim. */
  readonly onUsage: (spent: QuotaUsage) => void;
}

/** A request that was claimed, as far as is looked at. */
export type ClaimedFacts = Pick<ClaimedRequest, "recipients" | "held" | "rules">;

const NONE: readonly BlockedRecipients[] = [];
const NOBODY: ReadonlySet<string> = new Set();

/** Decides what of a claimed request does not leave now: what the claim has found, the sending hours, and the time when it is useless. */
export class LeaveCheck {
  constructor(private readonly rules: LeaveRules) {}

  /** What a claim has to keep to now. */
  guard(now = Date.now()): Omit<ClaimGuard, "destination"> {
    const { limits, onUsage } = this.rules;
    if (limits === null) {
      return NO_GUARD;
    }
    const { hour, day, numberHour, numberDay, zone } = limits;
    const { hourStarts, dayStarts } = limitPeriods(now, zone);
    return { limits: { hour, day, numberHour, numberDay, hourStarts, dayStarts }, onUsage };
  }

  /** The parts that do not leave, none where all of it does. Opt-outs take precedence over other reasons. */
  hold(request: ClaimedFacts, now = Date.now()): readonly BlockedRecipients[] {
    const { recipients, held, rules } = request;
    const hours = this.#hoursOf(request);
    const isSent = rules.cost > 0;
    if ((held.length === 0 && rules.uselessAfter === null && hours === null) || !isSent) {
      return NONE;
    }
    const { zone } = this.rules;
    if (rules.uselessAfter !== null && now >= rules.uselessAfter) {
      return [refused(recipients, { fault: "TOO_LATE", numbers: recipients, at: rules.uselessAfter, zone })];
    }
    if (held.length === 0) {
      // Nearly always so, and mostly within the hours.
      return hours === null ? NONE : this.#closed(request, hours, now, NOBODY);
    }
    const opens = (number: string, at: number): number =>
      hours === null ? at : hours.opensAt(rules.zone || hours.zoneOf(number), at);
    const parts = [...groupsOf(held)].map((group) => this.#blockedRecipients(group, now, opens));
    if (hours === null) {
      return parts;
    }
    const final = parts.filter(({ verdict }) => verdict !== null);
    const gone = new Set(final.flatMap((part) => part.recipients));
    const closed = this.#closed(request, hours, now, gone);
    const late = new Set(closed.flatMap((part) => part.recipients));
    // Those whom a limit lets go on later wait for the hours first.
    const waiting = parts.flatMap((part) => {
      const left = part.recipients.filter((each) => !late.has(each));
      return part.verdict !== null || left.length === 0 ? [] : [{ ...part, recipients: left }];
    });
    return [...final, ...closed, ...waiting];
  }

  #hoursOf({ rules: { zone, category } }: ClaimedFacts): SendingHours | null {
    const { hours } = this.rules;
    return hours === null || zone === null || hours.isExempt(category) ? null : hours;
  }

  /** Recipients outside their sending hours, a part for each time at which those begin. */
  #closed(
    { recipients, rules }: ClaimedFacts,
    hours: SendingHours,
    now: number,
    gone: ReadonlySet<string>,
  ): readonly BlockedRecipients[] {
    let byOpening: Map<number, string[]> | null = null;
    for (const recipient of recipients) {
      const opensAt = gone.has(recipient) ? now : hours.opensAt(rules.zone || hours.zoneOf(recipient), now);
      if (opensAt > now) {
        byOpening ??= new Map();
        const group = byOpening.get(opensAt) ?? [];
        group.push(recipient);
        byOpening.set(opensAt, group);
      }
    }
    if (byOpening === null) {
      return NONE;
    }
    const { zone } = this.rules;
    return [...byOpening].map(([opensAt, numbers]) =>
      hours.refuses
        ? refused(numbers, { fault: "OUTSIDE_HOURS", numbers, at: opensAt, zone })
        : { recipients: numbers, verdict: null, until: opensAt, all: false },
    );
  }

  /** @param opens when a number may be sent to, from a time in epoch ms on, by the sending hours */
  #blockedRecipients(
    group: readonly BlockedNumber[],
    now: number,
    opens: (number: string, at: number) => number,
  ): BlockedRecipients {
    const { zone, limits } = this.rules;
    const numbers = group.map(({ number }) => number);
    const [first] = group as readonly [BlockedNumber, ...BlockedNumber[]];
    if (first.reason === "opted-out") {
      return refused(numbers, { fault: "OPTED_OUT", numbers });
    }
    if (first.reason === "limit") {
      const { period, single, most, never } = first.limit;
      const { hourEnds, dayEnds } = limitPeriods(now, limits?.zone ?? zone);
      const ends = period === "hour" ? hourEnds : dayEnds;
      // Those who wait for a limit of theirs wait for the hours as well, the first of them until then.
      const until = single ? Math.min(...numbers.map((number) => opens(number, ends))) : ends;
      const per = single ? "number" : "account";
      return never || limits?.refuses
        ? refused(numbers, { fault: "LIMIT_REACHED", numbers, per, period, limit: most, until: ends, zone })
        : { recipients: numbers, verdict: null, until, all: !single };
    }
    const uses = group.flatMap((held) => ("first" in held ? [{ number: held.number, ...held.first }] : []));
    const fault = first.reason === "already-sent" ? "ALREADY_SENT" : "KEY_REUSED";
    return refused(numbers, { fault, uses, zone });
  }
}

const refused = (recipients: readonly string[], reason: BlockReason): BlockedRecipients => ({
  recipients,
  verdict: blockVerdictOf(reason),
  until: 0,
  all: false,
});

/** Held numbers by what is done with them. */
function groupsOf(held: readonly BlockedNumber[]): Iterable<readonly BlockedNumber[]> {
  const groups = new Map<string, BlockedNumber[]>();
  for (const each of held) {
    const key =
      each.reason === "limit"
        ? `limit ${each.limit.period} ${each.limit.single} ${each.limit.never}`
        : each.reason;
    const group = groups.get(key) ?? [];
    group.push(each);
    groups.set(key, group);
  }
  return groups.values();
}
