/** The account that all views of the sidebar show. */
export class ChosenAccount {
  #value = "";
  readonly #listeners: (() => void)[] = [];

  /** Id of the account; blank until the user chooses one. */
  get value(): string {
    return this.#value;
  }

  choose(account: string): void {
    this.#value = account;
    for (const listener of this.#listeners) {
      listener();
    }
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
