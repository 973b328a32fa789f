/** How webhooks are called. Times are in milliseconds. */
export interface WebhookOptions {
  /** Between the first try and the second. 1 second without it; each further wait is twice as long. */
  readonly firstRetry?: number;
  /** No wait is longer. 1 hour without it. */
  readonly longestRetry?: number;
  /** After the first try; nothing is tried later than that. 24 hours without it. */
  readonly giveUpAfter?: number;
  /** For one try as a whole. 30 seconds without it. */
  readonly timeout?: number;
  /** Tries at the same time, for each webhook. 16 without it. */
  readonly connections?: number;
  /** The connection of every so many-th try of a webhook is cut once the event is written. 0, the default: none. */
  readonly cutEvery?: number;
  /** Events that an account holds ready at the same time; what is more is dropped. 100,000 without it. */
  readonly mostPending?: number;
  /**
   * Also calls a `notificationCallbackUrl` that is not on this machine, wherever it is. False without it, so that
   * nothing that a send asks for leaves the machine. Webhooks that were registered are called wherever they are.
   */
  readonly remoteCallbacks?: boolean;
  /** Hosts besides this machine on which a `notificationCallbackUrl` is called: names or addresses without a port. */
  readonly callbackHosts?: readonly string[];
}

export type WebhookSettings = Required<WebhookOptions>;

const SECOND = 1000;
const HOUR = 3_600_000;
const LONGEST_TIMER = 2 ** 31 - 1;

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

const LEAST: Readonly<Record<string, number>> = {
  firstRetry: 1,
  longestRetry: 1,
  giveUpAfter: 0,
  timeout: 1,
  connections: 1,
  cutEvery: 0,
  mostPending: 1,
};

/** Puts defaults where nothing is said. Throws a TypeError that names a wrong option. */
export function webhookSettings(options: WebhookOptions = {}): WebhookSettings {
  const settings: WebhookSettings = { ...DEFAULTS, ...options };
  for (const [name, least] of Object.entries(LEAST)) {
    const value = settings[name as keyof WebhookSettings];
    if (!Number.isSafeInteger(value) || Number(value) < least || Number(value) > LONGEST_TIMER) {
      throw new TypeError(`webhooks: ${name} must be a whole number from ${least} to ${LONGEST_TIMER}`);
    }
  }
  return settings;
}
