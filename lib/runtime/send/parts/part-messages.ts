import type { NodeAPI, NodeMessage } from "node-red";
import { type PartsStamp, withProperty } from "./batch-message";
import type { Part } from "./message-parts";

export interface MessagePlaces {
  /** Property of `msg`; null if recipients do not come from the message. */
  readonly list: string | null;
  /** Property of `msg` with the client message id, or null. */
  readonly id: string | null;
}

/** Returns the original message, or a copy for each part of several. */
export function partMessage(
  RED: NodeAPI,
  msg: NodeMessage,
  places: MessagePlaces,
  stamp: PartsStamp | null,
  part: Part,
  clientMessageId: string | null,
): NodeMessage {
  if (stamp === null && part.late === undefined && part.divided !== true) {
    if (places.id !== null && clientMessageId !== null) {
      RED.util.setMessageProperty(msg, places.id, clientMessageId, true);
    }
    return msg;
  }
  let message = places.list === null ? { ...msg } : withProperty(RED, msg, places.list, part.recipients);
  if (places.id !== null && clientMessageId !== null) {
    message = withProperty(RED, message, places.id, clientMessageId);
  }
  if (part.late !== undefined) {
    delete message.parts;
  } else if (stamp !== null) {
    message.parts = stamp.at(part.index);
  }
  return message;
}
