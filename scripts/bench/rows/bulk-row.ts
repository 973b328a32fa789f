import type { BenchOptions } from "../options";
import { type BulkMeasured, RECIPIENTS, withSending } from "../sending";
import { figuresOf } from "../report/statistics";
import type { BenchRow, Figure } from "./row";

export const MB = 1e6;

/** The worst of all rounds: one recipient too few or too many is too bad. */
export const notReachedOnce = (samples: readonly BulkMeasured[]): Figure => ({
  name: "recipients not reached exactly once",
  value: Math.max(...samples.map(({ seen }) => seen.never + seen.moreOften)),
  unit: "",
});

/** One message with a list that becomes a thousand requests. */
export const BULK_ROW: BenchRow = {
  id: "bulk",
  run: ({ rounds }: BenchOptions) =>
    withSending(async function* (sending) {
      const samples: BulkMeasured[] = [];
      for (let round = 0; round < rounds; round++) {
        samples.push(await sending.bulk("sms-send"));
      }
      const of = figuresOf(samples);
      yield {
        situation: `one message to ${RECIPIENTS}`,
        figures: [
          of("time", "s", ({ seconds }) => seconds),
          of("longest standstill", "ms", ({ standstill }) => standstill.own),
          of("longest standstill by the clock", "ms", ({ standstill }) => standstill.byClock),
          of("memory growth", "MB", ({ growth }) => growth / MB),
          of("failed", "batches", ({ failed }) => failed),
          notReachedOnce(samples),
        ],
      };
    }),
};
