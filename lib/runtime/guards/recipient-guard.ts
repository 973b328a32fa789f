import type { Verdict } from "../../gateway/codec/verdict";

export interface GuardedMessage {
  readonly sms: boolean;
}

/** Recipients that are blocked for the same reason. */
export interface HeldRecipients {
  /** Digits without a plus, in the order of the message; at least one. */
  readonly recipients: readonly string[];
  readonly verdict: Verdict;
}

export interface CheckedRecipients {
  readonly allowed: readonly string[];
  readonly held: readonly HeldRecipients[];
}

/** Splits recipients into allowed and blocked ones. Never throws. */
export interface RecipientGuard {
  check(recipients: readonly string[], message: GuardedMessage): Promise<CheckedRecipients>;
}
