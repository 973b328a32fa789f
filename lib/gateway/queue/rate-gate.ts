import type { ClaimedRequest } from "../../store/jobs/request-claims";
import { RateShare } from "./rate-share";
import { claimGuard, type QueueCore } from "./stored/stored-messages";

/** What a claim has brought. */
export interface Claimed {
  readonly requests: readonly ClaimedRequest[];
  /** Whether there was nothing more to claim. */
  readonly drained: boolean;
}

/** ms of slots that one claim may take. A claimed request is unknown if its process ends, so they are few. */
const AHEAD_MS = 20;
/** ms for which a back-off of another process counts as just over, and until the store is asked again then. */
const JUST_OVER_MS = 100;
const SOON_MS = 20;
const MAX_WAIT_MS = 5_000;

/** Decides when requests are claimed and started, by the rate and the back-offs of their service. */
export class RateGate {
  readonly #share: RateShare | null;
  readonly #waiting = new Map<ClaimedRequest, NodeJS.Timeout>();
  readonly #endListening: () => void;
  #pause: NodeJS.Timeout | null = null;
  /** Time of `performance.now()` until which another process has blocked the service. */
  #blockedUntil = 0;
  #isStopped = false;

  constructor(
    private readonly core: QueueCore,
    /** Called when requests may be claimed again. */
    private readonly onOpen: () => void,
  ) {
    const { place, dispatcher } = core;
    const { store, instances } = place;
    const { origin } = dispatcher;
    if (store.engine.exclusive) {
      this.#share = null;
      this.#endListening = () => {};
      return;
    }
    this.#share = new RateShare(
      store.rates,
      origin,
      instances.id,
      (processes) => {
        dispatcher.shareRate(processes);
        onOpen();
      },
      (error) => {
        if (dispatcher.limiter.interval > 0 && !this.#isStopped) {
          core.work.failed(error);
        }
      },
    );
    this.#endListening = dispatcher.limiter.onBackOff((ms) => {
      // The others find it when they claim. This process keeps to its own pause if the store is unavailable.
      store.rates.block(origin, ms).catch(() => {});
    });
  }

  /** Claimed requests that wait for their slot. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** @returns requests that may be claimed, up to `room`; `onOpen` is called later if there are none */
  admit(room: number): number {
    const { limiter } = this.core.dispatcher;
    const blockedFor = this.#blockedUntil - performance.now();
    if (blockedFor > 0) {
      this.#openIn(blockedFor);
      return 0;
    }
    if (limiter.free) {
      return room;
    }
    const held = limiter.interval > 0 ? (this.#share?.heldFor ?? 0) : 0;
    const wait = Math.max(limiter.blockedFor, limiter.nextIn - AHEAD_MS, held);
    if (wait > 0) {
      this.#openIn(wait);
      return 0;
    }
    const slots = (AHEAD_MS - limiter.nextIn) / limiter.interval;
    return Math.min(room, 1 + Math.floor(slots));
  }

  /** @throws StoreError */
  async claim(count: number): Promise<Claimed> {
    const { place, dispatcher } = this.core;
    const { store, account, instances } = place;
    const origin = store.engine.exclusive ? "" : dispatcher.origin;
    const requests = await store.claims.claim(account, instances.id, count, origin, claimGuard(this.core));
    const isDrained = requests.length < count;
    if (origin === "" || requests.length > 0) {
      return { requests, drained: isDrained };
    }
    const blockedFor = await store.rates.blockedFor(origin);
    // A back-off that has just ended may have blocked the claim.
    const wasBlocked = blockedFor > -JUST_OVER_MS;
    if (wasBlocked) {
      const wait = Math.max(blockedFor, SOON_MS);
      this.#blockedUntil = performance.now() + wait;
      this.#openIn(wait);
    }
    return { requests, drained: !wasBlocked };
  }

  /** Gives each request to `begin` when its slot starts. */
  start(requests: readonly ClaimedRequest[], begin: (request: ClaimedRequest) => void): void {
    const { limiter } = this.core.dispatcher;
    for (const request of requests) {
      const wait = limiter.interval > 0 ? limiter.takeSlot() : 0;
      if (wait > 0) {
        const timer = setTimeout(() => {
          this.#waiting.delete(request);
          begin(request);
        }, wait);
        this.#waiting.set(request, timer);
      } else {
        begin(request);
      }
    }
  }

  #openIn(ms: number): void {
    clearTimeout(this.#pause ?? undefined);
    if (!this.#isStopped) {
      this.#pause = setTimeout(() => this.onOpen(), Math.min(Math.max(1, ms), MAX_WAIT_MS));
    }
  }

  /** Starts no more. @returns the requests that wait */
  stop(): readonly ClaimedRequest[] {
    this.#isStopped = true;
    this.#share?.stop();
    this.#endListening();
    clearTimeout(this.#pause ?? undefined);
    const requests = [...this.#waiting.keys()];
    for (const timer of this.#waiting.values()) {
      clearTimeout(timer);
    }
    this.#waiting.clear();
    return requests;
  }
}
