export class Busy extends Error {}

export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param most works that may wait or run */
  constructor(private readonly most: number) {}

  /** @throws Busy, or what the work throws */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#waiting >= this.most ? Promise.reject(new Busy()) : this.wait(work);
  }

  /** Accepts any number of works, because a flow does not repeat its messages. @throws what the work throws */
  wait<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting++;
    const own = this.#last.then(work).finally(() => {
      this.#waiting--;
    });
    this.#last = own.catch(() => {});
    return own;
  }
}
