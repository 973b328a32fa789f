import { statfs } from "node:fs/promises";
import { SetupError } from "../../../lib/shared/messaging-error";
import { StoreError } from "../../../lib/store/engine/store-error";
import { type Present, presentOf } from "../../../lib/store/history/present";
import type { Account } from "../../../lib/runtime/account/account";
import type { LastResults } from "../../../lib/runtime/results/last-results";
import { limitPeriods } from "../../../lib/runtime/guards/limit-periods";
import type { LimitSettings } from "../../../lib/runtime/guards/limit-settings";
import { instantOf } from "../../../lib/runtime/store/history/message-record";
import type { AccountStore } from "../../../lib/runtime/store/open-store";
import { healthReasons } from "./account-health";
import type { AccountState, Found, LimitState } from "./account-state";
import { type LastOfStore, lastOfAll, lastOfStore } from "./last-of-all";
import { RecentLooks } from "./recent-looks";

const HOUR = 3_600_000;
const NO_LIMITS = { hour: null, day: null } as const;
const orNull = (at: number | null): string | null => (at === null ? null : instantOf(at));

function toWords(error: unknown): string {
  if (error instanceof SetupError || error instanceof StoreError) {
    return error.message;
  }
  throw error;
}

/** Collects the state of an account without starting anything. Errors of the account are part of the state. */
export async function findState(account: Account, here: LastResults, now: number): Promise<AccountState> {
  const settings = await account.readSettings().catch(toWords);
  const [fault, known] = typeof settings === "string" ? [settings, null] : [null, settings];
  const limits = known?.protection.limits ?? null;
  const { hourStarts, dayStarts } = limitPeriods(now, known?.protection.zone ?? "UTC");
  let [kept, present, storeFault]: [AccountStore | null, Present | null, string | null] = [null, null, null];
  let ofStore: LastOfStore | null = null;
  try {
    const place = await account.store();
    kept = place;
    const { destination } = account;
    const asked = {
      account: place.account,
      destination,
      now,
      hourStarts,
      dayStarts,
      unknownSince: now - HOUR,
    };
    const looks = RecentLooks.of(here);
    const { engine } = place.store;
    const counts = await looks.present(now, () => presentOf(engine, asked));
    ofStore = await looks.last(now, () => lastOfStore(place, counts.first));
    present = counts;
  } catch (error) {
    storeFault = toWords(error);
  }
  const last = lastOfAll(ofStore, here);
  const { rate, refused } = account.sending;
  const { stop } = account;
  const first = stop.isOn ? null : (present?.first ?? null);
  const spent = present && { hour: present.spentHour, day: present.spentDay };
  const freeBytes = await readFreeBytes(kept);
  const found: Found = {
    now,
    fault,
    storeFault,
    stopped: stop.isOn ? { since: stop.since } : null,
    refused,
    present,
    startedAt: now - process.uptime() * 1_000,
    accountSince: account.sending.since,
    limits: spent === null ? NO_LIMITS : limitStates(limits, spent, now),
    freeBytes,
    last,
    firstSince: here.seen(first, now),
  };
  const reasons = healthReasons(found);
  const perSecond = known?.gateway.requestsPerSecond ?? 0;
  return {
    at: instantOf(now),
    healthy: reasons.length === 0,
    reasons,
    stopped: stop.isOn,
    refused: refused.map(({ signIn }) => signIn),
    waiting: present && present.ready + present.waiting,
    nextDue: orNull(present?.nextDue ?? null),
    oldestWaiting: orNull(present?.oldest ?? null),
    sending: present?.sending ?? null,
    heldBack: present && heldBack(present),
    rate: {
      perSecond: perSecond > 0 ? perSecond : null,
      pausedUntil: rate === null || rate.blockedFor === 0 ? null : instantOf(now + rate.blockedFor),
    },
    limits: found.limits,
    store: kept && {
      place: kept.store.engine.place,
      bytes: present?.bytes ?? null,
      freeBytes,
      lastCommit: orNull(kept.store.engine.committedAt),
    },
    lastAccepted: orNull(last.acceptedAt),
    lastFailure: last.failure,
    unknownOfHour: present?.unknown ?? null,
  };
}

const heldBack = ({ waiting, forRule, forRetry, paused, orphaned }: Present): AccountState["heldBack"] => ({
  scheduled: waiting - forRule - forRetry,
  rules: forRule,
  retry: forRetry,
  paused,
  withoutNode: orphaned,
});

function limitStates(
  limits: LimitSettings | null,
  spent: { readonly hour: number; readonly day: number },
  now: number,
): AccountState["limits"] {
  if (limits === null) {
    return NO_LIMITS;
  }
  const { hourEnds, dayEnds } = limitPeriods(now, limits.zone);
  const stateOf = (limit: number | null, used: number, ends: number): LimitState | null =>
    limit === null ? null : { limit, used, left: Math.max(0, limit - used), ends: instantOf(ends) };
  return {
    hour: stateOf(limits.hour, spent.hour, hourEnds),
    day: stateOf(limits.day, spent.day, dayEnds),
  };
}

/** Null without a folder, or if the system does not report it. */
async function readFreeBytes(kept: AccountStore | null): Promise<number | null> {
  const folder = kept?.settings.folder;
  if (folder === undefined) {
    return null;
  }
  const disk = await statfs(folder).catch(() => null);
  return disk === null ? null : disk.bavail * disk.bsize;
}
