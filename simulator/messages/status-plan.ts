import { refuseOthers, requireObject } from "../util/require-fields";

/** Statuses to report for the next messages. */
export interface StatusRule {
  /** Statuses of each recipient in order; an empty list reports nothing. */
  readonly statuses: readonly string[];
  /** Milliseconds before each status. Default: 0. */
  readonly delayMs?: number;
  /** Messages to report this way; 0 for no limit. Default: 1. */
  readonly times?: number;
}

/** A rule of the plan; `left` counts the remaining messages, null for no limit. */
export interface PlannedStatuses {
  readonly statuses: readonly string[];
  readonly delayMs: number;
  readonly left: number | null;
}

const MAX_RULES = 1000;
const MAX_STATUSES = 20;
const MAX_DELAY = 2 ** 31 - 1;

/** The status rules of one account, used in the order of adding. */
export class StatusPlan {
  #rules: { statuses: readonly string[]; delayMs: number; left: number | null }[] = [];

  /** Appends a rule. Throws a TypeError for an invalid rule. */
  add(input: unknown): PlannedStatuses {
    const given = requireObject("status plan", input);
    refuseOthers("status plan", given, ["statuses", "delayMs", "times"]);
    const { statuses, delayMs = 0, times = 1 } = given;
    if (!isStatuses(statuses)) {
      throw new TypeError(`status plan: statuses must be a list of at most ${MAX_STATUSES} words`);
    }
    if (!isCount(delayMs)) throw new TypeError("status plan: delayMs must be a number of milliseconds");
    if (!isCount(times)) throw new TypeError("status plan: times must be an integer of 0 or more");
    if (this.#rules.length >= MAX_RULES) throw new TypeError(`the plan is full (${MAX_RULES} rules)`);
    const rule = { statuses: [...statuses], delayMs, left: times === 0 ? null : times };
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

function isStatuses(value: unknown): value is readonly string[] {
  const isWord = (each: unknown) => typeof each === "string" && /^[\w .-]{1,40}$/.test(each);
  return Array.isArray(value) && value.length <= MAX_STATUSES && value.every(isWord);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_DELAY;
}
