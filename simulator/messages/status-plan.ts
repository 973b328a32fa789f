import { z } from "zod";
import { parseInput } from "../util/parse-input";

const MAX_RULES = 1000;
const MAX_STATUSES = 20;

const count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

const statusRule = z.strictObject({
  /** Of each recipient in order; an empty list reports nothing. */
  statuses: z
    .array(z.string().regex(/^[\w .-]{1,40}$/))
    .max(MAX_STATUSES)
    .readonly(),
  delayMs: count.default(0),
  /** Messages to report this way; 0 for no limit. */
  times: count.default(1),
});

export type StatusRule = Readonly<z.input<typeof statusRule>>;

export interface PlannedStatuses {
  readonly statuses: readonly string[];
  readonly delayMs: number;
  readonly left: number | null;
}

export class StatusPlan {
  #rules: { statuses: readonly string[]; delayMs: number; left: number | null }[] = [];

  add(input: unknown): PlannedStatuses {
    const { statuses, delayMs, times } = parseInput("status plan", statusRule, input);
    if (this.#rules.length >= MAX_RULES) throw new TypeError(`the plan is full (${MAX_RULES} rules)`);
    const rule = { statuses, delayMs, left: times === 0 ? null : times };
    this.#rules.push(rule);
    return { ...rule };
  }

  take(): Omit<PlannedStatuses, "left"> | null {
    const [rule] = this.#rules;
    if (!rule) return null;
    if (rule.left !== null) {
      rule.left -= 1;
      if (rule.left === 0) this.#rules.shift();
    }
    return rule;
  }

  list(): PlannedStatuses[] {
    return this.#rules.map((rule) => ({ ...rule }));
  }

  clear(): void {
    this.#rules = [];
  }
}
