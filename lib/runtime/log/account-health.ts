import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { sayTime } from "../../texts/say-time";
import { refusalSentence } from "../account/refusal-texts";
import { byteSize } from "../store/check/found-store";
import type { Found } from "./account-state";

/** ms that messages may wait without one being accepted. A limit of requests a second does not count: some are accepted then. */
export const STUCK_AFTER = 10 * 60_000;
/** ms for which a failure of before the start of this process counts: what a restart was to mend is mended, perhaps. */
export const OLD_AFTER = 60 * 60_000;
/** Bytes of a disk below which it is nearly full: enough for some hours of messages. */
const LEAST_FREE = 100 * 1024 * 1024;

const time = (at: number): string => sayTime(at, "");

/**
 * Since when messages wait that could have left: those that are ready, are to be tried again or are overdue, and those that are sent and do not come
 * back. Null where that is not long, or some were accepted meanwhile. What has waited before this account began is sent just now. Epoch ms.
 */
function stuckSince({ now, present, last, firstSince, accountSince }: Found): number | null {
  const { oldest = null, nextDue = null, sendingSince = null } = present ?? {};
  const all = [oldest, nextDue, sendingSince, firstSince].filter((at) => at !== null && at <= now);
  const since = all.length === 0 ? null : Math.min(...(all as number[]));
  const isLong = (at: number): boolean => Math.max(at, accountSince) <= now - STUCK_AFTER;
  const wasAccepted = last.acceptedAt !== null && last.acceptedAt > now - STUCK_AFTER;
  return since !== null && isLong(since) && !wasAccepted ? since : null;
}

/** The last failure that the next message would meet as well, unless one was accepted since, or it is old. */
function lastingFailure({ now, last: { lasting, acceptedAt }, startedAt }: Found): Found["last"]["lasting"] {
  if (lasting === null || (acceptedAt !== null && lasting.time <= acceptedAt)) {
    return null;
  }
  return lasting.time >= startedAt || lasting.time > now - OLD_AFTER ? lasting : null;
}

/** Why an account is not healthy, one sentence or two for each cause, what a person has done first. Blank for a healthy one. */
export function healthReasons(found: Found): readonly string[] {
  const { fault, storeFault, stopped, refused, present, limits, freeBytes } = found;
  const reasons: string[] = [];
  if (stopped !== null) {
    reasons.push(
      stopped.since === null
        ? say("record.health.stoppedBySettings")
        : say("record.health.stopped", { time: time(stopped.since) }),
    );
  }
  reasons.push(...refused.map(refusalSentence));
  if (fault !== null) {
    reasons.push(say("record.health.settings", { problem: fault }));
  }
  if (storeFault !== null) {
    reasons.push(say("record.health.store", { problem: storeFault }));
  }
  const since = stuckSince(found);
  if (since !== null && stopped === null && refused.length === 0) {
    const n = formatNumber(found.mayLeave);
    reasons.push(say("record.health.stuck", { n, time: time(since) }));
  }
  const lasting = lastingFailure(found);
  if (lasting !== null) {
    const { reason, advice } = lasting;
    const values = { time: time(lasting.time), reason, advice: advice ?? "" };
    reasons.push(say("record.health.failed", values).trim());
  }
  for (const period of ["hour", "day"] as const) {
    const use = limits[period];
    if (use !== null && use.left === 0) {
      const ends = time(Date.parse(use.ends));
      reasons.push(say(`record.health.limit.${period}`, { limit: formatNumber(use.limit), time: ends }));
    }
  }
  if (present !== null && present.orphaned > 0) {
    reasons.push(say("record.health.withoutNode", { n: formatNumber(present.orphaned) }));
  }
  if (freeBytes !== null && freeBytes < LEAST_FREE) {
    reasons.push(say("record.health.disk", { free: byteSize(freeBytes) }));
  }
  return reasons;
}
