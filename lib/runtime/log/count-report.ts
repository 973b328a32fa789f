import { setImmediate as nextTurn } from "node:timers/promises";
import { Busy, Turns } from "../../shared/async/turns";
import { MOST_REPORT_DAYS } from "../../shared/fields/log-fields";
import { dayOf, daysOf } from "../../store/history/days-of-zone";
import { countInbound, countOutcomes, getFirst } from "../../store/history/report-counts";
import type { AccountStore } from "../store/open-store";
import { type ReportQuestion, ReportSum } from "./report-sum";

/** The store of an account, as far as a report needs it. */
export type ReportStore = Pick<AccountStore, "account" | "scope" | "store">;

const DAY = 86_400_000;
/** ms by which days with changes of clocks may be longer together. */
const CHANGED_CLOCKS = 3_600_000;

/** Reports that may wait before a person has to ask again. Of several accounts, a look of a person is one for each. */
const MOST_WAITING = 20;
/** Of people and flows: one at a time, since each reads as fast as it can. */
const turns = new Turns(MOST_WAITING);

const longest = (step: ReportQuestion["step"]): number => MOST_REPORT_DAYS[step] * DAY + CHANGED_CLOCKS;

/** Whether a period is longer than a report with such steps may be. Epoch ms. */
export const isTooLong = (from: number, to: number, step: ReportQuestion["step"]): boolean =>
  to - from > longest(step);

/**
 * Counts what became of the messages of a period: for message-log, and for whoever else shows a report. `reportOf` puts it into words. It begins nothing
 * else, reads beside whoever writes, and holds the event loop for some milliseconds at a time at most.
 * @param question a period without a beginning begins with the day of the oldest message, or later: a report has a longest period
 * @param zone IANA name, whose days are counted
 * @param isThere of a person who waits for it, asked when it is its turn: nothing is counted for who has left. Absent for a flow, which nobody asks again
 * @throws StoreError; RangeError for a period that `isTooLong`; Busy for a person where too many wait, and for who has left (all as a rejection)
 */
export function countReport(
  place: ReportStore,
  question: ReportQuestion,
  zone: string,
  isThere?: () => boolean,
): Promise<ReportSum> {
  const count = (): Promise<ReportSum> => sumOf(place, question, zone);
  if (isThere === undefined) {
    return turns.wait(count);
  }
  return turns.take(() => (isThere() ? count() : Promise.reject(new Busy())));
}

async function sumOf(
  { account, scope, store: { engine } }: ReportStore,
  question: ReportQuestion,
  zone: string,
): Promise<ReportSum> {
  const { to, step } = question;
  const from =
    question.from ??
    Math.max(
      Math.min(dayOf((await getFirst(engine, account, scope)) ?? to, zone).starts, to),
      to - MOST_REPORT_DAYS[step] * DAY,
    );
  if (isTooLong(from, to, step)) {
    throw new RangeError(`a report of ${to - from} ms`);
  }
  const days = [...daysOf(from, to, zone)];
  const sum = new ReportSum({ ...question, from }, days, zone);
  for (const day of days) {
    sum.addInbound(await countInbound(engine, scope, day, step));
  }
  for await (const counts of countOutcomes(engine, account, days, step)) {
    await nextTurn();
    await sum.addOutcomes(counts);
  }
  return sum;
}
