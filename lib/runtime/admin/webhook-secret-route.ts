import type { NodeAPI } from "node-red";
import { object } from "zod";
import { type EditorAnswer, serveEditor } from "./editor-request";
import type { WebhookCredentials } from "../webhook/webhook-settings";

const ROUTE = "/messaging-account/webhook-in/:id/secret";

/** The secret of a webhook, for its dialog. */
export interface WebhookSecretAnswer {
  /** The secret that the service sends. */
  readonly secret: string;
  /** The stored text: the secret, or the variable that holds it. */
  readonly stored: string;
}

/**
 * Serves the stored secret of a webhook to its dialog, which shows the address to register. Like every dialog route it takes
 * permission to deploy; a user with that permission could also replace the secret.
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

/** Whether a deployed webhook has this id. Disabled nodes and those of a subflow's template count, though they do not run. */
function isWebhook(RED: NodeAPI, id: string): boolean {
  let found = false;
  RED.nodes.eachNode((node) => {
    found ||= node.id === id && node.type === "webhook-in";
  });
  return found;
}
