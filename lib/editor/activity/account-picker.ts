import { accountChoices, onFlowsChanged } from "./accounts";
import { el, fillSelect, select } from "./dom";

/** The choice of the account that a view is about. */
export class AccountPicker {
  readonly element: HTMLElement;
  readonly #select: HTMLSelectElement;
  #isVisible = false;
  /** Whether a person has chosen the account. */
  isChosen = false;

  /** @param changed called when another account is chosen */
  constructor(
    label: string,
    private readonly changed: () => void,
  ) {
    this.#select = select(label, [], () => {
      this.isChosen = true;
      changed();
    });
    this.element = el("label", "messaging-view-row", el("span", "", label), this.#select);
  }

  /** Id of the account; blank where there is none. */
  get value(): string {
    return this.#select.value;
  }

  set value(account: string) {
    this.#select.value = account;
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
    fillSelect(
      this.#select,
      accountChoices().map(({ id, label }) => [id, label] as const),
    );
    if (this.#isVisible && this.value !== before) {
      this.changed();
    }
  }
}
