import type { OptOutRow } from "../../../shared/opt-outs";
import { button, el, select } from "../../activity/dom";
import { texts } from "../../activity/formatting";

export interface OptOutsActions {
  readonly search: () => void;
  readonly add: () => void;
  readonly save: () => void;
}

/** A number that is searched for or added, with the buttons for it. */
export class OptOutsForm {
  readonly element: HTMLElement;
  readonly #number = el("input");
  readonly #scope: HTMLSelectElement;
  readonly #add: HTMLButtonElement;

  constructor(mayRead: boolean, mayWrite: boolean, actions: OptOutsActions) {
    const label = texts("optOuts.number");
    this.#number.type = "text";
    this.#number.placeholder = label;
    this.#number.setAttribute("aria-label", label);
    this.#number.addEventListener("keydown", (event) => {
      // Keys of the editor, such as Delete, must not act while the user types.
      event.stopPropagation();
      if (event.key === "Enter" && mayRead) {
        actions.search();
      }
    });
    this.#number.addEventListener("input", () => this.#update(mayWrite));
    this.#scope = select(texts("optOuts.scopeOfNew"), [
      ["all", texts("optOuts.scope.all")],
      ["advertisement", texts("optOuts.scope.advertisement")],
    ]);
    this.#add = button({ icon: "plus", text: texts("optOuts.add") }, actions.add);
    this.#add.title = texts(mayWrite ? "optOuts.addTip" : "optOuts.writeDenied");
    const search = button({ icon: "search", tip: texts("optOuts.search") }, actions.search);
    const save = button({ icon: "download", text: "CSV", tip: texts("optOuts.save") }, actions.save);
    this.element = el(
      "div",
      "messaging-opt-outs-form",
      el("div", "messaging-opt-outs-row", this.#number, mayRead ? search : null),
      el("div", "messaging-opt-outs-row", this.#scope, this.#add, mayRead ? save : null),
    );
    this.#update(mayWrite);
  }

  /** Without blanks around it. */
  get number(): string {
    return this.#number.value.trim();
  }

  get scope(): OptOutRow["scope"] {
    return this.#scope.value === "advertisement" ? "advertisement" : "all";
  }

  clear(): void {
    this.#number.value = "";
    this.#number.dispatchEvent(new Event("input"));
  }

  #update(mayWrite: boolean): void {
    this.#add.disabled = !mayWrite || this.number === "";
  }
}
