import type { Verdict } from "../codec/verdict";

/** Recipients of a claimed request to which it does not leave now, all for the same reason. */
export interface BlockedRecipients {
  /** Digits, in the order of the request; at least one. */
  readonly recipients: readonly string[];
  /** Why they are not sent to; null where they wait. */
  readonly verdict: Verdict | null;
  /** Epoch ms until which they wait. */
  readonly until: number;
  /** Whether nothing of the account leaves until then. */
  readonly all: boolean;
}
