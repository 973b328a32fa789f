import type { NodeAPI } from "node-red";
import { object } from "zod";
import { getConfigs } from "../node-red/get-configs";
import { serveEditor } from "./editor-request";
import type { WebhookCredentials } from "../webhook/webhook-settings";

const ROUTE = "/messaging-account/webhook-in/:id/secret";

type Answer = { readonly secret: string; readonly stored: string } | { readonly error: string };

/** Takes permission to deploy: a user with that permission could also replace the secret. */
export function serveWebhookSecrets(RED: NodeAPI): void {
  serveEditor(RED, ROUTE, "flows.write", object({}), async (id): Promise<Answer> => {
    // Disabled nodes and those of a subflow's template count, though they do not run.
    if (!getConfigs(RED, "messaging-webhook-in").some((node) => node.id === id)) {
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
