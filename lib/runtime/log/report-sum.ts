import { inSlices } from "../../shared/async/in-slices";
import type { ReportTotals } from "../../shared/history/report";
import { OUTCOMES, SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import { dateOf } from "../../shared/schedule/zoned-time";
import type { ReportCount, ReportDay } from "../../store/history/report-counts";
import type { CountedDay } from "../../store/history/report-days";
import { deliveryKind } from "../store/history/message-record";

/** Words for what has no outcome yet, and for what no report has come of. */
export const OPEN = "open";
export const NO_REPORT = "none";

/** What of the counts is wanted, and how it is put. */
export interface ReportQuestion {
  /** Epoch ms; null for the day of the oldest message. */
  readonly from: number | null;
  readonly to: number;
  readonly step: "day" | "hour";
  readonly node?: string | undefined;
  readonly channel?: string | undefined;
  readonly outcome?: ShownOutcome | undefined;
}

/** An hour or a day, from this epoch ms on. */
export interface StepSum extends ReportTotals {
  readonly from: number;
  /** Its date in the zone of the report, as yyyy-mm-dd. */
  readonly day: string;
  readonly replies: number;
  readonly optOuts: number;
}

/** What failures have in common: a status that was reported, or an operation with its code, fault and outcome. */
export type ReasonKey =
  | { readonly delivery: string }
  | Pick<ReportCount, "operation" | "code" | "fault" | "outcome">;

const HOUR = 3_600_000;

/** Sums that are still being made. */
class Sum implements ReportTotals {
  messages = 0;
  segments = 0;
  delivered = 0;
  read = 0;
  failed = 0;
  skipped = 0;

  add(count: ReportCount): void {
    const kind = count.delivery === null ? null : deliveryKind(count.delivery);
    this.messages += count.count;
    this.segments += count.segments;
    this.delivered += kind === "delivered" || kind === "read" ? count.count : 0;
    this.read += kind === "read" ? count.count : 0;
    this.failed += isFailed(count) ? count.count : 0;
    this.skipped += count.outcome === "skipped" && kind === null ? count.count : 0;
  }

  get totals(): ReportTotals {
    const { messages, segments, delivered, read, failed, skipped } = this;
    return { messages, segments, delivered, read, failed, skipped };
  }
}

/** What a report says counts more than the answer did. */
function isFailed({ outcome, delivery }: ReportCount): boolean {
  const kind = delivery === null ? null : deliveryKind(delivery);
  const isRefused =
    outcome !== null && outcome !== "skipped" && outcome !== "unknown" && OUTCOMES[outcome].failure;
  return kind === "failed" || (isRefused && kind === null);
}

function reasonKey({ delivery, operation, code, fault, outcome }: ReportCount): ReasonKey {
  const isReported = delivery !== null && deliveryKind(delivery) === "failed";
  // The same code means the same in operations of a style mostly; where it does not, they are two reasons.
  return isReported ? { delivery } : { operation, code, fault, outcome };
}

/** Adds counts by a key. Words of the service are keys here, so no name that objects have by themselves may be special. */
function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** What was counted of a period, summed up day by day. Texts are made of it by `reportOf`, in the language of whoever reads it. */
export class ReportSum {
  readonly #all = new Sum();
  readonly #nodes = new Map<string, Sum>();
  readonly byDelivery = new Map([[NO_REPORT, 0]]);
  readonly byOutcome = Object.fromEntries([...SHOWN_OUTCOMES, OPEN].map((each) => [each, 0])) as Record<
    ShownOutcome | typeof OPEN,
    number
  >;
  /** By channel, outcome and status, as a JSON array. */
  readonly rows = new Map<string, number>();
  /** By `ReasonKey` as JSON. */
  readonly reasons = new Map<string, number>();
  /** By bucket. */
  readonly delays = new Map<number, number>();
  readonly steps: StepSum[] = [];
  replies = 0;
  optOuts = 0;

  /** @param question with its begin, epoch ms @param zone IANA name, of its days */
  constructor(
    readonly question: ReportQuestion & { readonly from: number },
    private readonly zone: string,
  ) {}

  get totals(): ReportTotals {
    return this.#all.totals;
  }

  get nodes(): readonly (ReportTotals & { readonly node: string })[] {
    return [...this.#nodes].map(([node, sum]) => ({ node, ...sum.totals }));
  }

  /** Adds the next day. The event loop is not held, however many nodes and outcomes it has. */
  async add({ day, counts, optOuts }: CountedDay): Promise<void> {
    const { node, channel, outcome } = this.question;
    const isWanted = (count: Pick<ReportCount, "node" | "channel" | "outcome">): boolean =>
      (node === undefined || count.node === node) &&
      (channel === undefined || count.channel === channel) &&
      (outcome === undefined || count.outcome === outcome);
    const steps = new Steps(day, this.question.step);
    await inSlices(counts.people, (slice) => {
      for (const count of slice.filter(isWanted)) {
        this.#addPeople(count);
        steps.at(count.hour)?.sum.add(count);
      }
    });
    await inSlices(counts.delays, (slice) => {
      for (const { bucket, count } of slice.filter(isWanted)) {
        addTo(this.delays, bucket, count);
      }
    });
    for (const { hour, count } of counts.replies) {
      steps.add(hour, "replies", count);
    }
    for (const { hour, count } of optOuts) {
      steps.add(hour, "optOuts", count);
    }
    const date = dateOf(day.from, this.zone);
    for (const { from, sum, ...wrote } of steps.all) {
      this.replies += wrote.replies;
      this.optOuts += wrote.optOuts;
      this.steps.push({ from, day: date, ...sum.totals, ...wrote });
    }
  }

  #addPeople(count: ReportCount): void {
    this.#all.add(count);
    const ofNode = this.#nodes.get(count.node) ?? new Sum();
    this.#nodes.set(count.node, ofNode);
    ofNode.add(count);
    const ended = count.outcome ?? OPEN;
    const delivery = count.delivery ?? NO_REPORT;
    this.byOutcome[ended] += count.count;
    addTo(this.byDelivery, delivery, count.count);
    addTo(this.rows, JSON.stringify([count.channel, ended, delivery]), count.count);
    if (isFailed(count)) {
      addTo(this.reasons, JSON.stringify(reasonKey(count)), count.count);
    }
  }
}

/** The hours of a day, or all of it, as far as they are asked for. */
class Steps {
  readonly all: readonly { readonly from: number; readonly sum: Sum; replies: number; optOuts: number }[];
  readonly #first: number | null;

  constructor({ starts, from, to }: ReportDay, step: ReportQuestion["step"]) {
    const first = Math.floor((from - starts) / HOUR);
    const last = Math.ceil((to - starts) / HOUR) - 1;
    this.#first = step === "day" ? null : first;
    this.all = Array.from({ length: step === "day" ? 1 : last - first + 1 }, (_unused, at) => ({
      from: step === "day" ? Math.max(starts, from) : Math.max(from, starts + (first + at) * HOUR),
      sum: new Sum(),
      replies: 0,
      optOuts: 0,
    }));
  }

  at(hour: number): (typeof this.all)[number] | undefined {
    return this.all[this.#first === null ? 0 : hour - this.#first];
  }

  add(hour: number, what: "replies" | "optOuts", count: number): void {
    const step = this.at(hour);
    if (step !== undefined) {
      step[what] += count;
    }
  }
}
