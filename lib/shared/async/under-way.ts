/** Counts running work, because a set of promises costs garbage for each message. */
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

  async idle(): Promise<void> {
    if (this.#count > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
