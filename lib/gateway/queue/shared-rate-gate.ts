import type { ClaimedRequest } from "../../store/jobs/request-claims";
import type { Rate, Turns } from "../../store/jobs/rates";
import { DatabaseClock } from "./database-clock";
import type { Begin, Claimed, RateGate } from "./rate-gate";
import type { PutBack } from "./stored/put-back";
import { claimGuard, type QueueCore } from "./stored/stored-messages";

/** ms of turns that one claim may take. What is claimed when a process ends is `unknown`, so they are few. */
const AHEAD = 20;
/** ms after its time at which a turn is void, and a new one is taken. */
const LATE = 10;
/** All processes stay so much below the rate that no second sees more than one request above it, although each may be late by `LATE`. */
const SLACK = 1.02;
/** Bounds of the time that a claim is expected to take, in ms. */
const LEAD = { least: 2, most: 250 } as const;
/** How often the time is asked for before the first turn. */
const FIRST_QUESTIONS = 3;
/** ms without a turn after which the store is asked again. */
const LONGEST_TURN_WAIT = 5_000;
/** ms for which a back-off counts as just over, and until the store is asked again then. */
const JUST_OVER = 100;
const SOON = 20;

interface Waiting {
  readonly request: ClaimedRequest;
  readonly begin: Begin;
  /** Moment of `performance.now`. */
  at: number;
}

/** The rate gate of processes that share a store and its token bucket: each request leaves at its turn. A back-off of one holds all. */
export class SharedRateGate implements RateGate {
  readonly #clock = new DatabaseClock();
  #reserved = 0;
  #claiming = false;
  /** ms that a claim takes. */
  #lead: number = LEAD.least;
  /** Requests by time. */
  #waiting: Waiting[] = [];
  /** Requests that missed their turn and get a new one. */
  readonly #late = new Set<Waiting>();
  #pause: NodeJS.Timeout | null = null;
  #next: NodeJS.Timeout | null = null;
  #stopped = false;
  #given: Turns | null = null;
  readonly #stopBackOff: () => void;

  constructor(
    private readonly core: QueueCore,
    private readonly putBack: Pick<PutBack, "put">,
    /** There may be turns again. */
    private readonly onTurn: () => void,
  ) {
    const { dispatcher, place } = core;
    this.#stopBackOff = dispatcher.limiter.onBackOff((ms) => {
      // The others find it when they claim. This process goes by its own pause, if the store does not know.
      place.store.rates.block(dispatcher.origin, ms).catch(() => {});
    });
  }

  get reserved(): number {
    return this.#reserved;
  }

  get waiting(): number {
    return this.#waiting.length + this.#late.size;
  }

  reserve(room: number): void {
    if (this.#claiming || this.#pause !== null || this.#stopped) {
      return;
    }
    const { blockedFor } = this.core.dispatcher.limiter;
    if (blockedFor > 0) {
      this.#askIn(blockedFor);
    } else {
      this.#reserved += room;
    }
  }

  use(): number {
    const turns = this.#reserved;
    this.#reserved = 0;
    return turns;
  }

  async claim(most: number): Promise<Claimed> {
    this.#claiming = true;
    try {
      return await (this.core.dispatcher.limiter.interval > 0 ? this.#claimInTurn(most) : this.#claim(most));
    } finally {
      this.#claiming = false;
    }
  }

  async #claim(most: number): Promise<Claimed> {
    const { store, account, instances } = this.core.place;
    const { origin } = this.core.dispatcher;
    const guard = claimGuard(this.core);
    this.#given = null;
    const requests = await store.claims.claim(account, instances.id, most, origin, guard);
    const left = requests.length === 0 ? await store.rates.blockedFor(origin) : Number.NEGATIVE_INFINITY;
    // A back-off that is just over may have held the claim back.
    const wasBlocked = left > -JUST_OVER;
    if (wasBlocked) {
      this.#askIn(Math.max(left, SOON));
    }
    return { requests, drained: !wasBlocked && requests.length < most };
  }

  async #claimInTurn(most: number): Promise<Claimed> {
    const { store, account, instances } = this.core.place;
    await this.#setClock();
    const began = performance.now();
    const { requests, turns } = await store.claims.claimInTurn(
      account,
      instances.id,
      most,
      this.#rate,
      claimGuard(this.core),
    );
    this.#took(began, turns);
    this.#given = turns;
    if (turns.wait > 0) {
      this.#askIn(this.#clock.momentOf(turns.askedAt + turns.wait) - performance.now());
    }
    return { requests, drained: turns.wait === 0 && requests.length < most };
  }

  /** A slow answer makes further ones likely, so the next turns are later. */
  #took(began: number, { askedAt }: Turns): void {
    const now = performance.now();
    const time = now - began;
    this.#clock.note(askedAt, began, now);
    // A process that was stopped meanwhile has not learned how long an answer takes.
    this.#lead = time > this.#lead ? Math.min(time, LEAD.most) : this.#lead + (time - this.#lead) / 8;
  }

  /** The first answer of a new connection is slow, and says little. */
  async #setClock(): Promise<void> {
    for (let left = this.#clock.isSet ? 0 : FIRST_QUESTIONS; left > 0; left--) {
      const asked = performance.now();
      const time = await this.core.place.store.rates.now();
      this.#clock.note(time, asked, performance.now());
    }
  }

  get #rate(): Rate {
    const { origin, limiter } = this.core.dispatcher;
    const lead = Math.min(LEAD.most, Math.max(LEAD.least, this.#lead * 1.25));
    return { origin, interval: limiter.interval * SLACK, lead, ahead: AHEAD };
  }

  start(requests: readonly ClaimedRequest[], begin: Begin): void {
    const turns = this.#given;
    if (turns === null) {
      for (const request of requests) {
        begin(request, Number.POSITIVE_INFINITY);
      }
      return;
    }
    this.#schedule(
      requests.map((request) => ({ request, begin, at: 0 })),
      turns,
    );
  }

  #schedule(waiting: readonly Waiting[], { askedAt, first }: Turns): void {
    const { interval } = this.#rate;
    for (const [n, each] of waiting.entries()) {
      each.at = this.#clock.momentOf(askedAt + first + n * interval);
      this.#waiting.push(each);
    }
    this.#tick();
  }

  #tick(): void {
    clearTimeout(this.#next ?? undefined);
    this.#next = null;
    const now = performance.now();
    const late: Waiting[] = [];
    for (let head = this.#waiting[0]; head !== undefined && head.at <= now; head = this.#waiting[0]) {
      this.#waiting.shift();
      if (now - head.at > LATE || this.core.dispatcher.limiter.blockedFor > 0) {
        late.push(head);
      } else {
        head.begin(head.request, head.at + LATE);
      }
    }
    if (late.length > 0) {
      void this.#again(late);
    }
    const [head] = this.#waiting;
    if (head !== undefined) {
      this.#next = setTimeout(() => this.#tick(), head.at - now);
    }
  }

  /** New turns for those who missed theirs: to leave now would be too soon after, or before, somebody else's turn, or in a back-off. */
  async #again(late: readonly Waiting[]): Promise<void> {
    for (const each of late) {
      this.#late.add(each);
    }
    let turns: Turns | null = null;
    const began = performance.now();
    try {
      turns = await this.core.place.store.rates.take(this.#rate, late.length);
      this.#took(began, turns);
    } catch {
      // The queue finds out itself that the store does not work.
    }
    // Who has stopped meanwhile has given them back.
    const left = late.filter((each) => this.#late.delete(each));
    const granted = turns?.granted ?? 0;
    for (const { request } of left.slice(granted)) {
      this.putBack.put(request, 0, request.attempts);
    }
    if (turns !== null && granted > 0 && left.length > 0) {
      this.#schedule(left.slice(0, granted), turns);
    }
  }

  #askIn(ms: number): void {
    if (this.#stopped) {
      return;
    }
    clearTimeout(this.#pause ?? undefined);
    this.#pause = setTimeout(
      () => {
        this.#pause = null;
        this.onTurn();
      },
      Math.min(Math.max(1, ms), LONGEST_TURN_WAIT),
    );
  }

  stop(): readonly ClaimedRequest[] {
    this.#stopped = true;
    this.#stopBackOff();
    clearTimeout(this.#pause ?? undefined);
    clearTimeout(this.#next ?? undefined);
    const all = [...this.#waiting.splice(0), ...this.#late].map(({ request }) => request);
    this.#late.clear();
    return all;
  }
}
