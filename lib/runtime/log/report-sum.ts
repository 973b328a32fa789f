import { inSlices } from "../../shared/async/in-slices";
import type { ReportTotals } from "../../shared/history/report";
import { OUTCOMES, SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import { dateOf } from "../../shared/schedule/zoned-time";
import { type ReportDay, type ReportStep, startsOf } from "../../store/history/days-of-zone";
import type { InboundCounts, ReportCount } from "../../store/history/report-counts";
import { deliveryKind } from "../store/history/message-record";

/** Words for what has no outcome yet, and for what no report has come of. */
export const OPEN = "open";
export const NO_REPORT = "none";

/** What of the counts is wanted, and how it is put. */
export interface ReportQuestion {
  /** Epoch ms; null for the day of the oldest message. */
  readonly from: number | null;
  readonly to: number;
  readonly step: ReportStep;
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

/** A step whose sums change. */
interface OpenStep {
  readonly from: number;
  readonly day: string;
  readonly sum: Sum;
  replies: number;
  optOuts: number;
}

/** What failures have in common: a status that was reported, or an operation with its code, fault and outcome. */
export type ReasonKey =
  | { readonly delivery: string }
  | Pick<ReportCount, "operation" | "code" | "fault" | "outcome">;

/** Sums that are still being made. */
class Sum implements ReportTotals {
  messages = 0;
  segments = 0;
  simulated = 0;
  delivered = 0;
  read = 0;
  failed = 0;
  skipped = 0;

  add(count: ReportCount): void {
    const kind = count.delivery === null ? null : deliveryKind(count.delivery);
    this.messages += count.count;
    this.segments += count.segments;
    this.simulated += count.simulated * count.count;
    this.delivered += kind === "delivered" || kind === "read" ? count.count : 0;
    this.read += kind === "read" ? count.count : 0;
    this.failed += isFailed(count) ? count.count : 0;
    this.skipped += count.outcome === "skipped" && kind === null ? count.count : 0;
  }

  get totals(): ReportTotals {
    const { messages, segments, simulated, delivered, read, failed, skipped } = this;
    return { messages, segments, simulated, delivered, read, failed, skipped };
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

/** What was counted of a period. `reportOf` makes the texts, in the language of the reader. */
export class ReportSum {
  readonly #all = new Sum();
  readonly #nodes = new Map<string, Sum>();
  /** By the start of the step. */
  readonly #steps = new Map<number, OpenStep>();
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
  replies = 0;
  optOuts = 0;

  /** @param question with its begin, epoch ms @param days of the period @param zone IANA name, of its days */
  constructor(
    readonly question: ReportQuestion & { readonly from: number },
    days: readonly ReportDay[],
    zone: string,
  ) {
    for (const day of days) {
      const date = dateOf(day.from, zone);
      for (const starts of startsOf(day, question.step)) {
        const from = Math.max(starts, day.from);
        this.#steps.set(starts, { from, day: date, sum: new Sum(), replies: 0, optOuts: 0 });
      }
    }
  }

  get totals(): ReportTotals {
    return this.#all.totals;
  }

  get nodes(): readonly (ReportTotals & { readonly node: string })[] {
    return [...this.#nodes].map(([node, sum]) => ({ node, ...sum.totals }));
  }

  get steps(): readonly StepSum[] {
    return [...this.#steps.values()].map(({ sum, ...step }) => ({ ...sum.totals, ...step }));
  }

  addInbound(counts: InboundCounts): void {
    for (const kind of ["replies", "optOuts"] as const) {
      for (const { step, count } of counts[kind]) {
        this[kind] += count;
        this.#step(step)[kind] += count;
      }
    }
  }

  /** Adds counts without holding the event loop. */
  async addOutcomes(counts: readonly ReportCount[]): Promise<void> {
    const { node, channel, outcome } = this.question;
    const wanted = counts.filter(
      (count) =>
        (node === undefined || count.node === node) &&
        (channel === undefined || count.channel === channel) &&
        (outcome === undefined || count.outcome === outcome),
    );
    await inSlices(wanted, (slice) => {
      for (const count of slice) {
        this.#add(count);
      }
    });
  }

  #add(count: ReportCount): void {
    const ofNode = this.#nodes.get(count.node) ?? new Sum();
    this.#nodes.set(count.node, ofNode);
    for (const sum of [this.#all, ofNode, this.#step(count.step).sum]) {
      sum.add(count);
    }
    const ended = count.outcome ?? OPEN;
    const delivery = count.delivery ?? NO_REPORT;
    this.byOutcome[ended] += count.count;
    addTo(this.byDelivery, delivery, count.count);
    addTo(this.rows, JSON.stringify([count.channel, ended, delivery]), count.count);
    if (isFailed(count)) {
      addTo(this.reasons, JSON.stringify(reasonKey(count)), count.count);
    }
    if (count.bucket !== null) {
      addTo(this.delays, count.bucket, count.count);
    }
  }

  #step(starts: number): OpenStep {
    const step = this.#steps.get(starts);
    if (step === undefined) {
      throw new RangeError(`a step of ${starts}`);
    }
    return step;
  }
}
