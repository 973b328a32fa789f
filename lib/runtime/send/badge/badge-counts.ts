import { OUTCOMES, type ShownOutcome, shownOutcome } from "../../../shared/outcomes";
import { formatNumber } from "../../../texts/format-number";
import { say } from "../../../texts/say";
import { sayMoment } from "../../../texts/say-time";
import { reasonWords, shortReason } from "../../../texts/short-reason";
import { type FileDone, fileDone, type SendResult } from "../../channels/send-result";

/** The worst group first. */
const FILL = {
  unknown: "red",
  rejected: "red",
  denied: "red",
  tryAgain: "yellow",
  accepted: "green",
  skipped: "grey",
} as const;
type Counted = keyof typeof FILL;
const BY_WEIGHT = Object.keys(FILL) as Counted[];

const GROUP: Readonly<Record<ShownOutcome, Counted>> = {
  sent: "accepted",
  queued: "accepted",
  rejected: "rejected",
  denied: "denied",
  "retry-later": "tryAgain",
  unknown: "unknown",
  skipped: "skipped",
};

/** The reasons of our own catalogue are fewer. */
const MOST_REASONS = 50;
const NAMED_REASONS = 2;

/** Counts recipients: the group of the last result first, then the most frequent reasons. */
export class BadgeCounts {
  readonly #counts: Record<Counted, number> = {
    unknown: 0,
    rejected: 0,
    denied: 0,
    tryAgain: 0,
    accepted: 0,
    skipped: 0,
  };
  readonly #seen = new Set<Counted>();
  #accepted: "accepted" | FileDone = "accepted";
  /** The latest group first. */
  #groups: readonly Counted[] = [];
  readonly #reasons = new Map<Counted, Map<string, number>>();
  readonly #limitEnds = new Set<number>();

  /** Colour of the worst result since the node started; null without a result. */
  get fill(): (typeof FILL)[Counted] | null {
    const worst = BY_WEIGHT.find((group) => this.#seen.has(group));
    return worst === undefined ? null : FILL[worst];
  }

  /** @param limitEnds epoch ms at which the blocking limit ends; null for none */
  add(result: SendResult, people: number, limitEnds: number | null): void {
    if (limitEnds !== null) {
      this.#limitEnds.add(limitEnds);
    }
    const { failure } = OUTCOMES[result.outcome];
    const group = GROUP[shownOutcome(result.outcome, result.statusName)];
    this.#counts[group] += people;
    this.#seen.add(group);
    if (this.#groups[0] !== group) {
      this.#groups = [group, ...this.#groups.filter((each) => each !== group)];
    }
    if (failure) {
      this.#countReason(group, shortReason(result), people);
    } else {
      this.#accepted = fileDone(result) ?? "accepted";
    }
  }

  #countReason(group: Counted, reason: string | null, people: number): void {
    const reasons = this.#reasons.get(group) ?? new Map<string, number>();
    this.#reasons.set(group, reasons);
    if (reason !== null && (reasons.has(reason) || reasons.size < MOST_REASONS)) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + people);
    }
  }

  texts(): readonly string[] {
    return this.#groups.map((group) => this.#counted(group));
  }

  /** Adds the end of the limits to a reason if all of them end at the same time. */
  #untilWhen(reason: string): string {
    const now = Date.now();
    for (const end of this.#limitEnds) {
      if (end <= now) {
        this.#limitEnds.delete(end);
      }
    }
    const [end] = this.#limitEnds;
    return end !== undefined && this.#limitEnds.size === 1 && reason === reasonWords("LIMIT_REACHED")
      ? say("badges.limit.until", { used: reason, time: sayMoment(end, now) })
      : reason;
  }

  #counted(group: Counted): string {
    const counted = say(`badges.status.${group === "accepted" ? this.#accepted : group}`, {
      n: formatNumber(this.#counts[group]),
    });
    const [first, ...others] = [...(this.#reasons.get(group) ?? [])].sort(
      ([, one], [, other]) => other - one,
    );
    if (first === undefined) {
      return counted;
    }
    if (first[1] === this.#counts[group]) {
      return `${counted}: ${this.#untilWhen(first[0])}`;
    }
    const shown = [first, ...others.slice(0, NAMED_REASONS - 1)].map(
      ([reason, people]) => `${formatNumber(people)} × ${this.#untilWhen(reason)}`,
    );
    return `${counted}: ${[...shown, ...(others.length >= NAMED_REASONS ? ["…"] : [])].join(", ")}`;
  }
}
