import type {
  InboundChannel,
  PanelMessage,
  PanelReply,
  SimulatorView,
} from "../../../shared/simulator-panel";

/** A message of a simulated account: `sent` by it, or `reply` of a recipient. */
export type ConversationEntry =
  | { readonly sent: PanelMessage; readonly reply: null }
  | { readonly sent: null; readonly reply: PanelReply };

/** Where a simulated inbound message starts. */
export interface Latest {
  readonly channel: InboundChannel;
  /** With plus. */
  readonly number: string;
}

const PHONE = /^\+[1-9]\d{4,14}$/;

/** Messages and replies, newest first; at the same moment replies are above messages. */
export const conversationOf = ({ replies, messages }: SimulatorView): readonly ConversationEntry[] =>
  [
    ...replies.map((reply) => ({ reply, sent: null })),
    ...messages.map((sent) => ({ sent, reply: null })),
  ].sort((one, other) => atOf(other) - atOf(one));

/** Channel and number of the newest message in any direction whose number is known; null for none. */
export function latestOf(entries: readonly ConversationEntry[]): Latest | null {
  for (const { sent, reply } of entries) {
    const { channel, number } = sent ?? reply;
    if (number !== null && PHONE.test(number)) {
      return { channel, number };
    }
  }
  return null;
}

const atOf = ({ sent, reply }: ConversationEntry): number => (sent ?? reply).at;
