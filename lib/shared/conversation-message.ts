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
  /** `sms`, `whatsapp` or `rcs`; null for any other. */
  readonly channel: string | null;
  /** The furthest status that the service reported, in lower case; null before the first report, and for what the person wrote. */
  readonly delivery: string | null;
}
