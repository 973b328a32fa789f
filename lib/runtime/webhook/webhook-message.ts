import type { NodeMessage } from "node-red";
import type { ReceivedEvent } from "../../webhook/receiver-parts";

/**
 * The message of an event: the event in `payload`, its facts in `event`, the sender in `topic`, the request without
 * credentials in `req`.
 * @param messageId `_msgid` of the message
 * @param simulated whether the built-in simulator sent the event
 */
export function webhookMessage(received: ReceivedEvent, messageId: string, simulated: boolean): NodeMessage {
  const { kind, key, possibleDuplicate, ack, sender, payload, unparsed, optOut, request } = received;
  const { message: sent } = received;
  const event: Record<string, unknown> = { kind, key, possibleDuplicate, simulated };
  if (ack !== null) {
    event.ack = ack;
  }
  if (unparsed !== null) {
    event.unparsed = unparsed;
  }
  if (sent !== null) {
    event.message = sent;
  }
  if (optOut !== null) {
    event.optOut = optOut;
  }
  const message: NodeMessage = { _msgid: messageId, payload, event, req: request };
  if (sender !== null) {
    message.topic = sender;
  }
  return message;
}
