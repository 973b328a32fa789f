import { type FaultAnswer, type FaultRule, faultRule } from "./fault-rule";
import { digits } from "../util/formats";
import { parseInput } from "../util/parse-input";

export interface FaultSubject {
  readonly operation: string;
  readonly recipients: readonly string[];
  readonly content: string | null;
}

export interface Fault {
  readonly id: string;
  readonly answer: FaultAnswer;
}

export interface PlannedFault {
  readonly id: string;
  readonly rule: FaultRule;
  readonly skip: number;
  readonly left: number | null;
}

const MAX_RULES = 1000;

/** The fault rules of one account in the order of adding; the first match applies. */
export class FaultPlan {
  #rules: { id: string; rule: FaultRule; skip: number; left: number | null }[] = [];
  #last = 0;

  add(input: unknown): string {
    const rule = parseInput("fault rule", faultRule, input);
    if (this.#rules.length >= MAX_RULES) throw new TypeError(`the plan is full (${MAX_RULES} rules)`);
    this.#last += 1;
    const id = `fault-${this.#last}`;
    const times = rule.times ?? 1;
    this.#rules.push({ id, rule, skip: rule.skip ?? 0, left: times === 0 ? null : times });
    return id;
  }

  take(subject: FaultSubject): Fault | null {
    for (const planned of this.#rules) {
      if (!matches(planned.rule, subject)) continue;
      if (planned.skip > 0) {
        planned.skip -= 1;
        continue;
      }
      if (planned.left !== null) {
        planned.left -= 1;
        if (planned.left === 0) this.#rules = this.#rules.filter((other) => other !== planned);
      }
      return { id: planned.id, answer: planned.rule.answer };
    }
    return null;
  }

  list(): PlannedFault[] {
    return this.#rules.map((planned) => ({ ...planned }));
  }

  clear(): void {
    this.#rules = [];
  }
}

function matches({ operation, recipient, content }: FaultRule, subject: FaultSubject): boolean {
  if (operation !== undefined && operation !== subject.operation) return false;
  if (content !== undefined && !(subject.content !== null && matchesPattern(content, subject.content)))
    return false;
  if (recipient === undefined) return true;
  return subject.recipients.some((each) => matchesPattern(digits(recipient), digits(each)));
}

function matchesPattern(pattern: string, text: string): boolean {
  return pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
