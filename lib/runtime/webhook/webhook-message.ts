import type { NodeMessage } from "node-red";
import type { ReceivedEvent } from "../../webhook/receiver-parts";
import { eventPerson, inboundText } from "../store/event-fields";

type EventMessage = NodeMessage & { event: object; req: object; from?: string; text?: string };

/** `from` is the number with plus, or `messenger:id`; `topic` the number as the event spells it. */
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
