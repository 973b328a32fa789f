import { getCodeVerdict } from "../../../lib/gateway/codec/verdict";
import { LOCAL_FAULTS, type LocalFault } from "../../../lib/gateway/contract/local-outcomes";
import type { Outcome } from "../../../lib/shared/outcomes";
import type { HistoryEntry } from "../../../lib/store/history/history-entry";
import { acceptedNear } from "../../../lib/store/history/present";
import { retold } from "../../../lib/texts/say";
import {
  type FailedResult,
  isFailure,
  type LastFailure,
  type LastResults,
  tellingOf,
} from "../../../lib/runtime/results/last-results";
import { plainReason } from "../../../lib/runtime/results/plain-reason";
import { instantOf, messageRecord, getStatusName } from "../../../lib/runtime/store/history/message-record";
import type { AccountStore } from "../../../lib/runtime/store/open-store";

export interface ShownFailure {
  readonly at: string;
  readonly outcome: string;
  readonly statusCode: number | null;
  readonly statusName: string | null;
  /** In Node-RED's language, without values of the message. */
  readonly reason: string;
  readonly advice: string | null;
}

/** The last results of an account, in this process and in the others that share its store. */
export interface LastOfAll {
  /** Epoch ms; null if none is known. */
  readonly acceptedAt: number | null;
  readonly failure: ShownFailure | null;
  readonly lasting: (ShownFailure & { readonly time: number }) | null;
}

const [MOST, BUDGET] = [20, 2_000];
const ACCEPTED = ["sent", "queued"] as const;
const FAILED = ["rejected", "denied", "retry-later", "unknown"] as const;

type Timed = ShownFailure & { readonly time: number };

function adviceOf(result: FailedResult): string {
  const { operation, statusName, source, advice } = result;
  const isFault = source === "local" && Object.hasOwn(LOCAL_FAULTS, statusName);
  const fault = isFault ? (statusName as LocalFault) : null;
  return retold(advice, () => getCodeVerdict(operation, { ...result, fault })?.advice ?? "");
}

const ofProcess = ({ at, result }: LastFailure): Timed => ({
  time: at,
  at: instantOf(at),
  outcome: result.outcome,
  statusCode: result.statusCode,
  statusName: result.statusName,
  reason: plainReason(result),
  advice: adviceOf(result),
});

function ofStore(entry: HistoryEntry, outcome: Outcome): Timed {
  const { statusCode, statusName, source, advice } = messageRecord(entry);
  const time = getSettledAt(entry);
  const reason = plainReason({ operation: entry.operation, outcome, statusCode, statusName, source });
  return { time, at: instantOf(time), outcome, statusCode, statusName, reason, advice };
}

const latest = <Each>(all: readonly Each[], getTime: (each: Each) => number): Each | null =>
  all.reduce<Each | null>(
    (best, each) => (best === null || getTime(each) > getTime(best) ? each : best),
    null,
  );

const getTime = ({ time }: Timed): number => time;
const getSettledAt = ({ settledAt, takenAt }: HistoryEntry): number => settledAt ?? takenAt;

interface Ended {
  readonly entry: HistoryEntry;
  readonly outcome: Outcome;
  readonly name: string | null;
  readonly at: number;
}

/** Newest failures without cancelled messages. A search by outcome does not find skipped ones. */
async function readFailures({ store, account }: AccountStore): Promise<readonly Ended[]> {
  const all: Ended[] = [];
  for (const outcome of FAILED) {
    const { entries } = await store.history.look({ account, outcome }, null, MOST, BUDGET);
    const ended = entries.map((entry) => ({
      entry,
      outcome,
      name: getStatusName(entry),
      at: getSettledAt(entry),
    }));
    all.push(...ended.filter(({ entry, name }) => entry.settledBy !== "cancel" && isFailure(outcome, name)));
  }
  return all;
}

const getAt = ({ at }: Ended): number => at;

/** Returns the last failure that the next message would probably meet too. @param since epoch ms */
function findLasting(all: readonly Ended[], since: number): Ended | null {
  const ofNext = all.flatMap((each) => {
    // Refusals of list messages cannot be told apart in the store; each process knows its own.
    const isAnswer = each.entry.settledBy === "response" && each.outcome !== "rejected";
    const telling = isAnswer ? tellingOf(each.outcome, each.name) : null;
    return telling === null || each.at <= since ? [] : [{ ...each, telling }];
  });
  const inRow = new Set(ofNext.map(({ entry }) => entry.request)).size;
  return latest(
    ofNext.filter(({ telling }) => inRow >= telling),
    getAt,
  );
}

export interface LastOfStore {
  readonly acceptedAt: number | null;
  readonly failure: Timed | null;
  readonly lasting: Timed | null;
}

/** @param first id of the next request, or null @throws StoreError (as a rejection) */
export async function lastOfStore(kept: AccountStore, first: number | null): Promise<LastOfStore> {
  const { store, account } = kept;
  const accepted: number[] = [];
  for (const outcome of ACCEPTED) {
    const { entries } = await store.history.look({ account, outcome }, null, MOST, BUDGET);
    accepted.push(...entries.map(getSettledAt));
  }
  const ended = await readFailures(kept);
  for (const request of [first, findLasting(ended, Math.max(0, ...accepted))?.entry.request ?? null]) {
    // Behind a long queue, the newest messages are not the accepted ones.
    const at = request === null ? null : await acceptedNear(store.engine, account, request);
    accepted.push(...(at === null ? [] : [at]));
  }
  const timed = (found: Ended | null): Timed | null =>
    found === null ? null : ofStore(found.entry, found.outcome);
  return {
    acceptedAt: accepted.length === 0 ? null : Math.max(...accepted),
    failure: timed(latest(ended, getAt)),
    lasting: timed(findLasting(ended, Math.max(0, ...accepted))),
  };
}

export function lastOfAll(kept: LastOfStore | null, here: LastResults): LastOfAll {
  const known = <Each>(...all: readonly (Each | null | undefined)[]): readonly Each[] =>
    all.filter((each) => each != null);
  const accepted = known(here.acceptedAt, kept?.acceptedAt);
  const failure = latest(known(here.failure && ofProcess(here.failure), kept?.failure), getTime);
  return {
    acceptedAt: accepted.length === 0 ? null : Math.max(...accepted),
    failure: failure === null ? null : withoutTime(failure),
    lasting: latest(known(here.lastingFailure && ofProcess(here.lastingFailure), kept?.lasting), getTime),
  };
}

const withoutTime = ({ time: _time, ...shown }: Timed): ShownFailure => shown;
