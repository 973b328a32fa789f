import type { NodeMessage } from "node-red";
import type { ReceivedEvent } from "../../webhook/receiver-parts";
import { eventPerson, inboundText } from "../store/event-fields";

type EventMessage = NodeMessage & { from?: string; text?: string };

/**
 * The message of an event: the event in `payload`, its facts in `event`, the request without credentials in `req`. Whatever the
 * channel, `from` is the person's number with plus, and `text` what the person wrote; `topic` is the number as the event spells it.
 * Where people have ids of their messenger, `from` is `messenger:id`. An event without either has no `from`; a status has a blank
 * `text`; what is not recognised has neither.
 * @param messageId `_msgid` of the message
 * @param simulated whether the built-in simulator sent the event
 */
export function webhookMessage(received: ReceivedEvent, messageId: string, simulated: boolean): EventMessage {
  const { kind, key, possibleDuplicate, ack, sender, payload, channel, unparsed, optOut, request } = received;
  const { message: sent } = received;
  const event: Record<string, unknown> = { kind, key, possibleDuplicate, simulated };
  if (channel !== null) {
    event.channel = channel;
  }
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
  const message: EventMessage = {
    _msgid: messageId,
    payload,
    event,
    req: request,
  };
  if (sender !== null) {
    message.topic = sender;
  }
  const from = eventPerson(received);
  if (from !== null) {
    message.from = from;
  }
  if (kind !== "unrecognised") {
    message.text = (kind === "inbound" ? inboundText(payload) : null) ?? "";
  }
  return message;
}
