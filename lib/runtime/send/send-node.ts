import type { ChannelDefinition } from "../channels/channel-definition";
import type { NodeRuntime } from "../node-red/register-node";
import { SendExecutor } from "./send-executor";
import type { SendConfig } from "./send-setup";

/** Returns the node type that sends by a channel. */
export const sendNode = (channel: ChannelDefinition): NodeRuntime<SendConfig> => ({
  initial: channel.initial,
  labels: channel.labels,
  start: (RED, node, config) => void new SendExecutor(RED, node, config, channel),
});
