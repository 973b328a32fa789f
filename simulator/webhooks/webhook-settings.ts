import { z } from "zod";
import { isLoopback } from "../util/is-loopback";
import { parseInput } from "../util/parse-input";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

const setting = (min: number, initial: number) => z.int().min(min).max(MAX_TIMER_MS).default(initial);

/** How webhooks are called. Times are in milliseconds. */
const settings = z.strictObject({
  /** Wait between the first attempt and the second; doubles after each attempt. */
  firstRetry: setting(1, SECOND_MS),
  longestRetry: setting(1, HOUR_MS),
  /** Time after the first attempt in which attempts are made. */
  giveUpAfter: setting(0, 24 * HOUR_MS),
  timeout: setting(1, 30 * SECOND_MS),
  connections: setting(1, 16),
  /** Cuts the connection of each n-th attempt of a webhook; 0 for none. */
  cutEvery: setting(0, 0),
  mostPending: setting(1, 100_000),
  /** Also calls a `notificationCallbackUrl` on other machines. Registered webhooks are called on any host. */
  remoteCallbacks: z.boolean().default(false),
  callbackHosts: z.array(z.string()).readonly().default([]),
});

export type WebhookOptions = Readonly<z.input<typeof settings>>;
export type WebhookSettings = Readonly<z.output<typeof settings>>;

export const webhookSettings = (options: WebhookOptions = {}): WebhookSettings =>
  parseInput("webhooks", settings, options);

export type CallbackRule = (url: URL) => boolean;

/** Permits loopback hosts, the listed hosts, and with `remoteCallbacks` every host. */
export function callbackRule({ remoteCallbacks, callbackHosts }: WebhookSettings): CallbackRule {
  const hosts = new Set(callbackHosts.map((host) => host.toLowerCase()));
  return ({ host, hostname }) => remoteCallbacks || isLoopback(host) || hosts.has(hostname);
}
