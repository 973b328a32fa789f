import { type Outcome, OUTCOMES } from "../../shared/outcomes";
import { button, el, fillSelect, select } from "../activity/dom";
import { texts } from "../activity/formatting";
import { senderChoices } from "./accounts";
import { RANGES, type Range, SEARCHED, type Searched, type SearchForm as FormValues } from "./history-model";

/** Digits of a text that can be a whole number. */
const SHORTEST_WHOLE = 5;

export interface SearchActions {
  readonly search: () => void;
  readonly save: () => void;
  readonly forget: () => void;
}

function input(type: "text" | "datetime-local", label: string): HTMLInputElement {
  const element = el("input");
  element.type = type;
  element.setAttribute("aria-label", label);
  if (type === "text") {
    element.placeholder = label;
  } else {
    element.title = label;
  }
  return element;
}

/** What is looked for, with the buttons that do something with it. */
export class SearchForm {
  readonly element: HTMLElement;
  readonly #by: HTMLSelectElement;
  readonly #text = input("text", texts("history.text.number"));
  readonly #outcome: HTMLSelectElement;
  readonly #node: HTMLSelectElement;
  readonly #range: HTMLSelectElement;
  readonly #from = input("datetime-local", texts("history.from"));
  readonly #to = input("datetime-local", texts("history.to"));
  readonly #between: HTMLElement;
  readonly #forget: HTMLButtonElement;

  constructor(
    mayForget: boolean,
    private readonly actions: SearchActions,
  ) {
    this.#by = select(
      texts("history.by"),
      SEARCHED.map((each) => [each, texts(`history.searched.${each}`)] as const),
      () => this.#changedKind(),
    );
    const outcomes = Object.keys(OUTCOMES) as Outcome[];
    this.#outcome = select(
      texts("history.outcome"),
      [
        ["", texts("history.anyOutcome")],
        ...outcomes.map((each) => [each, texts(`result.${each}`)] as const),
      ],
      actions.search,
    );
    this.#node = select(texts("history.node"), [], actions.search);
    this.#range = select(
      texts("history.time"),
      RANGES.map((each) => [each, texts(`history.range.${each}`)] as const),
      () => {
        this.#between.hidden = this.#range.value !== "between";
        actions.search();
      },
    );
    this.#between = el("div", "messaging-history-row", this.#from, this.#to);
    this.#between.hidden = true;
    this.#forget = button({ icon: "eraser", text: texts("history.forget.button") }, actions.forget);
    this.#forget.disabled = !mayForget;
    this.#forget.title = texts(mayForget ? "history.forget.tip" : "history.forget.denied");
    this.#forget.hidden = true;
    this.element = this.#build();
    this.offerNodes("");
  }

  #build(): HTMLElement {
    for (const each of [this.#text, this.#from, this.#to]) {
      each.addEventListener("keydown", (event) => {
        // Keys of the editor, such as Delete, must not act while the user types.
        event.stopPropagation();
        if (event.key === "Enter") {
          this.actions.search();
        }
      });
    }
    for (const each of [this.#from, this.#to]) {
      each.addEventListener("change", this.actions.search);
    }
    this.#text.addEventListener("input", () => this.#offerForget());
    const go = button({ icon: "search", tip: texts("history.search") }, this.actions.search);
    const save = button({ icon: "download", text: "CSV", tip: texts("history.save") }, this.actions.save);
    return el(
      "div",
      "messaging-history-form",
      el("div", "messaging-history-row", this.#by, this.#text, go),
      el("div", "messaging-history-row", this.#outcome, this.#node),
      el("div", "messaging-history-row messaging-history-buttons", this.#range, save),
      this.#between,
      el("div", "messaging-history-row messaging-history-buttons", this.#forget),
    );
  }

  /** Replaces the choice of nodes by those of an account. */
  offerNodes(account: string): void {
    fillSelect(this.#node, [
      ["", texts("history.anyNode")],
      ...senderChoices(account).map(({ id, label }) => [id, label] as const),
    ]);
  }

  get values(): FormValues {
    return {
      by: this.#by.value as Searched,
      text: this.#text.value,
      outcome: this.#outcome.value as Outcome | "",
      node: this.#node.value,
      range: this.#range.value as Range,
      from: this.#from.value,
      to: this.#to.value,
    };
  }

  #changedKind(): void {
    const label = texts(`history.text.${this.#by.value}`);
    this.#text.placeholder = label;
    this.#text.setAttribute("aria-label", label);
    this.#offerForget();
    if (this.#text.value.trim() !== "") {
      this.actions.search();
    }
  }

  #offerForget(): void {
    // What is deleted is a whole number.
    this.#forget.hidden =
      this.#by.value !== "number" || this.#text.value.replace(/\D/g, "").length < SHORTEST_WHOLE;
  }
}
