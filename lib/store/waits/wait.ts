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
  /** The message itself, for what lasts no longer than the process. */
  readonly message?: object | undefined;
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
  /** The message itself, where it is kept. */
  readonly message?: object | undefined;
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

/**
 * The waits of all accounts in one store. Every call may be repeated after an error. All of them throw StoreError. Where `nodes` are
 * given, only waits of these nodes count: what others have waits until they run, and must not fill the pages of those that do.
 */
export interface WaitStore {
  /**
   * Begins a wait for the recipients of a request. What was reported of them before ends it at once, and replies of theirs that came after the
   * request left and that no wait has taken are its own. Whoever was asked by an older wait by the same channel is asked no more there.
   * @returns the wait, or that an earlier one goes on instead; null where the account has no request with these ids
   */
  begin(wait: NewWait): Promise<OpenWait | "goes on" | null>;
  /** Those of an instance of which something was reported that has not left, in their order: at most `most` recipients. */
  reported(resultOwner: string, most: number, nodes: readonly string[]): Promise<readonly ReportedWait[]>;
  /** What ended in silence and has not left: whole waits and groups, of at most `most` waits where there are more. */
  silent(resultOwner: string, most: number, nodes: readonly string[]): Promise<readonly SilentWaits[]>;
  /** Replies that waits of an instance have to look at, of each wait in the order in which they came. */
  replies(resultOwner: string, most: number, nodes: readonly string[]): Promise<readonly PendingReply[]>;
  /** A reply ends its wait. @returns false where the recipient has ended meanwhile, so that it is nobody's */
  answered(reply: PendingReply, what: ReplyEnd): Promise<boolean>;
  /** A reply ends nothing: it stays for a later wait, or it has left and is gone. That the person wrote is noted. What its message came to meanwhile counts now. */
  passed(reply: PendingReply, stays: boolean): Promise<void>;
  /**
   * Ends in silence what waited until now: recipients of whom nothing was reported, of a group when its last wait is over. Not those who
   * have sent a reply that their wait has to look at: it came in time.
   * @returns how many; `most` where there may be more
   */
  expire(resultOwner: string, most: number, nodes: readonly string[]): Promise<number>;
  /** Epoch ms at which the next wait of an instance ends; null where none is open. */
  nextEnd(resultOwner: string, nodes: readonly string[]): Promise<number | null>;
  /** Ends that have left their node are forgotten, and waits that have none left; a group whose last wait that was may end now. */
  left(wait: number, places: readonly number[]): Promise<void>;
  /** Takes over the waits of nodes whose instances are dead. @returns how many */
  adopt(resultOwner: string, account: string, nodes: readonly string[]): Promise<number>;
  /** How many recipients each node of an account waits for at an instance. */
  open(resultOwner: string, account: string): Promise<ReadonlyMap<string, number>>;
  /** Looks again at what began in the last `age` ms: an event may have come at the same moment, in another process. */
  recheck(age: number): Promise<void>;
  /** Waits with their messages, in the order in which they began. For a page of them. */
  some(ids: readonly number[]): Promise<readonly OpenWait[]>;
  /** The message of a wait, where it is needed without its ends, as for another reply. */
  wait(id: number): Promise<OpenWait | null>;
}
