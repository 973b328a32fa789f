import { accountChoices, onFlowsChanged } from "./accounts";
import { ALL_ACCOUNTS, type ChosenAccount } from "./chosen-account";
import { el, fillSelect, select } from "../dom";
import { texts } from "../formatting";

/** The choice of the account in one view; what is chosen holds for all of them. */
export class AccountPicker {
  readonly element: HTMLElement;
  readonly #select: HTMLSelectElement;
  #isVisible = false;
  #accounts: readonly string[] = [];

  /** @param changed called when another account is chosen while the view is visible */
  constructor(
    label: string,
    private readonly chosen: ChosenAccount,
    private readonly changed: () => void,
  ) {
    this.#select = select(label, [], (account) => chosen.choose(account));
    this.element = el("label", "messaging-view-row", el("span", "", label), this.#select);
    chosen.onChange(() => {
      this.#select.value = chosen.value;
      if (this.#isVisible) {
        changed();
      }
    });
  }

  /** Id of the account; `ALL_ACCOUNTS` where all of several are chosen, and where there is none. */
  get value(): string {
    return this.#select.value;
  }

  /** Chooses an account for all views. */
  choose(account: string): void {
    this.chosen.choose(account);
  }

  /** What is shown stays when others are added, also where nobody had to choose it: somebody works with it. */
  keep(): void {
    this.chosen.keep(this.value);
  }

  /** Ids of the accounts that the view is about: the chosen one, or all. */
  get accounts(): readonly string[] {
    return this.value === ALL_ACCOUNTS ? this.#accounts : [this.value];
  }

  /** Whether all of several accounts are chosen: texts name the one that they speak of then. */
  get isAll(): boolean {
    return this.value === ALL_ACCOUNTS && this.#accounts.length > 0;
  }

  /** Whether there are several accounts. */
  get isOneOfSeveral(): boolean {
    return this.#accounts.length > 1;
  }

  get isVisible(): boolean {
    return this.#isVisible;
  }

  /** @param deployed called when flows are deployed while the view is visible @param offered called when accounts are offered */
  start(deployed: () => void, offered: () => void = () => {}): void {
    const offer = (): void => {
      this.#offer();
      offered();
    };
    onFlowsChanged(offer);
    RED.events.on("deploy", () => this.#isVisible && deployed());
    offer();
  }

  /** The view becomes the visible one, or is no longer. */
  shown(visible: boolean): void {
    this.#isVisible = false;
    if (visible) {
      this.#offer();
    }
    this.#isVisible = visible;
  }

  #offer(): void {
    const before = this.accounts.join();
    const choices = accountChoices();
    this.#accounts = choices.map(({ id }) => id);
    fillSelect(this.#select, [
      ...(choices.length > 1 ? [[ALL_ACCOUNTS, texts("allAccounts")] as const] : []),
      ...choices.map(({ id, label }) => [id, label] as const),
    ]);
    // What nobody has chosen does not stay: a second account, which may be an import, would be hidden.
    const initial = choices.length > 1 ? ALL_ACCOUNTS : (choices[0]?.id ?? ALL_ACCOUNTS);
    this.#select.value = this.#accounts.includes(this.chosen.value) ? this.chosen.value : initial;
    if (this.#isVisible && this.accounts.join() !== before) {
      this.changed();
    }
  }
}
