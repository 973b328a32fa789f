import type {
  InboundChannel,
  PanelMessage,
  PanelReply,
  SimulatorView,
} from "../../../shared/simulator-panel";
import type { Choice } from "../accounts/accounts";

/** A message of a simulated account: `sent` by it, or `reply` of a recipient. */
export type ConversationEntry = { readonly account: Choice } & (
  | { readonly sent: PanelMessage; readonly reply: null }
  | { readonly sent: null; readonly reply: PanelReply }
);

/** Where a simulated inbound message starts. */
export interface Latest {
  readonly channel: InboundChannel;
  /** With plus. */
  readonly number: string;
}

export interface AccountView {
  readonly account: Choice;
  readonly view: SimulatorView;
}

const PHONE = /^\+[1-9]\d{4,14}$/;

/** Messages and replies of all these accounts, newest first; of those of one moment the replies are above. */
export function conversationOf(views: readonly AccountView[]): readonly ConversationEntry[] {
  const entries = views.flatMap(({ account, view }): readonly ConversationEntry[] => [
    ...view.replies.map((reply) => ({ account, reply, sent: null })),
    ...view.messages.map((sent) => ({ account, sent, reply: null })),
  ]);
  return entries.sort((one, other) => atOf(other) - atOf(one));
}

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
