import type { FaultAnswer, FaultRule } from "./fault-rule";
import { parseFaultRule } from "./parse-fault-rule";

/** What a rule is compared with. */
export interface FaultSubject {
  readonly operation: string;
  readonly recipients: readonly string[];
  /** null for operations that send nothing. */
  readonly content: string | null;
}

/** A rule that applies, or a magic number. */
export interface Fault {
  /** Id of the rule; `magic` for a magic number. */
  readonly id: string;
  readonly answer: FaultAnswer;
}

/** A rule of the plan with what is left of it. */
export interface PlannedFault {
  readonly id: string;
  readonly rule: FaultRule;
  /** Matching requests that still pass. */
  readonly skip: number;
  /** Times it will still answer; null = for ever. */
  readonly left: number | null;
}

const MOST_RULES = 1000;

/** The faults of one account, in the order they were added; the first that matches decides. */
export class FaultPlan {
  #rules: { id: string; rule: FaultRule; skip: number; left: number | null }[] = [];
  #last = 0;

  /** Appends a rule and returns its id. Throws a TypeError for a wrong one. */
  add(input: unknown): string {
    const rule = parseFaultRule(input);
    if (this.#rules.length >= MOST_RULES) throw new TypeError(`the plan is full (${MOST_RULES} rules)`);
    this.#last += 1;
    const id = `fault-${this.#last}`;
    const times = rule.times ?? 1;
    this.#rules.push({ id, rule, skip: rule.skip ?? 0, left: times === 0 ? null : times });
    return id;
  }

  /** The fault for this request, if any; it is used up by that. A rule that lets a request pass hands it on. */
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

  /** Rules that are not used up. */
  list(): PlannedFault[] {
    return this.#rules.map((planned) => ({ ...planned }));
  }

  clear(): void {
    this.#rules = [];
  }
}

function matches({ operation, recipient, content }: FaultRule, subject: FaultSubject): boolean {
  if (operation !== undefined && operation !== subject.operation) return false;
  if (content !== undefined && !(subject.content !== null && like(content, subject.content))) return false;
  if (recipient === undefined) return true;
  const wanted = recipient.replace(/^\+/, "");
  return subject.recipients.some((each) => like(wanted, each.replace(/^\+/, "")));
}

function like(pattern: string, text: string): boolean {
  return pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
