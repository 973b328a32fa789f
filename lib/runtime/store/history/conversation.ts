import type {
  ConversationBubble,
  ConversationMessage,
  ConversationView,
} from "../../../shared/history/conversation-message";
import type { InboundMessage, OutboundMessage } from "../../../store/history/conversation";
import { getEventChannel } from "../../../webhook/event-channel";
import { operationChannel } from "../../channels/operation-channel";
import { inboundText } from "../event-fields";
import type { AccountStore } from "../open-store";
import { readCutEvent } from "./cut-event";
import { digitsOf } from "./history-view";
import { instantOf, stateOf } from "./message-record";
import { textOfContent } from "./text-of-content";

function ofPerson({ at, body, simulated }: InboundMessage): ConversationMessage {
  const payload = body === null ? {} : readCutEvent(body);
  return {
    role: "user",
    content: inboundText(payload) ?? "",
    at: instantOf(at),
    channel: getEventChannel("inbound", payload),
    delivery: null,
    simulated,
  };
}

const toPerson = ({
  at,
  operation,
  spoken,
  content,
  delivery,
  simulated,
}: OutboundMessage): ConversationMessage => ({
  role: "assistant",
  content: content === null ? "" : textOfContent(operation, content),
  at: instantOf(at),
  channel: spoken ? "voice" : operationChannel(operation),
  delivery,
  simulated,
});

export const conversationMessage = (message: OutboundMessage | InboundMessage): ConversationMessage =>
  message.direction === "in" ? ofPerson(message) : toPerson(message);

function toBubble(message: OutboundMessage | InboundMessage): ConversationBubble {
  const said = conversationMessage(message);
  return message.direction === "in"
    ? { ...said, id: `in-${message.event}`, state: null, outcome: null, test: false }
    : {
        ...said,
        id: `out-${message.request}-${message.place}`,
        state: stateOf(message.state),
        outcome: message.outcome,
        test: message.test,
      };
}

/** @param number whole, in any usual spelling @throws StoreError, NoNumber, Busy */
export async function viewConversation(
  { store, account, scope, settings }: AccountStore,
  number: string,
  most: number,
  defaultCountry: string,
): Promise<ConversationView> {
  const digits = digitsOf(number, defaultCountry);
  const { history } = store;
  const asked = { account, number: digits, since: 0, most, unsent: true };
  const { messages, more } = settings.keepTexts
    ? await history.turns.take(() => history.conversation(asked))
    : { messages: [], more: false };
  // Only with a conversation: the list of opt-outs takes a permission of its own.
  const [optOut] = messages.length === 0 ? [] : await store.optOuts(scope).find([digits]);
  return {
    number: `+${digits}`,
    keepsTexts: settings.keepTexts,
    messages: messages.map(toBubble),
    more,
    optOut: optOut === undefined ? null : { scope: optOut.scope, since: instantOf(optOut.at) },
  };
}
