import type { NodeAPI } from "node-red";
import { WebhookRoutes } from "./webhook-routes";

/** Addresses that were warned of, at most. */
const MOST_WARNINGS = 100;

/** Whether a server that listens on `bound` is the one that answers at this host of an address. */
function answersAt(bound: string, hostname: string): boolean {
  if (bound === "::" || bound === "0.0.0.0") {
    return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  }
  const isLoopback = bound === "::1" || bound.startsWith("127.");
  return isLoopback && (hostname === "localhost" || hostname === (bound === "::1" ? "[::1]" : bound));
}

/** Whether an address is that of a webhook-in node of this Node-RED, on its own server, by way of loopback. */
export function isOwnWebhook(RED: NodeAPI, { protocol, hostname, port, pathname }: URL): boolean {
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

/**
 * Decides for the built-in simulator which address of a single send it calls: one of a webhook-in node, nothing
 * else. What it does not call is named in the log, once.
 */
export function ownWebhookRule(RED: NodeAPI): (url: URL) => boolean {
  const warned = new Set<string>();
  return (url) => {
    if (isOwnWebhook(RED, url)) {
      return true;
    }
    const shown = `${url.origin}${url.pathname}`;
    if (!warned.has(shown) && warned.size < MOST_WARNINGS) {
      warned.add(shown);
      RED.log.warn(
        `The built-in simulator does not call notificationCallbackUrl ${shown}: it calls webhook-in nodes of this Node-RED only, by the address of this computer itself, such as http://127.0.0.1:1880/messaging/...`,
      );
    }
    return false;
  };
}
