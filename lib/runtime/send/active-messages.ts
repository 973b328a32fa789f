/** Counts the messages that a node has accepted and not completed. */
export class ActiveMessages {
  #count = 0;
  #idle: (() => void) | null = null;

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count++;
  }

  end(): void {
    if (--this.#count === 0) {
      this.#idle?.();
    }
  }

  /** Resolves when every message is complete. One caller at a time. */
  async whenIdle(): Promise<void> {
    if (this.#count > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
  }
}
