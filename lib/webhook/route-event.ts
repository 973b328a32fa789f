import type { MessageChannel } from "../shared/message-channel";
import { type Classified, OTHER_STATUS } from "./classify-event";

/** Where an event leaves its node. */
export interface EventRoute {
  /** Output of the node, from 0. */
  readonly port: number;
  /** Whether it leaves there because it is of another channel than the node's, or of one that is not known. */
  readonly otherChannel: boolean;
}

/**
 * The output of an event in a node for the statuses of one channel: *delivered* and *failed* are for this channel only, so that what is
 * wired there never runs for a message that it has sent itself by another channel. All other statuses leave by *other status*: none is lost.
 * @param channel of the event; null where it is not known
 * @param only the channel of the node; null for all
 */
export function routeEvent(
  { kind, port }: Pick<Classified, "kind" | "port">,
  channel: MessageChannel | null,
  only: MessageChannel | null,
): EventRoute {
  const isStatus = kind === "status" || kind === "report";
  return only === null || !isStatus || channel === only
    ? { port, otherChannel: false }
    : { port: OTHER_STATUS, otherChannel: true };
}
