import { isLoopback } from "../util/is-loopback";
import type { WebhookSettings } from "./webhook-settings";

/** Decides whether an address that a send names by itself, its `notificationCallbackUrl`, is called. */
export type CallbackRule = (url: URL) => boolean;

/** This machine, the hosts that are listed, and with `remoteCallbacks` every host. */
export function callbackRule({
  remoteCallbacks,
  callbackHosts,
}: Pick<WebhookSettings, "remoteCallbacks" | "callbackHosts">): CallbackRule {
  const hosts = new Set(callbackHosts.map((host) => host.toLowerCase()));
  return ({ host, hostname }) => remoteCallbacks || isLoopback(host) || hosts.has(hostname);
}
