/** Stands for all accounts. */
export const ALL_ACCOUNTS = "";

/** The account that the views of the sidebar are about: one choice for all of them. */
export class ChosenAccount {
  #value = ALL_ACCOUNTS;
  readonly #listeners: (() => void)[] = [];

  /** Id of the account; `ALL_ACCOUNTS` until somebody chooses one. */
  get value(): string {
    return this.#value;
  }

  choose(account: string): void {
    this.#value = account;
    for (const listener of this.#listeners) {
      listener();
    }
  }

  /** What a person works with counts as chosen, where that is shown already. */
  keep(account: string): void {
    this.#value = account;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
