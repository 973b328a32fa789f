import type { BlockedRecipients } from "../../gateway/queue/blocked-recipients";
import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import { type BlockedNumber, isUnsent } from "../../store/guards/guard-calls";
import { isUnwanted } from "../../store/guards/opt-outs";
import { NO_RULES, type RequestRules, rulesOf } from "../../store/guards/request-rules";
import { say } from "../../texts/say";
import { maskNumber } from "../../shared/recipients/mask-number";
import { LeaveCheck, type LeaveRules } from "./leave-check";
import { nameNumbers } from "./name-numbers";
import type { AccountMemory } from "../memory/account-memory";
import type { Reserved } from "../memory/memory-limits";
import { KeyHolder } from "../memory/memory-once-keys";

const NONE: readonly BlockedRecipients[] = [];
const NOBODY: readonly BlockedNumber[] = [];

/** What an account without a store knows that keeps requests from leaving. */
export type MemoryGuards = Pick<AccountMemory, "optOuts" | "onceKeys" | "limits" | "departures" | "channels">;

/** What an account without a store checks when its requests leave. */
export class MemoryCheck {
  readonly leaveCheck: LeaveCheck;
  readonly #always: boolean;

  constructor(
    readonly guards: MemoryGuards,
    readonly rules: LeaveRules,
  ) {
    this.leaveCheck = new LeaveCheck(rules);
    this.#always = rules.limits !== null || rules.hours !== null;
  }

  /** Whether there is nothing to check for a request with these rules, which is nearly always so. */
  isIdle(rules: RequestRules): boolean {
    return !this.#always && rules === NO_RULES && this.guards.optOuts.size === 0;
  }

  /** The same for a message that a person sends as a test and waits for: it leaves at any hour, and no limit makes it wait. */
  forTest(): MemoryCheck {
    const { limits, ...rules } = this.rules;
    return new MemoryCheck(this.guards, {
      ...rules,
      hours: null,
      limits: limits === null ? null : { ...limits, refuses: true },
    });
  }
}

const without = (recipients: readonly string[], parts: readonly BlockedRecipients[]): readonly string[] => {
  if (parts.length === 0) {
    return recipients;
  }
  const gone = new Set(parts.flatMap((part) => part.recipients));
  return recipients.filter((each) => !gone.has(each));
};

/** Nothing waits beyond the time from which it is useless. */
const waitingTo = (part: BlockedRecipients, uselessAfter: number): BlockedRecipients =>
  part.verdict !== null || part.until <= uselessAfter ? part : { ...part, until: uselessAfter };

/** Checks one request each time that it is about to leave. What it has reserved is its own, however often it is asked. */
export class RequestCheck {
  #holder: KeyHolder | null = null;
  /** Recipients for whom it may hold the once key. */
  #keyed: readonly string[] = [];
  #reserved: Reserved | null = null;

  constructor(
    private readonly account: MemoryCheck,
    private readonly rules: RequestRules,
  ) {}

  /**
   * Reserves for those who are sent to now, and for nobody else.
   * @param recipients digits, each once
   * @param now epoch ms
   * @returns the parts that do not leave, none where all of it does
   */
  hold(recipients: readonly string[], now: number): readonly BlockedRecipients[] {
    const had = this.#giveBack();
    const parts = this.#parts(recipients, now);
    if (had && this.#reserved === null) {
      this.#notifySpent(now);
    }
    const { uselessAfter } = this.rules;
    return uselessAfter === null ? parts : parts.map((part) => waitingTo(part, uselessAfter));
  }

  #parts(recipients: readonly string[], now: number): readonly BlockedRecipients[] {
    const { scheduled, uselessAfter } = this.rules;
    if (scheduled !== null && scheduled > now && (uselessAfter === null || uselessAfter > now)) {
      return [{ recipients, verdict: null, until: scheduled, all: false }];
    }
    const before = this.#check(recipients, this.#optedOut(recipients), now);
    const left = without(recipients, before);
    this.#keep(left);
    const after = left.length === 0 ? NONE : this.#reserve(left, now);
    return before.length === 0 ? after : [...before, ...after];
  }

  /** How the request ended. */
  end({ outcome }: Verdict, now: number): void {
    if (isUnsent(outcome)) {
      this.#keep([]);
      if (this.#giveBack()) {
        this.#notifySpent(now);
      }
    } else if (this.#holder !== null) {
      this.#holder.outcome = outcome;
    }
  }

  #check(
    recipients: readonly string[],
    held: readonly BlockedNumber[],
    now: number,
  ): readonly BlockedRecipients[] {
    const rules = rulesOf(this.rules === NO_RULES ? undefined : this.rules);
    return this.account.leaveCheck.hold({ recipients, held, rules, content: "" }, now);
  }

  #optedOut(recipients: readonly string[]): readonly BlockedNumber[] {
    const { optOuts } = this.account.guards;
    const { alsoOptedOut, category } = this.rules;
    if (alsoOptedOut || optOuts.size === 0) {
      return NOBODY;
    }
    let held: BlockedNumber[] | null = null;
    for (const number of recipients) {
      const scope = optOuts.scopeOf(number);
      if (scope !== null && isUnwanted(scope, category)) {
        held ??= [];
        held.push({ number, reason: "opted-out" });
      }
    }
    return held ?? NOBODY;
  }

  /** Takes once keys, and then what the limits have left. */
  #reserve(recipients: readonly string[], now: number): readonly BlockedRecipients[] {
    const { guards, leaveCheck } = this.account;
    const { once, cost } = this.rules;
    const { limits, onSpent } = leaveCheck.guard(now);
    let left = recipients;
    let parts = NONE;
    if (once !== null) {
      this.#holder ??= new KeyHolder(once.hash);
      const { held, full } = guards.onceKeys.take(once, left, this.#holder, now);
      if (held.length > 0 || full.length > 0) {
        parts = [...this.#judge(left, held, now), ...this.#full(full)];
        left = without(left, parts);
      }
      this.#keyed = left;
    }
    if (limits !== null && left.length > 0) {
      const { held, reserved } = guards.limits.reserve(left, cost, limits);
      this.#reserved = reserved;
      onSpent(guards.limits.spent);
      const over = this.#judge(left, held, now);
      if (over.length > 0) {
        this.#keep(reserved.numbers);
        parts = [...parts, ...over];
      }
    }
    return parts;
  }

  #judge(
    recipients: readonly string[],
    held: readonly BlockedNumber[],
    now: number,
  ): readonly BlockedRecipients[] {
    return held.length === 0 ? NONE : this.#check(recipients, held, now);
  }

  #full(numbers: readonly string[]): readonly BlockedRecipients[] {
    if (numbers.length === 0) {
      return NONE;
    }
    const list = nameNumbers(numbers, maskNumber);
    const verdict = localVerdict(
      "LIMIT_REACHED",
      say("recipients.held.once-full", { most: this.account.guards.onceKeys.most, list }),
    );
    return [{ recipients: numbers, verdict, until: 0, all: false }];
  }

  /** Frees its once key for all but these recipients. */
  #keep(recipients: readonly string[]): void {
    const { once } = this.rules;
    if (this.#holder !== null && once !== null && this.#keyed.length > 0) {
      const kept = new Set(recipients);
      const freed = this.#keyed.filter((each) => !kept.has(each));
      this.account.guards.onceKeys.free(once, freed, this.#holder);
      this.#keyed = recipients;
    }
  }

  /** @returns whether it had reserved something */
  #giveBack(): boolean {
    if (this.#reserved === null) {
      return false;
    }
    this.account.guards.limits.giveBack(this.#reserved);
    this.#reserved = null;
    return true;
  }

  #notifySpent(now: number): void {
    const { guards, leaveCheck } = this.account;
    const { limits, onSpent } = leaveCheck.guard(now);
    if (limits !== null) {
      onSpent(guards.limits.spent);
    }
  }
}
