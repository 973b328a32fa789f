import type { ReplyChannel } from "../../store/waits/wait";
import { inboundText } from "../store/event-fields";
import type { Reply } from "./waits";

/**
 * An inbound message as waiting nodes get it. A picture without words has a blank text.
 * @param number digits of the sender
 * @param body the event as JSON, as `readReply` gives it
 * @param at epoch ms
 */
export function replyOf(number: string, channel: ReplyChannel, body: string, at: number): Reply {
  const event: unknown = JSON.parse(body);
  return { channel, number, text: inboundText(event) ?? "", event, at };
}
