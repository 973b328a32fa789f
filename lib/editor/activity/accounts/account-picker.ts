import { accountChoices, onFlowsChanged } from "./accounts";
import type { ChosenAccount } from "./chosen-account";
import { el, fillSelect, select } from "../dom";

/** The choice of the account in one view; the chosen account is the same in all views. */
export class AccountPicker {
  readonly element: HTMLElement;
  readonly #select: HTMLSelectElement;
  #isVisible = false;

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

  /** Id of the account; blank while the flows have no account. */
  get value(): string {
    return this.#select.value;
  }

  /** Whether there are several accounts. */
  get isOneOfSeveral(): boolean {
    return this.#select.length > 1;
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
    const before = this.value;
    const choices = accountChoices();
    fillSelect(
      this.#select,
      choices.map(({ id, label }) => [id, label] as const),
    );
    const isKnown = choices.some(({ id }) => id === this.chosen.value);
    this.#select.value = isKnown ? this.chosen.value : (choices[0]?.id ?? "");
    if (this.#isVisible && this.value !== before) {
      this.changed();
    }
  }
}
