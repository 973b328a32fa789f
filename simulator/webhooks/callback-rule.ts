import { isLoopback } from "../util/is-loopback";
import type { WebhookSettings } from "./webhook-settings";

export type CallbackRule = (url: URL) => boolean;

/** Permits loopback hosts, the listed hosts, and with `remoteCallbacks` every host. */
export function callbackRule({
  remoteCallbacks,
  callbackHosts,
}: Pick<WebhookSettings, "remoteCallbacks" | "callbackHosts">): CallbackRule {
  const hosts = new Set(callbackHosts.map((host) => host.toLowerCase()));
  return ({ host, hostname }) => remoteCallbacks || isLoopback(host) || hosts.has(hostname);
}
