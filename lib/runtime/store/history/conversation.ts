import type { ConversationMessage } from "../../../shared/conversation-message";
import type { InboundMessage, OutboundMessage } from "../../../store/history/conversation";
import { channelOfEvent } from "../../../webhook/channel-of-event";
import { operationChannel } from "../../channels/operation-channel";
import { inboundText } from "../event-fields";
import { instantOf } from "./message-record";
import { textOfContent } from "./text-of-content";

function ofPerson({ at, body }: InboundMessage): ConversationMessage {
  const payload = body === null ? {} : (JSON.parse(body) as unknown);
  return {
    role: "user",
    content: inboundText(payload) ?? "",
    at: instantOf(at),
    channel: channelOfEvent("inbound", payload),
    delivery: null,
  };
}

const toPerson = ({ at, operation, content, delivery }: OutboundMessage): ConversationMessage => ({
  role: "assistant",
  content: content === null ? "" : textOfContent(operation, content),
  at: instantOf(at),
  channel: operationChannel(operation),
  delivery,
});

/** A message of the store as flows see it. */
export const conversationMessage = (message: OutboundMessage | InboundMessage): ConversationMessage =>
  message.direction === "in" ? ofPerson(message) : toPerson(message);
