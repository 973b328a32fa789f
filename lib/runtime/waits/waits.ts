import type { NodeMessage } from "node-red";
import type { OtherReplies, WaitKind, WaitOutcome } from "../../shared/fields/wait-fields";
import type { ReplyChannel } from "../../store/waits/wait";

export interface WaitRequest {
  /** Identity of the waiting node. */
  readonly node: string;
  readonly kind: WaitKind;
  /** By which replies may come. */
  readonly channel: ReplyChannel | "any";
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  /** Digits, as the result of the send node has them. */
  readonly recipients: readonly string[];
  /** Epoch ms at which it ends. */
  readonly until: number;
  /** The same for messages that a send node made of one list: their timed out recipients are emitted together. */
  readonly group: string | null;
  /** True if its send result was restored: a wait of the node for the request continues. */
  readonly repeated?: boolean;
  readonly msg: NodeMessage;
}

export interface Reply {
  readonly channel: ReplyChannel;
  /** Digits of the sender. */
  readonly number: string;
  /** What the person wrote, or the text of the suggestion that was tapped. */
  readonly text: string;
  /** The event in the service's own field names. */
  readonly event: unknown;
  /** Epoch ms. */
  readonly at: number;
}

/** One end of a wait, for one recipient, or for all that timed out. */
export interface WaitEnd {
  readonly what: WaitOutcome;
  /** A message of its own for each end. */
  readonly msg: NodeMessage;
  /** Of rows that timed out: the messages of all their waits, as far as `rowsOf` needs them. */
  readonly timedOut?: readonly NodeMessage[];
  /** Digits. */
  readonly recipients: readonly string[];
  readonly kind: WaitKind;
  /** The service's word, in lower case; null for replies and after a time-out. */
  readonly status: string | null;
  /** Epoch ms at which it happened. */
  readonly at: number;
  readonly reply: Reply | null;
  /** True if it timed out and a newer wait expects the replies. */
  readonly replaced: boolean;
  /** Of an unmatched reply: the wait continues. */
  readonly goesOn?: true;
  /** Of a time-out: digits of the senders of unmatched replies. */
  readonly wrote?: readonly string[];
  /** True if another process, or this one earlier, may have emitted it. */
  readonly restored: boolean;
  /**
   * Its place among the messages of a wait for several recipients, for `msg.parts`; null for a wait for one, and for other replies.
   * `count` is known with the last one.
   */
  readonly sequence: { readonly id: string; readonly index: number; readonly count: number | null } | null;
}

/** A message-wait node that runs. Its methods must not throw. */
export interface WaitListener {
  /** Whether a reply is the one that is waited for. */
  matches(reply: Reply): boolean;
  /** What becomes of other replies. */
  readonly others: OtherReplies;
  emit(end: WaitEnd): void;
  clone(msg: NodeMessage): NodeMessage;
  /** How many recipients it waits for now. */
  counted(open: number): void;
  /** A sensitive message is emitted without its text, which only a process that ended had. */
  textless(): void;
  /** The store does not work, or works again. */
  trouble(error: Error | null): void;
}

export interface Waits {
  /**
   * Begins to wait. When this resolves the wait is on the disk, where there is one.
   * @throws FieldError UNKNOWN_MESSAGE where the account has not sent the message
   * @throws StoreError, SetupError
   */
  begin(wait: WaitRequest): Promise<void>;
  /** A node with this identity runs: it gets what its waits end with, also those of earlier lives. @returns ends it */
  join(node: string, listener: WaitListener): () => void;
  /** Emits what has been reported, then ends. What still waits goes on in the store. */
  close(): Promise<void>;
}
