import "../../use-features";
import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { WebhookNode } from "../../lib/runtime/webhook/webhook-node";
import type { WebhookConfig, WebhookCredentials } from "../../lib/runtime/webhook/webhook-settings";
import { WEBHOOK_VALUES } from "../../lib/shared/fields/webhook-defaults";
import { NO_LABELS } from "../../lib/texts/field-labels";

export const NODE: NodeRuntime<WebhookConfig, WebhookCredentials> = {
  initial: WEBHOOK_VALUES,
  labels: NO_LABELS,
  start: (RED, node, config) => WebhookNode.start(RED, node, config),
};
