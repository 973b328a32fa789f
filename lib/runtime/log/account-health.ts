import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { sayTime } from "../../texts/say-time";
import { byteSize } from "../store/check/found-store";
import type { Found } from "./account-state";

/** ms that messages may wait without one being accepted. A limit of requests a second does not count: some are accepted then. */
export const STUCK_AFTER = 10 * 60_000;
/** Bytes of a disk below which it is nearly full: enough for some hours of messages. */
const LEAST_FREE = 100 * 1024 * 1024;

const time = (at: number): string => sayTime(at, "");

/** Since when messages wait that could have left; null where that is not long, or some were accepted meanwhile. Epoch ms. */
function stuckSince({ now, present, last, stuckSince: seen, mayLeave }: Found): number | null {
  const isLong = (since: number | null): since is number => since !== null && since <= now - STUCK_AFTER;
  const wasAccepted = last.acceptedAt !== null && last.acceptedAt > now - STUCK_AFTER;
  // Right after a start what has waited since before is sent just now.
  const isNew = process.uptime() * 1000 < STUCK_AFTER;
  const oldest = isNew || mayLeave === 0 ? null : (present?.oldest ?? null);
  const all = [seen, oldest].filter(isLong);
  return wasAccepted || all.length === 0 ? null : Math.min(...all);
}

/** Why an account is not healthy, one sentence or two for each cause, what a person has done first. Blank for a healthy one. */
export function healthReasons(found: Found): readonly string[] {
  const { fault, storeFault, stopped, present, limits, freeBytes, last } = found;
  const reasons: string[] = [];
  if (stopped !== null) {
    reasons.push(
      stopped.since === null
        ? say("record.health.stoppedBySettings")
        : say("record.health.stopped", { time: time(stopped.since) }),
    );
  }
  if (fault !== null) {
    reasons.push(say("record.health.settings", { problem: fault }));
  }
  if (storeFault !== null) {
    reasons.push(say("record.health.store", { problem: storeFault }));
  }
  const since = stuckSince(found);
  if (since !== null && stopped === null) {
    const n = formatNumber(found.mayLeave);
    reasons.push(say("record.health.stuck", { n, time: time(since) }));
  }
  const { lasting, acceptedAt } = last;
  if (lasting !== null && (acceptedAt === null || lasting.time > acceptedAt)) {
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
  if (present !== null && present.parked > 0) {
    reasons.push(say("record.health.withoutNode", { n: formatNumber(present.parked) }));
  }
  if (freeBytes !== null && freeBytes < LEAST_FREE) {
    reasons.push(say("record.health.disk", { free: byteSize(freeBytes) }));
  }
  return reasons;
}
