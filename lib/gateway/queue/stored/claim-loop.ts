import type { UnderWay } from "../../../shared/async/under-way";
import type { StoredRequest } from "../../../store/jobs";
import type { ClaimedRequest } from "../../../store/request-claims";
import { OwnPace } from "../own-pace";
import type { Pace } from "../pace";
import type { StoredLane } from "../queue-handle";
import { SharedPace } from "../shared-pace";
import { ClaimAhead } from "./claim-ahead";
import type { HeldBack } from "./held-back";
import { OwnRequests } from "./own-requests";
import type { PutBack } from "./put-back";
import { LONGEST_WAIT, type QueueTimers } from "./queue-timers";
import type { RequestStarter } from "./request-starter";
import type { StoreHealth } from "./store-health";
import type { QueueParts } from "./stored-messages";

/** ms until a pause that the computer's clock has made too long is over. */
const CUT = 1_000;
/** No request waits longer than this many ms for its next try. Above every pause of the retry policy. */
export const LONGEST_PAUSE = 120_000;

/**
 * Whether a queue claims requests.
 * - `opening`: not yet. Entered with the queue; left by `start`, when no queue before it has a claim under way.
 * - `running`: as many as can leave. Left by `stop`. Within it nothing is claimed while the store is left alone after a failure
 *   (`QueueTimers.retries`) or is lost (`StoreHealth.mode`), while the account is stopped (`StoredLane.paused`), while a limit keeps
 *   everything (`HeldBack.limitedFor`), and while there is no slot (`Pace`).
 * - `stopped`: never again. What a claim brings that was under way is put back.
 */
type ClaimMode = "opening" | "running" | "stopped";

/** The parts of a queue that claims need. */
export interface LoopParts {
  readonly lane: StoredLane;
  readonly health: StoreHealth;
  readonly timers: QueueTimers;
  readonly putBack: PutBack;
  readonly heldBack: HeldBack;
  readonly starter: RequestStarter;
  /** Requests that are being taken and claimed in one. */
  readonly departing: UnderWay;
  /** Waits with the other work of the queue until this has ended. */
  readonly track: (work: Promise<unknown>) => void;
  /** The store has failed, and is asked again later. */
  readonly failed: (error: unknown) => void;
}

/** Claims requests that can leave, one claim after the other. */
export class ClaimLoop {
  #mode: ClaimMode = "opening";
  readonly #pace: Pace;
  /** Requests that the running claim asked for. */
  #claiming = 0;
  /** Whether there may be something to claim, and whether that was said during the running claim. */
  #mayHave = true;
  #wokenInClaim = false;
  /** Null where nothing is claimed ahead. */
  readonly #ahead: ClaimAhead | null;
  readonly #own = new OwnRequests();

  constructor(
    private readonly queue: QueueParts,
    private readonly parts: LoopParts,
  ) {
    const { place, rules, simulated } = queue;
    const { store, instances, account } = place;
    const { lane, putBack } = parts;
    this.#ahead = store.engine.exclusive ? null : new ClaimAhead(lane.concurrency);
    const paced = {
      account,
      owner: instances.id,
      onTurn: () => this.pump(),
      guard: () => ({ ...rules.guard(), simulated }),
      giveBack: (request: ClaimedRequest) => putBack.put(request, 0, request.attempts),
    };
    this.#pace = store.engine.exclusive
      ? new OwnPace(lane, store.claims, paced)
      : new SharedPace(lane, store, paced);
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
    return this.#pace.stop();
  }

  /** There may be something to send. */
  wake(): void {
    this.#mayHave = true;
    this.#wokenInClaim = true;
    this.pump();
  }

  /** Whether nothing waits before a new request, which may leave at once. */
  get isIdle(): boolean {
    return (
      this.#mayClaim &&
      this.parts.health.mode === "sound" &&
      !this.queue.memory.claims.uncertain &&
      !this.#mayHave &&
      this.parts.heldBack.limitedFor <= 0
    );
  }

  get #mayClaim(): boolean {
    const { health, lane, timers } = this.parts;
    return this.#mode === "running" && health.mode !== "lost" && !lane.paused && !timers.retries;
  }

  /** Requests that the dispatcher could start at once beyond those that were claimed for it. */
  get #idle(): number {
    const { reserved, waiting } = this.#pace;
    return this.parts.lane.idle - reserved - waiting - this.#claiming - this.parts.departing.count;
  }

  /** Requests that are claimed while no connection is free for them, beyond those that were. */
  get #most(): number {
    return this.#ahead !== null && this.parts.lane.free ? this.#ahead.most(performance.now()) : 0;
  }

  /** Requests that are claimed together, and outcomes that are written together, while no connection waits for them. */
  get together(): number {
    return Math.max(1, Math.ceil(this.#most / 2));
  }

  /** Requests that can be claimed. */
  get room(): number {
    const idle = this.#idle;
    const room = idle + this.#most - this.parts.lane.waiting;
    return idle > 0 || room >= this.together ? room : 0;
  }

  /** These requests of this process are in the store, and wait like others. */
  accepted(stored: readonly StoredRequest[], keyed: boolean): void {
    const { place, memory } = this.queue;
    if (!place.store.engine.exclusive && this.parts.lane.interval === 0) {
      for (const { id } of stored) {
        if (!memory.claims.held.has(id)) {
          this.#own.add(id, keyed);
        }
      }
    }
  }

  /** This process has claimed the request. */
  claimed(id: number): void {
    this.#own.delete(id);
  }

  /** The service has answered a request, or surely will not. */
  answered(): void {
    this.#ahead?.answered(performance.now());
  }

  /** Claims as many requests as can start now. */
  pump(): void {
    if (!this.#mayClaim) {
      return;
    }
    const { heldBack, timers, track } = this.parts;
    const limited = heldBack.limitedFor;
    if (limited > 0) {
      timers.wakeIn(limited);
      return;
    }
    const room = this.#mayHave ? this.room : 0;
    if (room > 0) {
      this.#pace.reserve(room);
    }
    if (this.#pace.reserved > 0 && this.#claiming === 0) {
      this.#claiming = this.#pace.use();
      track(this.#claim(this.#claiming));
    }
  }

  async #claim(most: number): Promise<void> {
    const { putBack, starter } = this.parts;
    const claimed = await this.#ask(most);
    for (const request of claimed) {
      putBack.hold(request);
    }
    const preparing = this.queue.contents.ready(claimed);
    if (preparing !== null) {
      await preparing;
    }
    if (this.#mode === "stopped") {
      for (const request of claimed) {
        putBack.put(request, 0, request.attempts);
      }
      return;
    }
    // A request that ends within its start frees its worker before the others have started.
    this.#claiming = claimed.length;
    this.#pace.start(claimed, (request, latest) => starter.start(request, latest));
    this.#claiming = 0;
    this.pump();
  }

  /** @returns none where the store has failed */
  async #ask(most: number): Promise<readonly ClaimedRequest[]> {
    const { place, listener } = this.queue;
    const { health, putBack, departing, track, failed } = this.parts;
    this.#wokenInClaim = false;
    let claimed: readonly ClaimedRequest[] = [];
    try {
      if (!(await health.prove(() => place.instances.beat(), listener.lost))) {
        return claimed;
      }
      await putBack.putAll(() => departing.idle());
      const own = this.#own.next(most, performance.now());
      const { requests, drained } = await this.#pace.claim(most, own);
      claimed = requests;
      if (own === null) {
        this.#own.found(requests, place.instances.id);
      }
      if (health.mode === "sound") {
        health.works();
      }
      if (drained) {
        this.#mayHave = this.#wokenInClaim;
        if (putBack.mayWait || !place.store.engine.exclusive) {
          track(this.#scheduleNextDue());
        }
      }
    } catch (error) {
      putBack.noteClaim(error);
      failed(error);
    }
    return claimed;
  }

  async #scheduleNextDue(): Promise<void> {
    const { place } = this.queue;
    const { putBack, timers, failed } = this.parts;
    try {
      const { store, account } = place;
      putBack.mayWait = false;
      const due = await store.backlog.nextDue(account);
      putBack.mayWait ||= due !== null;
      // Where the computer's clock was set back, pauses before another try are too long.
      const cut = due !== null && due > LONGEST_PAUSE ? await store.backlog.limitDelays(account, CUT) : 0;
      if (due !== null) {
        timers.wakeIn(cut > 0 ? CUT : due);
      } else if (!store.engine.exclusive) {
        // What another process has put there, and nobody told of.
        timers.wakeIn(LONGEST_WAIT);
      }
    } catch (error) {
      failed(error);
    }
  }
}
