import type { WaitKind } from "../../shared/fields/wait-fields";
import type { MessageChannel } from "../../shared/message-channel";

/** Channels by which people reply. */
export type ReplyChannel = MessageChannel;

/** What was reported of a recipient: what was waited for, that it will never come, or a reply that is not the one waited for. */
export type Reported = "happened" | "failed" | "other";
/** What a reply is that ends a wait: the one that is waited for, or another one. */
export type ReplyEnd = Exclude<Reported, "failed">;

/** A message that begins to wait for what becomes of its request. */
export interface NewWait {
  /** Made by the caller, unique for ever: the same wait begun twice, after an error for example, is begun once. */
  readonly key: string;
  readonly account: string;
  /** Live or simulated, by `getScope`. */
  readonly scope: string;
  /** Identity of the node whose outputs its ends leave from. */
  readonly node: string;
  /** Instance that has the live message. */
  readonly resultOwner: string;
  readonly kind: WaitKind;
  /** By which replies may come; `any` as well for what waits for no reply. */
  readonly channel: ReplyChannel | "any";
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  /** Those whom its request was sent to, as far as they are known: a flow may use a client message id again. */
  readonly recipients: readonly string[];
  /** Epoch ms at which it ends. */
  readonly until: number;
  /** The same for waits of one node whose silent recipients leave together; null for a wait by itself. */
  readonly group: string | null;
  /** Whether the node may wait for its request already: then that wait goes on, and this one does not begin. */
  readonly repeated: boolean;
  /** The message as text, from which its ends are made again; null where it cannot be kept. */
  readonly snapshot: string | null;
}

/** An inbound message as its event tells it. */
export interface NewReply {
  readonly channel: ReplyChannel;
  /** The event as JSON. */
  readonly body: string;
}

/** A reply that a wait has to look at. */
export interface PendingReply {
  readonly id: number;
  readonly wait: number;
  readonly place: number;
  readonly node: string;
  readonly number: string;
  readonly channel: ReplyChannel;
  readonly body: string;
  /** Epoch ms. */
  readonly at: number;
  readonly receivedAt: number;
  /** Whether its recipient has not ended meanwhile. */
  readonly isOpen: boolean;
}

/** A wait as its ends are made from it. */
export interface OpenWait {
  readonly id: number;
  readonly key: string;
  readonly node: string;
  readonly kind: WaitKind;
  readonly beganAt: number;
  readonly until: number;
  readonly group: string | null;
  /** Messages that have left for it. */
  readonly left: number;
  /** Recipients of its request. */
  readonly recipients: number;
  /** Recipients whose end has not left. */
  readonly open: number;
  readonly snapshot: string | null;
}

/** One recipient of whom something was reported. */
export interface ReportedRecipient {
  readonly place: number;
  /** Digits. */
  readonly number: string;
  readonly what: Reported;
  /** The service's word, in lower case; null for a reply. */
  readonly status: string | null;
  /** Epoch ms by the event. */
  readonly at: number;
  /** The inbound message as JSON; null for a delivery. */
  readonly reply: string | null;
}

/** What has been reported of the recipients of a wait and has not left its node. */
export interface ReportedWait {
  readonly wait: OpenWait;
  readonly reported: readonly ReportedRecipient[];
}

/** Waits of one group, or one wait, that ended without a word from some recipients. Only the first of a group has its snapshot. */
export interface SilentWaits {
  readonly waits: readonly {
    readonly wait: OpenWait;
    /** Digits in the order of the request. */
    readonly numbers: readonly string[];
    /** Their places, in the same order. */
    readonly places: readonly number[];
    /** Whether a newer question to one of them took its place, so that a reply would have gone there. */
    readonly replaced: boolean;
    /** Those of them who wrote something else meanwhile. */
    readonly wrote: readonly string[];
  }[];
}
