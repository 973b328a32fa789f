import type { NodeAPI } from "node-red";
import { object } from "zod";
import { type EditorAnswer, serveEditor } from "./editor-request";
import type { WebhookCredentials } from "../webhook/webhook-settings";

const ROUTE = "/messaging-account/webhook-in/:id/secret";

/** The secret of a webhook, for its dialog. */
export interface WebhookSecretAnswer {
  /** What the service has to show. */
  readonly secret: string;
  /** What is stored: the same, or the name of a variable. */
  readonly stored: string;
}

/**
 * Serves the stored secret of a webhook to its dialog, which makes the address to register of it. Like every route of
 * dialogs it takes the permission to deploy; whoever has it could replace the secret as well.
 */
export function serveWebhookSecrets(RED: NodeAPI): void {
  serveEditor(RED, ROUTE, object({}), (id): Promise<EditorAnswer> => Promise.resolve(read(RED, id)));
}

function read(RED: NodeAPI, id: string): WebhookSecretAnswer | { readonly error: string } {
  if (!isWebhook(RED, id)) {
    return { error: "not-deployed" };
  }
  const { secret: stored = "" } = (RED.nodes.getCredentials(id) ?? {}) as WebhookCredentials;
  if (stored === "") {
    return { error: "no-secret" };
  }
  const node = RED.nodes.getNode<WebhookCredentials>(id);
  return { secret: node?.credentials?.secret ?? stored, stored };
}

/** Whether a deployed webhook has this id: one that is disabled, or in a subflow's template, runs as no node. */
function isWebhook(RED: NodeAPI, id: string): boolean {
  let found = false;
  RED.nodes.eachNode((node) => {
    found ||= node.id === id && node.type === "webhook-in";
  });
  return found;
}
