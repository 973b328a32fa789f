import { deliveryRank } from "../../store/events/delivery-rank";
import type { ReplyChannel } from "../../store/waits/wait";
import type { WaitKind } from "../../shared/fields/wait-fields";
import type { ReportedEvent, RequestIds } from "../memory/waits/by-request";
import { markOf } from "../node-red/mark-of";

/** People whose wait ended without what was waited for and of whom a node remembers that; the oldest are forgotten first. */
const MOST = 10_000;

/** Of a person whose wait has ended without what was waited for. */
interface Silent extends RequestIds {
  readonly kind: WaitKind;
  /** By which replies could come. */
  readonly channel: ReplyChannel | "any";
}

type Ended = Silent & {
  /** `markOf` the event, as JSON, that ended the wait; null after silence. */
  readonly mark: string | null;
};

/** Whether an event is what was waited for, and not the reply that ended the wait: webhook-in emits that as well, and again where it comes again. */
function answers({ reply, status, transferId, clientMessageId }: ReportedEvent, silent: Ended): boolean {
  if (silent.kind === "reply") {
    return (
      reply !== null &&
      (silent.channel === "any" || silent.channel === reply.channel) &&
      (silent.mark === null || silent.mark !== markOf(reply.body))
    );
  }
  const isSame =
    (transferId !== null && transferId === silent.transferId) ||
    (clientMessageId !== null && clientMessageId === silent.clientMessageId);
  return isSame && deliveryRank(status?.trim().toLowerCase() ?? "") >= deliveryRank(silent.kind);
}

const watchersByAccount = new Map<string, Set<LateAnswers>>();

/** Whether any node of this process waits for something of an account. */
export const isReportedLate = (account: string): boolean => (watchersByAccount.get(account)?.size ?? 0) > 0;

/** Tells the nodes of this process that wait for something of an account what a webhook has received. */
export function reportLate(account: string, event: ReportedEvent): void {
  for (const each of watchersByAccount.get(account) ?? []) {
    each.received(event);
  }
}

/**
 * Somebody is asked again, by whatever node of this process: the next reply is that to the new question.
 * @param number digits
 * @param channel by which replies to it may come
 */
export function askedAgain(account: string, number: string, channel: ReplyChannel | "any"): void {
  for (const each of watchersByAccount.get(account) ?? []) {
    each.asked(number, channel);
  }
}

/** Counts what comes for people whose wait has ended. Knows only what ends and comes in this process while the node runs. */
export class LateAnswers {
  /** By digits. */
  readonly #silent = new Map<string, Ended>();

  /** @param came a late answer has come */
  constructor(
    private readonly account: string,
    private readonly came: () => void,
  ) {
    watchersByAccount.set(account, (watchersByAccount.get(account) ?? new Set()).add(this));
  }

  /**
   * The wait of somebody has ended in silence, or with a reply that is not the one that was waited for.
   * @param number digits
   * @param endedBy the event of that reply; null after silence
   */
  expect(number: string, silent: Silent, endedBy: unknown = null): void {
    this.#silent.delete(number);
    this.#silent.set(number, { ...silent, mark: endedBy === null ? null : markOf(JSON.stringify(endedBy)) });
    const [oldest] = this.#silent.keys();
    if (this.#silent.size > MOST && oldest !== undefined) {
      this.#silent.delete(oldest);
    }
  }

  /** Somebody is waited for again, so that what comes is not late. @param number digits */
  forget(number: string): void {
    this.#silent.delete(number);
  }

  /** As `askedAgain`. */
  asked(number: string, by: ReplyChannel | "any"): void {
    const silent = this.#silent.get(number);
    if (silent?.kind === "reply" && (silent.channel === by || silent.channel === "any" || by === "any")) {
      this.#silent.delete(number);
    }
  }

  received(event: ReportedEvent): void {
    const silent = event.number === null ? undefined : this.#silent.get(event.number);
    if (silent !== undefined && answers(event, silent)) {
      this.#silent.delete(event.number ?? "");
      this.came();
    }
  }

  close(): void {
    const watchers = watchersByAccount.get(this.account);
    watchers?.delete(this);
    if (watchers?.size === 0) {
      watchersByAccount.delete(this.account);
    }
  }
}
