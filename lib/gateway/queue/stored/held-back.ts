import type { ClaimedRequest } from "../../../store/request-claims";
import type { Verdict } from "../../codec/verdict";
import type { HeldPart } from "../held-part";
import { answerOf } from "../stored-content";
import type { PutBack } from "./put-back";
import type { QueueResults, QueueStore, RequestContents } from "./stored-messages";

/** Whom holding back tells what. None may throw. */
export interface HeldBackListener {
  readonly answered: (request: ClaimedRequest, verdict: Verdict) => void;
  readonly track: (work: Promise<unknown>) => void;
  /** There may be something to send. */
  readonly wake: () => void;
  /** The store has failed, and is asked again later. */
  readonly failed: (error: unknown) => void;
  /** Epoch ms. */
  readonly now: () => number;
}

/**
 * Keeps requests back that rules hold when they are to leave: the whole of one, or some of its recipients, which become a request of
 * their own. Knows until when a limit keeps everything of the account.
 */
export class HeldBack {
  /** Epoch ms at which a limit was found to keep everything of the account from leaving, and until when it does. */
  #limitedSince = 0;
  #limited = 0;

  constructor(
    private readonly place: QueueStore,
    private readonly putBack: PutBack,
    private readonly contents: RequestContents,
    private readonly results: QueueResults,
    private readonly simulated: boolean,
    private readonly listener: HeldBackListener,
  ) {}

  /** ms for which nothing of the account leaves; asks the store again after the computer's clock was set back. */
  get limitedFor(): number {
    const now = this.listener.now();
    return now < this.#limitedSince ? 0 : this.#limited - now;
  }

  /** @param held parts of a request that do not leave now; at least one */
  hold(request: ClaimedRequest, held: readonly HeldPart[]): void {
    const [first, ...others] = held as [HeldPart, ...HeldPart[]];
    const count = held.reduce((sum, { recipients }) => sum + recipients.length, 0);
    if (count < request.recipients.length) {
      this.listener.track(this.#divide(request, held, null));
    } else if (others.length > 0) {
      this.listener.track(this.#divide(request, others, first));
    } else {
      this.#holdAll(request, first);
    }
  }

  #holdAll(request: ClaimedRequest, { verdict, until, all }: HeldPart): void {
    if (verdict !== null) {
      this.listener.answered(request, verdict);
      return;
    }
    const now = this.listener.now();
    if (all) {
      this.#limitedSince = now;
      this.#limited = until;
    }
    const wait = all ? 0 : Math.max(1, until - now);
    this.putBack.put(request, wait, request.attempts, wait > 0);
  }

  /** @param kept what stays of the request and is held back too; null where the rest of it leaves */
  async #divide(request: ClaimedRequest, held: readonly HeldPart[], kept: HeldPart | null): Promise<void> {
    const { store, instances, account } = this.place;
    const groups = held.map(({ recipients, verdict, until, all }) => ({
      recipients,
      settled:
        verdict === null
          ? null
          : {
              outcome: verdict.outcome,
              answer: answerOf(request.operation, verdict, this.contents.isTest(request), this.simulated),
            },
      until: all ? null : until,
    }));
    const { putBack, listener } = this;
    let isMine = false;
    try {
      isMine = await store.divisions.divide(request, account, instances.id, groups, kept === null);
    } catch (error) {
      // Whole or divided, it is looked at again. Not put back at once: divided it may have been claimed again, which nobody may undo.
      putBack.putLater(request);
      putBack.mayWait = true;
      listener.failed(error);
      return;
    }
    putBack.mayWait = true;
    if (isMine) {
      this.results.divided(request, groups.length);
    }
    if (isMine && kept !== null) {
      const rest = { ...request, recipients: kept.recipients };
      putBack.hold(rest);
      this.#holdAll(rest, kept);
      return;
    }
    if (putBack.isLast(request)) {
      putBack.forget(request.id);
    }
    listener.wake();
  }
}
