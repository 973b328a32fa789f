import type { NodeAPI } from "node-red";
import { say } from "../../texts/say";
import { WebhookRoutes } from "./webhook-routes";

const MOST_WARNINGS = 100;

/** True if a server that listens on `bound` answers at this host name. */
function answersAt(bound: string, hostname: string): boolean {
  if (bound === "::" || bound === "0.0.0.0") {
    return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  }
  const isLoopback = bound === "::1" || bound.startsWith("127.");
  return isLoopback && (hostname === "localhost" || hostname === (bound === "::1" ? "[::1]" : bound));
}

export function isLocalWebhook(RED: NodeAPI, { protocol, hostname, port, pathname }: URL): boolean {
  const address = RED.server?.address();
  if (typeof address !== "object" || address === null) {
    return false;
  }
  const usual = protocol === "https:" ? 443 : 80;
  return (
    answersAt(address.address, hostname) &&
    Number(port || usual) === address.port &&
    WebhookRoutes.find(RED)?.serves(pathname) === true
  );
}

/** The built-in simulator calls only addresses of webhook-in nodes. The log names each other address once. */
export function localWebhookRule(RED: NodeAPI): (url: URL) => boolean {
  const warned = new Set<string>();
  return (url) => {
    if (isLocalWebhook(RED, url)) {
      return true;
    }
    const shown = `${url.origin}${url.pathname}`;
    if (!warned.has(shown) && warned.size < MOST_WARNINGS) {
      warned.add(shown);
      RED.log.warn(say("webhook.simulator-calls-own", { url: shown }));
    }
    return false;
  };
}
