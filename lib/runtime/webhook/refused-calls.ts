import type { RefusedCalls as RefusedCallsView } from "../../shared/history/history";
import { REFUSALS, type RefusalReason } from "../../webhook/gates/refusals";
import { perRuntime } from "../node-red/per-runtime";

/** Reasons that are shown. */
const MAX_REASONS = 3;

interface Reason {
  readonly reason: RefusalReason;
  readonly times: number;
  /** Epoch ms of the last call. */
  readonly at: number;
  /** Id of the node that refused the last call. */
  readonly node: string;
}

/** Counts the calls that the webhooks of each account have refused since the start of Node-RED, by reason. */
export class RefusedCalls {
  readonly #reasons = new Map<string, Map<RefusalReason, Reason>>();
  readonly #since = Date.now();

  /** @param account blank for a webhook without one */
  add(account: string, node: string, reason: RefusalReason, at = Date.now()): void {
    const reasons = this.#reasons.get(account) ?? new Map<RefusalReason, Reason>();
    this.#reasons.set(account, reasons);
    reasons.set(reason, { reason, times: (reasons.get(reason)?.times ?? 0) + 1, at, node });
  }

  /** Returns the refused calls of an account, and of webhooks without an account. */
  view(account: string): RefusedCallsView {
    const all = ["", account].flatMap((each) => [...(this.#reasons.get(each)?.values() ?? [])]);
    const latest = all.sort((one, other) => other.at - one.at).slice(0, MAX_REASONS);
    return {
      count: all.reduce((sum, { times }) => sum + times, 0),
      since: new Date(this.#since).toISOString(),
      reasons: latest.map(({ reason, times, at, node }) => ({
        reason,
        times,
        node,
        code: REFUSALS[reason].httpStatus,
        at: new Date(at).toISOString(),
      })),
    };
  }
}

export const refusedCallsOf = perRuntime(() => new RefusedCalls());
