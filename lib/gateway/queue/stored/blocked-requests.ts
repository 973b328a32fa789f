import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import type { BlockedRecipients } from "../blocked-recipients";
import { answerOf } from "../stored-content";
import { answeredNow, type OutcomeWriter } from "./outcome-writer";
import type { PutBack } from "./put-back";
import type { QueueCore } from "./stored-messages";

/** Keeps back what rules hold of a request that is to leave, in part or whole. Knows until when a limit keeps everything of the account. */
export class BlockedRequests {
  /** Epoch ms at which a limit was found to keep everything of the account from leaving, and until when it does. */
  #limitedSince = 0;
  #limited = 0;

  constructor(
    private readonly core: QueueCore,
    private readonly putBack: PutBack,
    private readonly writer: OutcomeWriter,
  ) {}

  /** ms for which nothing of the account leaves; asks the store again after the computer's clock was set back. */
  get limitedFor(): number {
    const now = this.core.now();
    return now < this.#limitedSince ? 0 : this.#limited - now;
  }

  /** @param held parts of a request that do not leave now; at least one */
  hold(request: ClaimedRequest, held: readonly BlockedRecipients[]): void {
    const [first, ...others] = held as [BlockedRecipients, ...BlockedRecipients[]];
    const count = held.reduce((sum, { recipients }) => sum + recipients.length, 0);
    if (count < request.recipients.length) {
      this.core.work.track(this.#divide(request, held, null));
    } else if (others.length > 0) {
      this.core.work.track(this.#divide(request, others, first));
    } else {
      this.#holdAll(request, first);
    }
  }

  #holdAll(request: ClaimedRequest, { verdict, until, all }: BlockedRecipients): void {
    if (verdict !== null) {
      this.writer.add(answeredNow(request, verdict, this.core));
      return;
    }
    const now = this.core.now();
    if (all) {
      this.#limitedSince = now;
      this.#limited = until;
    }
    const wait = all ? 0 : Math.max(1, until - now);
    this.putBack.put(request, wait, request.attempts, wait > 0);
  }

  /** @param kept what stays of the request and is held back too; null where the rest of it leaves */
  async #divide(
    request: ClaimedRequest,
    held: readonly BlockedRecipients[],
    kept: BlockedRecipients | null,
  ): Promise<void> {
    const { place, contents, results, work } = this.core;
    const { store, instances, account } = place;
    const groups = held.map(({ recipients, verdict, until, all }) => ({
      recipients,
      settled:
        verdict === null
          ? null
          : {
              outcome: verdict.outcome,
              answer: answerOf(request.operation, verdict, contents.isTest(request)),
            },
      until: all ? null : until,
    }));
    const { putBack } = this;
    let parts: readonly number[];
    try {
      parts = await store.divisions.divide(request, account, instances.id, groups, kept === null);
    } catch (error) {
      // Whole or divided, it is looked at again. Not put back at once: divided it may have been claimed again, which nobody may undo.
      putBack.putLater(request);
      putBack.mayWait = true;
      work.failed(error);
      return;
    }
    putBack.mayWait = true;
    if (request.node === "") {
      // What was settled of it is not emitted.
      await store.settlements.dropUnheard().catch((error: unknown) => work.failed(error));
    }
    const isMine = parts.length > 0;
    if (isMine) {
      results.divided(request, parts);
    }
    if (isMine && kept !== null) {
      const rest = { ...request, recipients: kept.recipients };
      putBack.claimed(rest);
      this.#holdAll(rest, kept);
      return;
    }
    if (putBack.isLast(request)) {
      putBack.forget(request.id);
    }
    work.wake();
  }
}
