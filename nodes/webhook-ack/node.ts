import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { type AckConfig, AckNode } from "../../lib/runtime/webhook/ack-node";
import { NO_LABELS } from "../../lib/texts/field-labels";

export const NODE: NodeRuntime<AckConfig> = {
  initial: { name: "", answer: "acknowledge" },
  labels: NO_LABELS,
  start: (RED, node, config) => void new AckNode(RED, node, config),
};
