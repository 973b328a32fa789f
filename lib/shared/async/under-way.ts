/** Counts work under way, of which others wait for the end. A set of promises would cost some garbage for each message. */
export class UnderWay {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count++;
  }

  end(): void {
    if (--this.#count === 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const resolve of waiting) {
        resolve();
      }
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    if (this.#count > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
