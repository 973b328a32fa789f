import type { MessageState } from "./message-record";
import type { OptOutRow } from "../opt-outs";
import type { ShownOutcome } from "../outcomes";

/**
 * One message of a conversation, by a person or to one. `role` and `content` are as interfaces for chat completions want them. Part of the
 * message contract.
 */
export interface ConversationMessage {
  /** `user` for what the person wrote, `assistant` for what was sent to the person. */
  readonly role: "user" | "assistant";
  /**
   * The text. Of a template its name and values, of a card its title and description. Blank where there is none, as for a picture without
   * words, and where none is kept, as of a sensitive message.
   */
  readonly content: string;
  /** When it was handed to a connection, or came. ISO 8601 with milliseconds in UTC. */
  readonly at: string;
  /** `sms`, `voice`, `whatsapp` or `rcs`; null for any other. */
  readonly channel: string | null;
  /** The furthest status that the service reported, in lower case; null before the first report, and for what the person wrote. */
  readonly delivery: string | null;
  /** Whether only the built-in simulator had it; false for what the person wrote. */
  readonly simulated: boolean;
}

/** Who may read the texts of people. */
export const READ_CONVERSATIONS = "messaging-conversations.read";

/** Messages of a conversation that the sidebar shows: at first, and at most. */
export const CONVERSATION_PAGE = { first: 50, most: 1_000 } as const;

/** A message of a conversation in the sidebar. */
export interface ConversationBubble extends ConversationMessage {
  /** The same as long as the message is there; unique in its conversation. */
  readonly id: string;
  /** Of what was sent to the person; null for what the person wrote. */
  readonly state: MessageState | null;
  /** null before it is known, and for what the person wrote. */
  readonly outcome: ShownOutcome | null;
  /** Sent as a test, of which no message was made. */
  readonly test: boolean;
}

/** Answer to `conversation` with a `number` in any usual spelling, and `most`, how many of the newest messages. */
export interface ConversationView {
  /** In international form, with plus. */
  readonly number: string;
  /** Whether the account keeps texts; otherwise there are no messages. */
  readonly keepsTexts: boolean;
  /** The oldest one first. */
  readonly messages: readonly ConversationBubble[];
  /** Whether there are older ones. */
  readonly more: boolean;
  /** What the person does not want; null where nothing is known of that, and where there are no messages. */
  readonly optOut: Pick<OptOutRow, "scope" | "since"> | null;
}
