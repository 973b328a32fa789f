import type { WaitKind } from "../../shared/fields/wait-fields";
import type { MessageChannel } from "../../shared/message-channel";

/** Channels of replies. */
export type ReplyChannel = MessageChannel;

/** `matched`: the awaited delivery or reply; `failed`: the message failed; `unmatched`: another reply. */
export type ReportedOutcome = "matched" | "failed" | "unmatched";
export type ReplyOutcome = Exclude<ReportedOutcome, "failed">;

export interface NewWait {
  /** Made by the caller, unique: a wait that is started again after an error exists once. */
  readonly key: string;
  readonly account: string;
  readonly scope: string;
  /** Identity of the node that emits the ends. */
  readonly node: string;
  /** Instance that has the live message. */
  readonly resultOwner: string;
  readonly kind: WaitKind;
  /** Channel of the reply; `any` also if no reply is awaited. */
  readonly channel: ReplyChannel | "any";
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  /** Known recipients of the request, because a flow may use a client message id again. */
  readonly recipients: readonly string[];
  /** Epoch ms. */
  readonly until: number;
  /** Shared by waits of one node whose timed out recipients are emitted together. */
  readonly group: string | null;
  /** True if the node may wait for the request already: then that wait continues, and this one does not start. */
  readonly repeated: boolean;
  /** Message as JSON, from which the ends are made; null if it cannot be stored. */
  readonly snapshot: string | null;
}

/** Fields of an inbound message that come from its event. */
export interface NewReply {
  readonly channel: ReplyChannel;
  /** The event as JSON. */
  readonly body: string;
}

/** A reply that its wait has not read. */
export interface PendingReply {
  readonly id: number;
  readonly wait: number;
  readonly index: number;
  readonly node: string;
  readonly number: string;
  readonly channel: ReplyChannel;
  readonly body: string;
  /** Epoch ms. */
  readonly at: number;
  readonly receivedAt: number;
  /** True if the wait for its sender has not ended. */
  readonly isOpen: boolean;
}

/** A wait, from which its ends are made. */
export interface OpenWait {
  readonly id: number;
  readonly key: string;
  readonly node: string;
  readonly kind: WaitKind;
  readonly startedAt: number;
  readonly until: number;
  readonly group: string | null;
  /** Ends that were emitted. */
  readonly emitted: number;
  /** Recipients of its request. */
  readonly recipients: number;
  /** Recipients whose end was not emitted. */
  readonly open: number;
  readonly snapshot: string | null;
}

export interface ReportedRecipient {
  /** In its request. */
  readonly index: number;
  /** Digits. */
  readonly number: string;
  readonly outcome: ReportedOutcome;
  /** Status of the service, in lower case; null for a reply. */
  readonly status: string | null;
  /** Epoch ms by the event. */
  readonly at: number;
  /** The inbound message as JSON; null for a delivery. */
  readonly reply: string | null;
}

/** Reported recipients of a wait whose ends were not emitted. */
export interface ReportedWait {
  readonly wait: OpenWait;
  readonly reported: readonly ReportedRecipient[];
}

/** Timed out waits of one group, or one wait. Only the first of a group has its snapshot. */
export interface TimedOutWaits {
  readonly waits: readonly {
    readonly wait: OpenWait;
    /** Digits in the order of the request. */
    readonly numbers: readonly string[];
    /** Their indexes in the request, in the same order. */
    readonly indexes: readonly number[];
    /** True if a newer wait expects the replies of one of them. */
    readonly replaced: boolean;
    /** Those with an unmatched reply. */
    readonly replied: readonly string[];
  }[];
}
