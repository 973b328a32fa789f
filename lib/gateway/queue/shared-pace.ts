import type { ClaimedRequest } from "../../store/request-claims";
import type { Rate, Turns } from "../../store/rates";
import type { Store } from "../../store/store";
import { DatabaseClock } from "./database-clock";
import type { OwnClaim } from "./stored/own-requests";
import type { Begin, Claimed, Pace, PacedQueue } from "./pace";
import type { StoredLane } from "./queue-handle";

/** ms of turns that one claim may take. What is claimed when a process ends is `unknown`, so they are few. */
const AHEAD = 20;
/** ms after its time at which a turn is void, and a new one is taken. */
const LATE = 10;
/**
 * All processes together stay so much below the rate. A request may be late by `LATE`, and take some ms to the service: with this
 * pause between them, no second sees more than one request above the rate all the same.
 */
const SLACK = 1.02;
/** Bounds of the time that a claim is expected to take, in ms. */
const LEAD = { least: 2, most: 250 } as const;
/** How often the time is asked for before the first turn. */
const FIRST_QUESTIONS = 3;
/** ms without a turn after which the store is asked again. */
const LONGEST_WAIT = 5_000;
/** ms for which a back-off counts as just over, and until the store is asked again then. */
const JUST_OVER = 100;
const SOON = 20;

interface Waiting {
  readonly request: ClaimedRequest;
  readonly begin: Begin;
  /** Moment of `performance.now`. */
  at: number;
}

/**
 * The pace of processes that share a store: a claim takes turns of the token bucket that they have in common, and each request leaves at
 * the time of its turn. A back-off of one of them holds all.
 */
export class SharedPace implements Pace {
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
    private readonly lane: StoredLane,
    private readonly store: Store,
    private readonly queue: PacedQueue,
  ) {
    this.#stopBackOff = lane.onBackOff((ms) => {
      // The others find it when they claim. This process goes by its own pause, if the store does not know.
      store.rates.block(lane.origin, ms).catch(() => {});
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
    const { blockedFor } = this.lane;
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

  async claim(most: number, own: OwnClaim | null = null): Promise<Claimed> {
    this.#claiming = true;
    try {
      return await (this.lane.interval > 0 ? this.#claimInTurn(most) : this.#claim(most, own));
    } finally {
      this.#claiming = false;
    }
  }

  async #claim(most: number, own: OwnClaim | null): Promise<Claimed> {
    const { account, owner } = this.queue;
    const { origin } = this.lane;
    const guard = this.queue.guard();
    this.#given = null;
    const requests = await (own === null
      ? this.store.claims.claim(account, owner, most, origin, guard)
      : this.store.claims.claimListed(account, owner, own.ids, own.keyed, origin, guard));
    const left = requests.length === 0 ? await this.store.rates.blockedFor(origin) : Number.NEGATIVE_INFINITY;
    // A back-off that is just over may have held the claim back.
    const wasBlocked = left > -JUST_OVER;
    if (wasBlocked) {
      this.#askIn(Math.max(left, SOON));
    }
    return { requests, drained: own === null && !wasBlocked && requests.length < most };
  }

  async #claimInTurn(most: number): Promise<Claimed> {
    const { account, owner } = this.queue;
    await this.#setClock();
    const began = performance.now();
    const { requests, turns } = await this.store.claims.claimInTurn(
      account,
      owner,
      most,
      this.#rate,
      this.queue.guard(),
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
      const time = await this.store.rates.now();
      this.#clock.note(time, asked, performance.now());
    }
  }

  get #rate(): Rate {
    const { origin, interval } = this.lane;
    const lead = Math.min(LEAD.most, Math.max(LEAD.least, this.#lead * 1.25));
    return { origin, interval: interval * SLACK, lead, ahead: AHEAD };
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
      if (now - head.at > LATE || this.lane.blockedFor > 0) {
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
      turns = await this.store.rates.take(this.#rate, late.length);
      this.#took(began, turns);
    } catch {
      // The queue finds out itself that the store does not work.
    }
    // Who has stopped meanwhile has given them back.
    const left = late.filter((each) => this.#late.delete(each));
    const granted = turns?.granted ?? 0;
    for (const { request } of left.slice(granted)) {
      this.queue.giveBack(request);
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
        this.queue.onTurn();
      },
      Math.min(Math.max(1, ms), LONGEST_WAIT),
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
