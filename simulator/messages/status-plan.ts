import { z } from "zod";
import { parseInput } from "../util/parse-input";

const MAX_RULES = 1000;
const MAX_STATUSES = 20;

const count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

/** Statuses to report for the next messages. */
const statusRule = z.strictObject({
  /** Of each recipient in order; an empty list reports nothing. */
  statuses: z
    .array(z.string().regex(/^[\w .-]{1,40}$/))
    .max(MAX_STATUSES)
    .readonly(),
  /** Before each status. */
  delayMs: count.default(0),
  /** Messages to report this way; 0 for no limit. */
  times: count.default(1),
});

export type StatusRule = Readonly<z.input<typeof statusRule>>;

/** A rule of the plan; `left` counts the remaining messages, null for no limit. */
export interface PlannedStatuses {
  readonly statuses: readonly string[];
  readonly delayMs: number;
  readonly left: number | null;
}

/** The status rules of one account, used in the order of adding. */
export class StatusPlan {
  #rules: { statuses: readonly string[]; delayMs: number; left: number | null }[] = [];

  /** Appends a rule. Throws a TypeError for an invalid rule. */
  add(input: unknown): PlannedStatuses {
    const { statuses, delayMs, times } = parseInput("status plan", statusRule, input);
    if (this.#rules.length >= MAX_RULES) throw new TypeError(`the plan is full (${MAX_RULES} rules)`);
    const rule = { statuses, delayMs, left: times === 0 ? null : times };
    this.#rules.push(rule);
    return { ...rule };
  }

  /** Returns the rule for the next message and counts it as used; null for none. */
  take(): Omit<PlannedStatuses, "left"> | null {
    const [rule] = this.#rules;
    if (!rule) return null;
    if (rule.left !== null) {
      rule.left -= 1;
      if (rule.left === 0) this.#rules.shift();
    }
    return rule;
  }

  /** Rules with remaining uses. */
  list(): PlannedStatuses[] {
    return this.#rules.map((rule) => ({ ...rule }));
  }

  clear(): void {
    this.#rules = [];
  }
}
