import { Reporter } from "../report/reporter";
import { StubGateway } from "../stub-gateway";
import { processorTime } from "../processor-time";
import { serve } from "../serve";

export interface StubAddresses {
  readonly http: string;
  readonly https: string;
}

/** How often the recipients came that were expected. */
export interface SeenRecipients {
  readonly once: number;
  readonly never: number;
  readonly moreOften: number;
}

const gateway = new StubGateway();
const reporters = new Map<string, Reporter>();

/** Its connections stay open for the next round. */
function reporterTo(webhook: string): Reporter {
  const reporter = reporters.get(webhook) ?? new Reporter(webhook);
  reporters.set(webhook, reporter);
  return reporter;
}

serve({
  listen: async (tls: { key: string; cert: string }): Promise<StubAddresses> => ({
    http: `http://127.0.0.1:${await gateway.listen(null)}`,
    https: `https://127.0.0.1:${await gateway.listen(tls)}`,
  }),
  /** ms for which every request is held from now on. */
  delay: (delay: number): void => {
    gateway.delay = delay;
  },
  /** Has the messages from now on reported to a webhook; null ends it. */
  report: (url: string | null): void => {
    gateway.reporter = url === null ? null : reporterTo(url);
  },
  /** Resolves when all reports were taken: how many were not accepted. */
  reported: async (): Promise<number> => (await gateway.reporter?.drained()) ?? 0,
  counts: () => gateway.counts(),
  /** Resolves with the next request: epoch ms. */
  next: (): Promise<number> => gateway.next(),
  cpu: processorTime,
  expect: (recipients: number): void => {
    gateway.seen = new Uint8Array(recipients);
  },
  seen: (): SeenRecipients => {
    const counts = gateway.seen ?? new Uint8Array(0);
    gateway.seen = null;
    const never = counts.filter((count) => count === 0).length;
    const once = counts.filter((count) => count === 1).length;
    return { once, never, moreOften: counts.length - never - once };
  },
});
