import { inSlices } from "../../shared/async/in-slices";
import type { ReportTotals } from "../../shared/history/report";
import { OUTCOMES, SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import { dateOf } from "../../shared/schedule/zoned-time";
import { type ReportDay, type ReportStep, startsOf } from "../../store/history/days-of-zone";
import type { InboundCounts, ReportCount } from "../../store/history/report-counts";
import { deliveryKind } from "../store/history/message-record";

export const OPEN = "open";
export const NO_REPORT = "none";

export interface ReportQuestion {
  /** Epoch ms; null for the day of the oldest message. */
  readonly from: number | null;
  readonly to: number;
  readonly step: ReportStep;
  readonly node?: string | undefined;
  readonly channel?: string | undefined;
  readonly outcome?: ShownOutcome | undefined;
}

export interface StepSum extends ReportTotals {
  readonly from: number;
  readonly day: string;
  readonly replies: number;
  readonly optOuts: number;
}

interface OpenStep {
  readonly from: number;
  readonly day: string;
  readonly sum: Sum;
  replies: number;
  optOuts: number;
}

export type ReasonKey =
  | { readonly delivery: string }
  | Pick<ReportCount, "operation" | "code" | "fault" | "outcome">;

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

/** A delivery report counts more than the response. */
function isFailed({ outcome, delivery }: ReportCount): boolean {
  const kind = delivery === null ? null : deliveryKind(delivery);
  const isRefused =
    outcome !== null && outcome !== "skipped" && outcome !== "unknown" && OUTCOMES[outcome].failure;
  return kind === "failed" || (isRefused && kind === null);
}

function reasonKey({ delivery, operation, code, fault, outcome }: ReportCount): ReasonKey {
  const isReported = delivery !== null && deliveryKind(delivery) === "failed";
  // A code mostly means the same in all operations of a style; otherwise it counts as two reasons.
  return isReported ? { delivery } : { operation, code, fault, outcome };
}

/** Words of the service are keys, so `__proto__` must not be special. */
function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

export class ReportSum {
  readonly #all = new Sum();
  readonly #nodes = new Map<string, Sum>();
  readonly #steps = new Map<number, OpenStep>();
  readonly byDelivery = new Map([[NO_REPORT, 0]]);
  readonly byOutcome = Object.fromEntries([...SHOWN_OUTCOMES, OPEN].map((each) => [each, 0])) as Record<
    ShownOutcome | typeof OPEN,
    number
  >;
  readonly rows = new Map<string, number>();
  readonly reasons = new Map<string, number>();
  readonly delays = new Map<number, number>();
  replies = 0;
  optOuts = 0;

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

  /** Yields to the event loop between slices. */
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
