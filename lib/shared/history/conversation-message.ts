import type { MessageState } from "./message-record";
import type { OptOutRow } from "../opt-outs";
import type { ShownOutcome } from "../outcomes";

/** Part of the message contract, as interfaces for chat completions expect it. */
export interface ConversationMessage {
  /** `user`: the recipient wrote it. `assistant`: the account sent it. */
  readonly role: "user" | "assistant";
  /** Template name with values, or title and description of a card. Blank if nothing is stored. */
  readonly content: string;
  /** ISO 8601 with milliseconds in UTC, when it was sent or received. */
  readonly at: string;
  /** `sms`, `voice`, `whatsapp` or `rcs`. */
  readonly channel: string | null;
  /** The latest status that the service reported, in lower case. */
  readonly delivery: string | null;
  /** Whether the message was sent to the built-in simulator. */
  readonly simulated: boolean;
}

export const READ_CONVERSATIONS = "messaging-conversations.read";

/** Messages in the sidebar. */
export const CONVERSATION_PAGE = { first: 50, most: 1_000 } as const;

export interface ConversationBubble extends ConversationMessage {
  /** Stable and unique in its conversation. */
  readonly id: string;
  readonly state: MessageState | null;
  /** Null before it is known. */
  readonly outcome: ShownOutcome | null;
  readonly test: boolean;
}

export interface ConversationView {
  readonly number: string;
  /** Whether the account stores texts, without which there are no messages. */
  readonly keepsTexts: boolean;
  readonly messages: readonly ConversationBubble[];
  readonly more: boolean;
  /** Null if unknown or without messages. */
  readonly optOut: Pick<OptOutRow, "scope" | "since"> | null;
}
