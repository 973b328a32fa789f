import { el, fillSelect, select } from "../dom";
import { texts } from "../formatting";
import type { SimulatedAccountChoice } from "./simulator-conversation";

/** The account that a form acts for. It is visible only where there are several to choose from. */
export class AccountChoice {
  readonly element: HTMLElement;
  readonly #select: HTMLSelectElement;

  /** @param chosen is called when a person chooses, not by `choose` */
  constructor(chosen: (id: string) => void) {
    this.#select = select(texts("simulator.account"), [], chosen);
    this.element = el("div", "messaging-activity-row", this.#select);
  }

  /** Id of the account; blank where there is none. */
  get value(): string {
    return this.#select.value;
  }

  offer(accounts: readonly SimulatedAccountChoice[]): void {
    fillSelect(
      this.#select,
      accounts.map(({ id, label }) => [id, label] as const),
    );
    this.element.hidden = accounts.length < 2;
  }

  choose(id: string): void {
    if ([...this.#select.options].some(({ value }) => value === id)) {
      this.#select.value = id;
    }
  }
}
