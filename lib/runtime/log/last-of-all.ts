import type { Outcome } from "../../shared/outcomes";
import type { HistoryEntry } from "../../store/history/history";
import { isFailure, isLasting, type LastFailure, type LastResults } from "../activity/last-results";
import { plainReason } from "../activity/plain-reason";
import { instantOf, messageRecord, statusNameOf } from "../store/history/message-record";
import type { AccountStore } from "../store/open-store";

/** The last message that failed, as flows see it. */
export interface ShownFailure {
  readonly at: string;
  readonly outcome: string;
  readonly statusCode: number | null;
  readonly statusName: string | null;
  /** What it means, and what to do, in Node-RED's language. No value of the message is in them. */
  readonly reason: string;
  readonly advice: string | null;
}

/** What came of an account's messages last, in this process and in the others that share its store. */
export interface LastOfAll {
  /** Epoch ms; null where none is known. */
  readonly acceptedAt: number | null;
  readonly failure: ShownFailure | null;
  /** The last one that the next message would probably meet as well, and its time. */
  readonly lasting: (ShownFailure & { readonly time: number }) | null;
}

/** Newest entries of an outcome that are looked at, and messages that are gone through for them. */
const [MOST, BUDGET] = [20, 2_000];
const ACCEPTED = ["sent", "queued"] as const;
const FAILED = ["rejected", "denied", "retry-later", "unknown"] as const;

type Timed = ShownFailure & { readonly time: number };

const ofProcess = ({ at, outcome, statusCode, statusName, details }: LastFailure): Timed => ({
  time: at,
  at: instantOf(at),
  outcome,
  statusCode,
  statusName,
  reason: details?.plainReason ?? "",
  advice: details?.advice ?? null,
});

function ofStore(entry: HistoryEntry, outcome: Outcome): Timed {
  const { statusCode, statusName, source, advice } = messageRecord(entry);
  const time = settledOf(entry);
  const reason = plainReason({ operation: entry.operation, outcome, statusCode, statusName, source });
  return { time, at: instantOf(time), outcome, statusCode, statusName, reason, advice };
}

const latest = <Each>(all: readonly Each[], timeOf: (each: Each) => number): Each | null =>
  all.reduce<Each | null>((best, each) => (best === null || timeOf(each) > timeOf(best) ? each : best), null);

const timeOf = ({ time }: Timed): number => time;
const settledOf = ({ settledAt, takenAt }: HistoryEntry): number => settledAt ?? takenAt;

/** @param kept null for an account without a store @throws StoreError (as a rejection) */
export async function lastOfAll(kept: AccountStore | null, here: LastResults): Promise<LastOfAll> {
  const failures: Timed[] = [];
  const lasting: Timed[] = [];
  const accepted: number[] = here.acceptedAt === null ? [] : [here.acceptedAt];
  if (here.failure !== null) {
    failures.push(ofProcess(here.failure));
  }
  if (here.lastingFailure !== null) {
    lasting.push(ofProcess(here.lastingFailure));
  }
  if (kept !== null) {
    const newest = async (outcome: (typeof ACCEPTED | typeof FAILED)[number]) =>
      (await kept.store.history.look({ account: kept.account, outcome }, null, MOST, BUDGET)).entries;
    for (const outcome of ACCEPTED) {
      accepted.push(...(await newest(outcome)).map(settledOf));
    }
    for (const outcome of FAILED) {
      // A search for an outcome does not find what a rule kept back, which is no failure.
      const ended = (await newest(outcome))
        .map((entry) => ({ entry, name: statusNameOf(entry) }))
        .filter(({ entry, name }) => entry.settledBy !== "cancel" && isFailure(outcome, name));
      const isOfNext = ({ entry, name }: (typeof ended)[number]): boolean =>
        entry.settledBy === "answer" && isLasting(outcome, name);
      for (const [found, into] of [
        [ended, failures],
        [ended.filter(isOfNext), lasting],
      ] as const) {
        const last = latest(found, ({ entry }) => settledOf(entry));
        if (last !== null) {
          into.push(ofStore(last.entry, outcome));
        }
      }
    }
  }
  const failure = latest(failures, timeOf);
  return {
    acceptedAt: accepted.length === 0 ? null : Math.max(...accepted),
    failure: failure === null ? null : withoutTime(failure),
    lasting: latest(lasting, timeOf),
  };
}

const withoutTime = ({ time: _time, ...shown }: Timed): ShownFailure => shown;
