import type { NodeMessage } from "node-red";
import type { ReceivedEvent } from "../../webhook/receiver-parts";
import { eventPerson, inboundText } from "../store/event-fields";

type EventMessage = NodeMessage & { event: object; req: object; from?: string; text?: string };

/**
 * The message of an event: the event in `payload`, its facts in `event`, the request without credentials in `req`. Whatever the
 * channel, `from` is the person's number with plus, and `text` what the person wrote; `topic` is the number as the event spells it.
 * Where people have ids of their messenger, `from` is `messenger:id`. An event without either has no `from`; a status has a blank
 * `text`; what is not recognised has neither.
 * @param messageId `_msgid` of the message
 */
export function webhookMessage(received: ReceivedEvent, messageId: string): EventMessage {
  const { kind, key, possibleDuplicate, ack, sender, payload, channel, unparsed, optOut, request } = received;
  const { message: sent, simulated } = received;
  const from = eventPerson(received);
  return {
    _msgid: messageId,
    payload,
    event: {
      kind,
      key,
      possibleDuplicate,
      simulated,
      ...(channel !== null && { channel }),
      ...(ack !== null && { ack }),
      ...(unparsed !== null && { unparsed }),
      ...(sent !== null && { message: sent }),
      ...(optOut !== null && { optOut }),
    },
    req: request,
    ...(sender !== null && { topic: sender }),
    ...(from !== null && { from }),
    ...(kind !== "unrecognised" && { text: (kind === "inbound" ? inboundText(payload) : null) ?? "" }),
  };
}
