/** How webhooks are called. Times are in milliseconds. */
export interface WebhookOptions {
  /** Wait between the first attempt and the second; doubles after each attempt. Default: 1 second. */
  readonly firstRetry?: number;
  /** Longest wait between attempts. Default: 1 hour. */
  readonly longestRetry?: number;
  /** Time after the first attempt in which attempts are made. Default: 24 hours. */
  readonly giveUpAfter?: number;
  /** Time limit of one attempt. Default: 30 seconds. */
  readonly timeout?: number;
  /** Concurrent attempts for each webhook. Default: 16. */
  readonly connections?: number;
  /** Cuts the connection of each n-th attempt of a webhook. Default: 0 for none. */
  readonly cutEvery?: number;
  /** Limit for pending events of an account; further events are dropped. Default: 100,000. */
  readonly mostPending?: number;
  /**
   * Also calls a `notificationCallbackUrl` on other machines. Default: false, so that no send causes a request to
   * another machine. Registered webhooks are called on any host.
   */
  readonly remoteCallbacks?: boolean;
  /** Further hosts on which a `notificationCallbackUrl` is called: names or addresses without a port. */
  readonly callbackHosts?: readonly string[];
}

export type WebhookSettings = Required<WebhookOptions>;

const SECOND = 1000;
const HOUR = 3_600_000;
const MAX_TIMER = 2 ** 31 - 1;

const DEFAULTS: WebhookSettings = {
  firstRetry: SECOND,
  longestRetry: HOUR,
  giveUpAfter: 24 * HOUR,
  timeout: 30 * SECOND,
  connections: 16,
  cutEvery: 0,
  mostPending: 100_000,
  remoteCallbacks: false,
  callbackHosts: [],
};

const MINIMUMS: Readonly<Record<string, number>> = {
  firstRetry: 1,
  longestRetry: 1,
  giveUpAfter: 0,
  timeout: 1,
  connections: 1,
  cutEvery: 0,
  mostPending: 1,
};

/** Adds defaults. Throws a TypeError that names an invalid option. */
export function webhookSettings(options: WebhookOptions = {}): WebhookSettings {
  const settings: WebhookSettings = { ...DEFAULTS, ...options };
  for (const [name, min] of Object.entries(MINIMUMS)) {
    const value = settings[name as keyof WebhookSettings];
    if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > MAX_TIMER) {
      throw new TypeError(`webhooks: ${name} must be an integer from ${min} to ${MAX_TIMER}`);
    }
  }
  return settings;
}
