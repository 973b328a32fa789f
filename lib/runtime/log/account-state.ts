import type { RefusedSignIn } from "../../gateway/queue/sign-in-gate";
import type { SignIn } from "../../shared/outcomes";
import type { Present } from "../../store/history/present";
import type { LastOfAll, ShownFailure } from "./last-of-all";

/** How much of a limit of an account is used. Billed messages. */
export interface LimitState {
  readonly limit: number;
  readonly used: number;
  /** What may still leave in the period. */
  readonly left: number;
  readonly ends: string;
}

/** Where an account keeps its messages. */
export interface StorePlace {
  /** The file, or host and name of the database. */
  readonly place: string;
  /** Of all accounts there. */
  readonly bytes: number | null;
  /** What the disk has left; null for a database. */
  readonly freeBytes: number | null;
  /** When something of this Node-RED was last written there. */
  readonly lastCommit: string | null;
}

/**
 * How an account stands at a moment. Counts are requests: a list of up to 1,000 people is one. Times are ISO 8601 in UTC. What an account
 * does not know is null. Part of the message contract.
 */
export interface AccountState {
  readonly at: string;
  /** Whether a message that comes now may be expected to leave. */
  readonly healthy: boolean;
  /** Why not, in Node-RED's language. No number and no text of a message is in them. */
  readonly reasons: readonly string[];
  /** Whether a person or the settings have stopped all sending. */
  readonly stopped: boolean;
  /** Sign-ins that the service refuses, so that their messages wait. */
  readonly refused: readonly SignIn[];
  readonly waiting: number | null;
  /** When the first that waits for a time may leave. */
  readonly nextDue: string | null;
  /** Since when the longest waits that could have left, or has failed and is to be tried again. */
  readonly oldestWaiting: string | null;
  readonly sending: number | null;
  /** Of those that wait: for their time, for sending hours or a limit, for another try. And what is paused, or without its node. */
  readonly heldBack: {
    readonly scheduled: number;
    readonly rules: number;
    readonly retry: number;
    readonly paused: number;
    readonly withoutNode: number;
  } | null;
  readonly rate: {
    /** Requests a second at most; null for no limit. */
    readonly perSecond: number | null;
    /** Until when the service wants no request; null where it does. */
    readonly pausedUntil: string | null;
  };
  /** Limits of the account; null for one that it does not have. */
  readonly limits: { readonly hour: LimitState | null; readonly day: LimitState | null };
  readonly store: StorePlace | null;
  readonly lastAccepted: string | null;
  readonly lastFailure: ShownFailure | null;
  /** People whose message ended as `unknown` within the last hour. */
  readonly unknownOfHour: number | null;
}

/** What was found out, before it is put into words. Times are epoch ms. */
export interface Found {
  readonly now: number;
  /** What is wrong with the settings; null for nothing. */
  readonly fault: string | null;
  /** Why the store cannot be read; null where it can, or there is none. */
  readonly storeFault: string | null;
  readonly stopped: { readonly since: number | null } | null;
  readonly refused: readonly RefusedSignIn[];
  /** What is in the store; null without one that can be read. */
  readonly present: Present | null;
  /** That wait, or are being sent, although nothing but their turn is in their way, and those that are to be tried again. */
  readonly mayLeave: number;
  /** Since when this process runs, and since when it has this account. */
  readonly startedAt: number;
  readonly accountSince: number;
  readonly limits: AccountState["limits"];
  readonly freeBytes: number | null;
  readonly last: LastOfAll;
  /** Since when each look has found the same message at the begin of the queue; null where nothing waits. */
  readonly firstSince: number | null;
}
