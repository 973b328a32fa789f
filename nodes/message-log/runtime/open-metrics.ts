import { say } from "../../../lib/texts/say";
import type { AccountState, LimitState } from "./account-state";

export const METRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Labels are words of this file, never numbers, texts or ids of recipients. */
type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>];

/** Named by the rules of Prometheus: prefix, measure, base unit. All metrics are gauges. */
export interface Metric {
  readonly name: string;
  readonly unit?: "bytes" | "seconds";
  readonly help: Parameters<typeof say>[0];
  readonly label?: { readonly name: string; readonly words: readonly string[] };
  readonly samples: (state: AccountState) => readonly Sample[];
}

const PERIODS = ["hour", "day"] as const;
const PERIOD = { name: "period", words: PERIODS } as const;
const REASONS = { name: "reason", words: ["scheduled", "rules", "retry", "paused", "without_node"] } as const;

const one = (value: number | null | undefined): readonly Sample[] => (value == null ? [] : [[value]]);
const flag = (value: boolean): readonly Sample[] => [[value ? 1 : 0]];
const instant = (time: string | null | undefined): readonly Sample[] =>
  time == null ? [] : [[Date.parse(time) / 1000]];
const ofPeriods = ({ limits }: AccountState, part: (limit: LimitState) => number): readonly Sample[] =>
  PERIODS.flatMap((period): readonly Sample[] => {
    const limit = limits[period];
    return limit === null ? [] : [[part(limit), { period }]];
  });

export const METRICS: readonly Metric[] = [
  { name: "messaging_healthy", help: "record.metrics.healthy", samples: ({ healthy }) => flag(healthy) },
  { name: "messaging_stopped", help: "record.metrics.stopped", samples: ({ stopped }) => flag(stopped) },
  {
    name: "messaging_waiting_requests",
    help: "record.metrics.waiting",
    samples: ({ waiting }) => one(waiting),
  },
  {
    name: "messaging_sending_requests",
    help: "record.metrics.sending",
    samples: ({ sending }) => one(sending),
  },
  {
    name: "messaging_held_back_requests",
    help: "record.metrics.heldBack",
    label: REASONS,
    samples: ({ heldBack }) =>
      heldBack === null
        ? []
        : [
            [heldBack.scheduled, { reason: "scheduled" }],
            [heldBack.rules, { reason: "rules" }],
            [heldBack.retry, { reason: "retry" }],
            [heldBack.paused, { reason: "paused" }],
            [heldBack.withoutNode, { reason: "without_node" }],
          ],
  },
  {
    name: "messaging_next_due_timestamp_seconds",
    unit: "seconds",
    help: "record.metrics.nextDue",
    samples: ({ nextDue }) => instant(nextDue),
  },
  {
    name: "messaging_oldest_waiting_timestamp_seconds",
    unit: "seconds",
    help: "record.metrics.oldestWaiting",
    samples: ({ oldestWaiting }) => instant(oldestWaiting),
  },
  {
    name: "messaging_rate_limit_requests_per_second",
    help: "record.metrics.rateLimit",
    samples: ({ rate }) => one(rate.perSecond),
  },
  {
    name: "messaging_paused_until_timestamp_seconds",
    unit: "seconds",
    help: "record.metrics.pausedUntil",
    samples: ({ rate }) => instant(rate.pausedUntil),
  },
  {
    name: "messaging_limit_messages",
    help: "record.metrics.limit",
    label: PERIOD,
    samples: (state) => ofPeriods(state, ({ limit }) => limit),
  },
  {
    name: "messaging_limit_used_messages",
    help: "record.metrics.limitUsed",
    label: PERIOD,
    samples: (state) => ofPeriods(state, ({ used }) => used),
  },
  {
    name: "messaging_limit_left_messages",
    help: "record.metrics.limitLeft",
    label: PERIOD,
    samples: (state) => ofPeriods(state, ({ left }) => left),
  },
  {
    name: "messaging_store_size_bytes",
    unit: "bytes",
    help: "record.metrics.storeSize",
    samples: ({ store }) => one(store?.bytes),
  },
  {
    name: "messaging_store_free_bytes",
    unit: "bytes",
    help: "record.metrics.storeFree",
    samples: ({ store }) => one(store?.freeBytes),
  },
  {
    name: "messaging_store_last_commit_timestamp_seconds",
    unit: "seconds",
    help: "record.metrics.lastCommit",
    samples: ({ store }) => instant(store?.lastCommit),
  },
  {
    name: "messaging_last_accepted_timestamp_seconds",
    unit: "seconds",
    help: "record.metrics.lastAccepted",
    samples: ({ lastAccepted }) => instant(lastAccepted),
  },
  {
    name: "messaging_last_failure_timestamp_seconds",
    unit: "seconds",
    help: "record.metrics.lastFailure",
    samples: ({ lastFailure }) => instant(lastFailure?.at),
  },
  {
    name: "messaging_unknown_last_hour_messages",
    help: "record.metrics.unknown",
    samples: ({ unknownOfHour }) => one(unknownOfHour),
  },
];

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

function toLine(name: string, [value, labels = {}]: Sample): string {
  const all = Object.entries(labels).map(([label, word]) => `${label}="${escaped(word)}"`);
  return `${name}${all.length === 0 ? "" : `{${all.join(",")}}`} ${value}`;
}

/** Writes a state as OpenMetrics text 1.0, without unknown values. */
export function openMetrics(state: AccountState): string {
  const lines = METRICS.flatMap(({ name, unit, help, samples }) => {
    const found = samples(state);
    return found.length === 0
      ? []
      : [
          `# TYPE ${name} gauge`,
          ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
          `# HELP ${name} ${escaped(say(help))}`,
          ...found.map((sample) => toLine(name, sample)),
        ];
  });
  return `${[...lines, "# EOF"].join("\n")}\n`;
}
