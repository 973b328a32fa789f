/** ms within which what is claimed ahead finds a connection, by the pace of the last answers. */
const WITHIN = 25;
/** ms in which answers are counted. */
const WINDOW = 100;

/**
 * How many requests are claimed before a connection is free for them. With them a connection goes on at once, and one claim takes several
 * of them, together with the outcomes that freed their connections. What is claimed when a process ends is `unknown`, so there are no more of
 * them than connections, and only as many as start within moments: none where the service is slow or little is sent.
 */
export class ClaimAhead {
  #since = Number.NEGATIVE_INFINITY;
  #count = 0;
  /** Answers of the window before. */
  #last = 0;

  /** @param connections of the account */
  constructor(private readonly connections: number) {}

  /** A request was answered. @param now ms, of a clock that is not set */
  answered(now: number): void {
    this.#turn(now);
    this.#count++;
  }

  /** Requests beyond the free connections. */
  most(now: number): number {
    this.#turn(now);
    return Math.min(this.connections, Math.floor((this.#last * WITHIN) / WINDOW));
  }

  #turn(now: number): void {
    const age = now - this.#since;
    if (age >= WINDOW) {
      this.#last = age < 2 * WINDOW ? this.#count : 0;
      this.#count = 0;
      this.#since = now;
    }
  }
}
