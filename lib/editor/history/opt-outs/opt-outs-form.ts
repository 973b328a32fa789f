import type { OptOutRow } from "../../../shared/opt-outs";
import { button, el, select, textInput } from "../../activity/dom";
import { texts } from "../../activity/formatting";

export interface OptOutsActions {
  readonly search: () => void;
  readonly add: () => void;
  readonly save: () => void;
}

/** A number that is searched for or added, with the buttons for it. */
export class OptOutsForm {
  readonly element: HTMLElement;
  readonly #number: HTMLInputElement;
  readonly #scope: HTMLSelectElement;
  readonly #add: HTMLButtonElement;

  constructor(mayRead: boolean, mayWrite: boolean, actions: OptOutsActions) {
    this.#number = textInput(texts("optOuts.number"), () => mayRead && actions.search());
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
      el("div", "messaging-view-row", this.#number, mayRead ? search : null),
      el("div", "messaging-view-row", this.#scope, this.#add, mayRead ? save : null),
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
