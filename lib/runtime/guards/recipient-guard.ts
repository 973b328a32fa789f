import type { Verdict } from "../../gateway/codec/verdict";

/** What guards are told of a message. */
export interface GuardedMessage {
  /** Whether it is an SMS, flash or not. */
  readonly sms: boolean;
}

/** Recipients that are not sent to, all for the same reason. */
export interface HeldRecipients {
  /** Digits without a plus, in the order of the message; at least one. */
  readonly recipients: readonly string[];
  readonly verdict: Verdict;
}

/** The recipients of a message, each exactly once. */
export interface CheckedRecipients {
  /** Those that are sent to, in the order of the message. */
  readonly allowed: readonly string[];
  /** A group for each reason. */
  readonly held: readonly HeldRecipients[];
}

/** Decides to whom of the valid recipients of a message it is sent. Never throws. */
export interface RecipientGuard {
  /** Divides recipients. */
  check(recipients: readonly string[], message: GuardedMessage): Promise<CheckedRecipients>;
}
