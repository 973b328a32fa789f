import { el, fillSelect, select } from "../dom";
import { texts } from "../formatting";
import type { Choice } from "../accounts/accounts";
import type { AccountView } from "./simulator-conversation";

/** The account that a form acts for. It is visible only where there are several to choose from. */
export class AccountChoice {
  readonly element: HTMLElement;
  readonly #select: HTMLSelectElement;
  #views: readonly AccountView[] = [];

  /**
   * @param chosen is called when a person chooses, not by `choose`
   * @param changed is called when the view of the account may be another one
   */
  constructor(
    chosen: (id: string) => void,
    private readonly changed: () => void = () => {},
  ) {
    this.#select = select(texts("simulator.account"), [], (id) => {
      changed();
      chosen(id);
    });
    this.element = el("div", "messaging-activity-row", this.#select);
  }

  /** Id of the account; blank where there is none. */
  get value(): string {
    return this.#select.value;
  }

  /** What the simulator says of the account; undefined while that is not known. */
  get view(): AccountView["view"] | undefined {
    return this.#views.find(({ account }) => account.id === this.value)?.view;
  }

  offer(accounts: readonly Choice[]): void {
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
    this.changed();
  }

  show(views: readonly AccountView[]): void {
    this.#views = views;
    this.changed();
  }
}
