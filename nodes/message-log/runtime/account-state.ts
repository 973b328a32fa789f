import type { RefusedSignIn } from "../../../lib/gateway/queue/sign-in-gate";
import type { SignIn } from "../../../lib/shared/outcomes";
import type { Present } from "../../../lib/store/history/present";
import type { LastOfAll, ShownFailure } from "./last-of-all";

export interface LimitState {
  readonly limit: number;
  readonly used: number;
  readonly left: number;
  readonly ends: string;
}

export interface StorePlace {
  /** The file, or host and name of the database. */
  readonly place: string;
  /** Of all accounts in the store. */
  readonly bytes: number | null;
  /** Null for a database. */
  readonly freeBytes: number | null;
  readonly lastCommit: string | null;
}

/** The state of an account. Counts are requests, times ISO 8601 in UTC, unknown values null. Part of the message contract. */
export interface AccountState {
  readonly at: string;
  /** True if a new message can probably be sent. */
  readonly healthy: boolean;
  /** In Node-RED's language, without numbers or texts of messages. */
  readonly reasons: readonly string[];
  readonly stopped: boolean;
  readonly refused: readonly SignIn[];
  readonly waiting: number | null;
  /** The earliest due time of a waiting message. */
  readonly nextDue: string | null;
  readonly oldestWaiting: string | null;
  readonly sending: number | null;
  readonly heldBack: {
    readonly scheduled: number;
    readonly rules: number;
    readonly retry: number;
    readonly paused: number;
    readonly withoutNode: number;
  } | null;
  readonly rate: {
    /** Null for no limit. */
    readonly perSecond: number | null;
    readonly pausedUntil: string | null;
  };
  readonly limits: { readonly hour: LimitState | null; readonly day: LimitState | null };
  readonly store: StorePlace | null;
  readonly lastAccepted: string | null;
  readonly lastFailure: ShownFailure | null;
  readonly unknownOfHour: number | null;
}

/** Facts before they become texts. Times are epoch ms. */
export interface Found {
  readonly now: number;
  readonly fault: string | null;
  /** Null without an error, or without a store. */
  readonly storeFault: string | null;
  readonly stopped: { readonly since: number | null } | null;
  readonly refused: readonly RefusedSignIn[];
  readonly present: Present | null;
  readonly startedAt: number;
  readonly accountSince: number;
  readonly limits: AccountState["limits"];
  readonly freeBytes: number | null;
  readonly last: LastOfAll;
  /** Since when every check found the same message at the head of the queue; null if none waits. */
  readonly firstSince: number | null;
}
