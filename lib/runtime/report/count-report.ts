import { setImmediate as nextTurn } from "node:timers/promises";
import { Busy, Turns } from "../../shared/async/turns";
import { MOST_REPORT_DAYS } from "../../shared/fields/log-fields";
import { dayOf, daysOf } from "../../store/history/days-of-zone";
import { countInbound, countOutcomes, getFirst } from "../../store/history/report-counts";
import type { AccountStore } from "../store/open-store";
import { type ReportQuestion, ReportSum } from "./report-sum";

export type ReportStore = Pick<AccountStore, "account" | "scope" | "store">;

const DAY = 86_400_000;
/** Milliseconds that days with clock changes may add. */
const CHANGED_CLOCKS = 3_600_000;

const MOST_WAITING = 20;
/** One report at a time, because each reads as fast as it can. */
const turns = new Turns(MOST_WAITING);

const longest = (step: ReportQuestion["step"]): number => MOST_REPORT_DAYS[step] * DAY + CHANGED_CLOCKS;

export const isTooLong = (from: number, to: number, step: ReportQuestion["step"]): boolean =>
  to - from > longest(step);

/** Counts the messages of a period in slices. @throws StoreError; RangeError if `isTooLong`; Busy for a full queue */
export function countReport(
  place: ReportStore,
  question: ReportQuestion,
  zone: string,
  isThere?: () => boolean,
): Promise<ReportSum> {
  const count = (): Promise<ReportSum> => sumUp(place, question, zone);
  if (isThere === undefined) {
    return turns.wait(count);
  }
  return turns.take(() => (isThere() ? count() : Promise.reject(new Busy())));
}

async function sumUp(
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
