import { refuseOthers, requireObject } from "../util/require-fields";

/** What is reported of the next messages. */
export interface StatusRule {
  /** Statuses of each recipient, in their order; none: nothing is reported. */
  readonly statuses: readonly string[];
  /** Milliseconds before each of them. 0 without it. */
  readonly delayMs?: number;
  /** Messages to report this way, 0 = for ever. 1 without it. */
  readonly times?: number;
}

/** A rule of the plan with what is left of it; null = for ever. */
export interface PlannedStatuses {
  readonly statuses: readonly string[];
  readonly delayMs: number;
  readonly left: number | null;
}

const MOST_RULES = 1000;
const MOST_STATUSES = 20;
const LONGEST_DELAY = 2 ** 31 - 1;

/** What is going to be reported of the messages of one account. Rules are used up in the order they were added. */
export class StatusPlan {
  #rules: { statuses: readonly string[]; delayMs: number; left: number | null }[] = [];

  /** Appends a rule. Throws a TypeError for a wrong one. */
  add(input: unknown): PlannedStatuses {
    const given = requireObject("status plan", input);
    refuseOthers("status plan", given, ["statuses", "delayMs", "times"]);
    const { statuses, delayMs = 0, times = 1 } = given;
    if (!isStatuses(statuses)) {
      throw new TypeError(`status plan: statuses must be a list of at most ${MOST_STATUSES} words`);
    }
    if (!isCount(delayMs)) throw new TypeError("status plan: delayMs must be a number of milliseconds");
    if (!isCount(times)) throw new TypeError("status plan: times must be a whole number, 0 = for ever");
    if (this.#rules.length >= MOST_RULES) throw new TypeError(`the plan is full (${MOST_RULES} rules)`);
    const rule = { statuses: [...statuses], delayMs, left: times === 0 ? null : times };
    this.#rules.push(rule);
    return { ...rule };
  }

  /** For the next message; null when nothing is planned. */
  take(): Omit<PlannedStatuses, "left"> | null {
    const [rule] = this.#rules;
    if (!rule) return null;
    if (rule.left !== null) {
      rule.left -= 1;
      if (rule.left === 0) this.#rules.shift();
    }
    return rule;
  }

  /** Rules that are not used up. */
  list(): PlannedStatuses[] {
    return this.#rules.map((rule) => ({ ...rule }));
  }

  clear(): void {
    this.#rules = [];
  }
}

function isStatuses(value: unknown): value is readonly string[] {
  const isWord = (each: unknown) => typeof each === "string" && /^[\w .-]{1,40}$/.test(each);
  return Array.isArray(value) && value.length <= MOST_STATUSES && value.every(isWord);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= LONGEST_DELAY;
}
