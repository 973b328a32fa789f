import { formatNumber } from "../../../lib/texts/format-number";
import { say } from "../../../lib/texts/say";
import { sayTime } from "../../../lib/texts/say-time";
import { refusalSentence } from "../../../lib/runtime/account/refusal-texts";
import { byteSize } from "../../../lib/runtime/store/check/found-store";
import type { Found } from "./account-state";

/** Milliseconds that messages may wait without an accepted one. A rate limit still accepts some. */
export const STUCK_AFTER = 10 * 60_000;
/** Milliseconds after which a failure before the start of this process no longer counts: the restart may have solved it. */
export const OLD_AFTER = 60 * 60_000;
/** Bytes; enough for some hours of messages. */
const LEAST_FREE = 100 * 1024 * 1024;

const time = (at: number): string => sayTime(at, "");

/** Epoch ms since when sendable messages wait; null for a short wait, or if some were accepted. At most `accountSince`. */
function stuckSince({ now, present, last, firstSince, accountSince }: Found): number | null {
  const { oldest = null, nextDue = null, sendingSince = null } = present ?? {};
  const all = [oldest, nextDue, sendingSince, firstSince].filter((at) => at !== null && at <= now);
  const since = all.length === 0 ? null : Math.min(...(all as number[]));
  const isLong = (at: number): boolean => Math.max(at, accountSince) <= now - STUCK_AFTER;
  const wasAccepted = last.acceptedAt !== null && last.acceptedAt > now - STUCK_AFTER;
  return since !== null && isLong(since) && !wasAccepted ? since : null;
}

/** Returns the last failure that the next message would meet too, unless a message was accepted since. */
function lastingFailure({ now, last: { lasting, acceptedAt }, startedAt }: Found): Found["last"]["lasting"] {
  if (lasting === null || (acceptedAt !== null && lasting.time <= acceptedAt)) {
    return null;
  }
  return lasting.time >= startedAt || lasting.time > now - OLD_AFTER ? lasting : null;
}

/** One or two sentences for each cause, the user's own settings first. Blank for a healthy account. */
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
    const n = formatNumber(present?.mayLeave ?? 0);
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
