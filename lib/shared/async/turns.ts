/** Too many wait already. */
export class Busy extends Error {}

/** Lets one work at a time; the others wait for their turn. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param most works that may wait or be under way */
  constructor(private readonly most: number) {}

  /** @throws Busy, or what the work throws */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#waiting >= this.most ? Promise.reject(new Busy()) : this.wait(work);
  }

  /** However many wait: for the messages of a flow, which nobody asks again. @throws what the work throws */
  wait<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting++;
    const own = this.#last.then(work).finally(() => {
      this.#waiting--;
    });
    this.#last = own.catch(() => {});
    return own;
  }
}
