/** ms after which the difference is measured anew: the clocks of two computers drift apart. */
const WINDOW = 30_000;

/** ms by which the clocks of two computers may drift apart in two windows. */
const DRIFT = 5;

/** Turns times of a database's clock into moments of this process, by the quickest of the last answers. */
export class DatabaseClock {
  /** ms from the database's time to a moment: least of this window, and of the one before. */
  #least = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;
  #until = 0;

  get isSet(): boolean {
    return this.#until > 0;
  }

  /** @param time epoch ms that the database has said @param asked moments of `performance.now` of question and answer */
  note(time: number, asked: number, moment: number): void {
    if (asked - time > Math.min(this.#least, this.#before) + DRIFT) {
      // Its clock was set back: all earlier answers are wrong.
      this.#until = 0;
      this.#least = Number.POSITIVE_INFINITY;
    }
    if (moment >= this.#until) {
      this.#before = this.#least;
      this.#least = Number.POSITIVE_INFINITY;
      this.#until = moment + WINDOW;
    }
    this.#least = Math.min(this.#least, moment - time);
  }

  /** The moment of `performance.now` at such a time. After the first `note`. */
  momentOf(time: number): number {
    return time + Math.min(this.#least, this.#before);
  }
}
