import type { NodeAPI } from "node-red";
import { object } from "zod";
import { configsOf } from "../node-red/configs-of";
import { serveEditor } from "./editor-request";
import type { WebhookCredentials } from "../webhook/webhook-settings";

const ROUTE = "/messaging-account/webhook-in/:id/secret";

/** The secret that the service sends, and the stored text: the secret, or the variable that holds it. */
type Answer = { readonly secret: string; readonly stored: string } | { readonly error: string };

/**
 * Serves the stored secret of a webhook to its dialog, which shows the address to register. Like every dialog route it takes
 * permission to deploy; a user with that permission could also replace the secret.
 */
export function serveWebhookSecrets(RED: NodeAPI): void {
  serveEditor(RED, ROUTE, "flows.write", object({}), async (id): Promise<Answer> => {
    // Disabled nodes and those of a subflow's template count, though they do not run.
    if (!configsOf(RED, "webhook-in").some((node) => node.id === id)) {
      return { error: "not-deployed" };
    }
    const { secret: stored = "" } = (RED.nodes.getCredentials(id) ?? {}) as WebhookCredentials;
    if (stored === "") {
      return { error: "no-secret" };
    }
    const node = RED.nodes.getNode<WebhookCredentials>(id);
    return { secret: node?.credentials?.secret ?? stored, stored };
  });
}
