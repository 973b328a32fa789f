/** ms between two looks. */
const LOOK_EVERY = 3_000;

/** Looks again and again while somebody can see it. */
export class Poll {
  #timer: number | undefined;
  #looks = 0;

  /**
   * @param isVisible asked before each look
   * @param look takes `isCurrent`, which is false once another look has begun or the poll was stopped; must not reject.
   *   Resolves with false where there will be nothing more to see.
   */
  constructor(
    private readonly isVisible: () => boolean,
    private readonly look: (isCurrent: () => boolean) => Promise<unknown>,
  ) {}

  /** Looks at once, and then from time to time. */
  start(): void {
    this.stop();
    const number = this.#looks;
    const isCurrent = (): boolean => number === this.#looks;
    const again = (goesOn: unknown): void => {
      if (goesOn !== false && isCurrent()) {
        this.follow();
      }
    };
    if (!this.isVisible() || document.visibilityState !== "visible") {
      again(true);
      return;
    }
    void this.look(isCurrent).then(again);
  }

  /** Looks from time to time, not at once. */
  follow(): void {
    this.stop();
    this.#timer = window.setTimeout(() => this.start(), LOOK_EVERY);
  }

  stop(): void {
    this.#looks++;
    clearTimeout(this.#timer);
  }
}
