import { reportOf } from "./wording";

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

/** How something of an account is read and shown. */
export interface Followed<View> {
  /** It may be hidden itself: whether it could be seen is asked of what it is in. */
  readonly element: () => HTMLElement;
  readonly read: (account: string) => Promise<View>;
  /** Returns false where there is nothing to follow until the account is deployed anew. */
  readonly show: (view: View, account: string) => unknown;
  readonly failed: (failure: unknown) => void;
  /** Says what an action did, or why it failed. */
  readonly say?: (text: string, wrong: boolean) => void;
}

/** Looks at something of an account again and again while somebody can see it, and tells of actions on it. */
export class AccountPoll<View> {
  #account: string | null = null;
  readonly #poll: Poll;

  constructor(private readonly followed: Followed<View>) {
    const { element, read, show, failed } = followed;
    this.#poll = new Poll(
      () => (element().parentElement?.offsetParent ?? null) !== null,
      (isCurrent) => {
        const account = this.#account ?? "";
        return read(account).then(
          (view) => !isCurrent() || show(view, account),
          (failure: unknown) => {
            if (isCurrent()) failed(failure);
          },
        );
      },
    );
  }

  /** The account that is followed; null for none. */
  get account(): string | null {
    return this.#account;
  }

  follow(account: string | null): void {
    this.#account = account;
    if (account === null) {
      this.#poll.stop();
    } else {
      this.#poll.start();
    }
  }

  look(): void {
    this.#poll.start();
  }

  /** Tells what came of an action on an account where that is still followed, and looks again then. */
  async report(account: string, action: Promise<string>): Promise<void> {
    const said = await reportOf(action);
    if (account === this.#account) {
      this.followed.say?.(...said);
      this.look();
    }
  }
}
