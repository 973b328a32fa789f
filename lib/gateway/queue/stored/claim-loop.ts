import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import { RateGate } from "../rate-gate";
import type { BlockedRequests } from "./blocked-requests";
import type { PutBack } from "./put-back";
import { LONGEST_SLEEP } from "./queue-timers";
import type { RequestStarter } from "./request-starter";
import type { QueueCore } from "./stored-messages";

/** ms that a claim waits for further connections while all were busy: one transaction then has more requests and their outcomes. */
const GATHERING_MS = 5;
/** ms until a pause that the computer's clock has made too long is over. */
const CUT = 1_000;
/** No request waits longer than this many ms for its next try. Above every pause of the retry policy. */
export const LONGEST_PAUSE = 120_000;

/**
 * Whether a queue claims requests.
 * - `opening`: not yet. Entered with the queue; left by `start`, when no queue before it has a claim under way.
 * - `running`: as many as can leave. Left to `stopped`. Within it nothing is claimed while the store is left alone after a failure
 *   (`QueueTimers.retries`), while the account is stopped (`DispatcherHandle.paused`), while a limit keeps everything
 *   (`BlockedRequests.limitedFor`), and while there is no slot (`RateGate`). Requests of a refused sign-in are left out (`SignInGate`).
 * - `stopped`: never again. Entered by `stop`, and when the lease of this process has expired. What a claim brings that was under way is put back.
 */
type ClaimMode = "opening" | "running" | "stopped";

/** Claims requests that can leave, one claim after the other. */
export class ClaimLoop {
  #mode: ClaimMode = "opening";
  readonly #gate: RateGate;
  /** Requests that the running claim asked for. */
  #claiming = 0;
  /** Whether there may be something to claim, and whether that was said during the running claim. */
  #mayHave = true;
  #wokenInClaim = false;
  #gathering: NodeJS.Timeout | null = null;

  constructor(
    private readonly core: QueueCore,
    private readonly putBack: PutBack,
    private readonly blocked: BlockedRequests,
    private readonly starter: RequestStarter,
  ) {
    this.#gate = new RateGate(core, () => this.pump());
  }

  start(): void {
    if (this.#mode === "opening") {
      this.#mode = "running";
    }
    this.wake();
  }

  /** Claims nothing more. @returns claimed requests that wait for their turn */
  stop(): readonly ClaimedRequest[] {
    this.#mode = "stopped";
    clearTimeout(this.#gathering ?? undefined);
    return this.#gate.stop();
  }

  /** There may be something to send. */
  wake(): void {
    this.#mayHave = true;
    this.#wokenInClaim = true;
    this.pump();
  }

  /** Whether nothing waits before a new request, which may leave at once. */
  get isIdle(): boolean {
    const { work, memory } = this.core;
    return (
      this.#mayClaim &&
      work.health.isSound &&
      !memory.claims.uncertain &&
      !this.#mayHave &&
      this.blocked.limitedFor <= 0
    );
  }

  get #mayClaim(): boolean {
    const { work, dispatcher } = this.core;
    return this.#mode === "running" && !dispatcher.paused && !work.timers.retries;
  }

  /** Whether more waits than can be sent at once. */
  get isBehind(): boolean {
    return this.#mayHave && this.room <= 0;
  }

  /** Requests that the dispatcher can start at once beyond those that were claimed for it. */
  get room(): number {
    const { dispatcher, work } = this.core;
    return dispatcher.workers.idle - this.#gate.waiting - this.#claiming - work.departing.count;
  }

  /** Whether a claim is about to follow, which may share its transaction. */
  get isGathering(): boolean {
    return this.#gathering !== null;
  }

  /** Claims as many requests as can start now. */
  pump(): void {
    const { place, dispatcher } = this.core;
    if (this.#mayHave && dispatcher.workers.idle < dispatcher.concurrency && !place.store.engine.exclusive) {
      this.#gathering ??= setTimeout(() => this.#pumpNow(), GATHERING_MS);
    } else {
      this.#pumpNow();
    }
  }

  #pumpNow(): void {
    clearTimeout(this.#gathering ?? undefined);
    this.#gathering = null;
    if (!this.#mayClaim) {
      return;
    }
    const { work, signIns } = this.core;
    const probeIn = signIns.nextProbeIn;
    if (probeIn !== null) {
      work.timers.wakeIn(probeIn);
    }
    const limited = this.blocked.limitedFor;
    if (limited > 0) {
      work.timers.wakeIn(limited);
      return;
    }
    const { room } = this;
    const count = this.#mayHave && this.#claiming === 0 && room > 0 ? this.#gate.admit(room) : 0;
    if (count > 0) {
      this.#claiming = count;
      work.track(this.#claim(count));
    }
  }

  async #claim(most: number): Promise<void> {
    const { putBack, starter } = this;
    const claimed = await this.#ask(most);
    for (const request of claimed) {
      putBack.claimed(request);
    }
    if (this.#mode === "stopped") {
      for (const request of claimed) {
        putBack.put(request, 0, request.attempts);
      }
      return;
    }
    // A request that ends within its start frees its worker before the others have started.
    this.#claiming = claimed.length;
    this.#gate.start(claimed, (request) => starter.start(request));
    this.#claiming = 0;
    this.pump();
  }

  /** @returns none where the store has failed */
  async #ask(most: number): Promise<readonly ClaimedRequest[]> {
    const { place, listener, work } = this.core;
    const { health, departing } = work;
    const { putBack } = this;
    this.#wokenInClaim = false;
    let claimed: readonly ClaimedRequest[] = [];
    try {
      if (!(await health.prove(() => place.instances.sendHeartbeat()))) {
        this.#mode = "stopped";
        listener.over();
        return claimed;
      }
      await putBack.putAll(() => departing.idle());
      const { requests, drained } = await this.#gate.claim(most);
      claimed = requests;
      if (health.isSound) {
        health.works();
      }
      if (drained) {
        this.#mayHave = this.#wokenInClaim;
        if (putBack.mayWait || !place.store.engine.exclusive) {
          work.track(this.#scheduleNextDue());
        }
      }
    } catch (error) {
      putBack.noteClaim(error);
      work.failed(error);
    }
    return claimed;
  }

  async #scheduleNextDue(): Promise<void> {
    const { place, work } = this.core;
    const { store, account } = place;
    const { putBack } = this;
    try {
      putBack.mayWait = false;
      const due = await store.backlog.nextDue(account, this.core.destination);
      putBack.mayWait ||= due !== null;
      // Where the computer's clock was set back, pauses before another try are too long.
      const cut = due !== null && due > LONGEST_PAUSE ? await store.backlog.limitDelays(account, CUT) : 0;
      if (due !== null) {
        work.timers.wakeIn(cut > 0 ? CUT : due);
      } else if (!store.engine.exclusive) {
        // What another process has put there, and nobody told of.
        work.timers.wakeIn(LONGEST_SLEEP);
      }
    } catch (error) {
      work.failed(error);
    }
  }
}
