import { type Outcome, OUTCOMES } from "../../shared/outcomes";
import { senderChoices } from "../activity/accounts";
import { button, el, fillSelect, select, textInput } from "../activity/dom";
import { texts } from "../activity/formatting";
import { RANGES, type Range, SEARCHED, type Searched, type SearchForm as FormValues } from "./history-model";

/** Digits of a text that can be a whole number. */
const SHORTEST_WHOLE = 5;

export interface SearchActions {
  readonly search: () => void;
  readonly save: () => void;
  readonly forget: () => void;
}

type Options = readonly (readonly [value: string, text: string])[];

const optionsOf = (values: readonly string[], keyOf: (value: string) => string): Options =>
  values.map((value) => [value, texts(keyOf(value))] as const);

/** What is looked for, with the buttons that do something with it. */
export class SearchForm {
  readonly element: HTMLElement;
  readonly #by: HTMLSelectElement;
  readonly #text: HTMLInputElement;
  readonly #outcome: HTMLSelectElement;
  readonly #node: HTMLSelectElement;
  readonly #range: HTMLSelectElement;
  readonly #from: HTMLInputElement;
  readonly #to: HTMLInputElement;
  readonly #forget: HTMLButtonElement;

  constructor(
    mayForget: boolean,
    private readonly actions: SearchActions,
  ) {
    const { search, save, forget } = actions;
    const time = (label: string): HTMLInputElement => {
      const element = textInput(label, search);
      element.type = "datetime-local";
      element.title = label;
      element.addEventListener("change", search);
      return element;
    };
    this.#by = select(
      texts("history.by"),
      optionsOf(SEARCHED, (each) => `history.searched.${each}`),
      () => this.#changedKind(),
    );
    this.#text = textInput(texts("history.text.number"), search);
    this.#text.addEventListener("input", () => this.#offerForget());
    this.#outcome = select(
      texts("history.outcome"),
      [["", texts("history.anyOutcome")], ...optionsOf(Object.keys(OUTCOMES), (each) => `result.${each}`)],
      search,
    );
    this.#node = select(texts("history.node"), [], search);
    this.#from = time(texts("history.from"));
    this.#to = time(texts("history.to"));
    const between = el("div", "messaging-view-row", this.#from, this.#to);
    between.hidden = true;
    this.#range = select(
      texts("history.time"),
      optionsOf(RANGES, (each) => `history.range.${each}`),
      (range) => {
        between.hidden = range !== "between";
        search();
      },
    );
    this.#forget = button({ icon: "eraser", text: texts("history.forget.button") }, forget);
    this.#forget.disabled = !mayForget;
    this.#forget.title = texts(mayForget ? "history.forget.tip" : "history.forget.denied");
    this.#forget.hidden = true;
    this.element = el(
      "div",
      "messaging-history-form",
      el(
        "div",
        "messaging-view-row",
        this.#by,
        this.#text,
        button({ icon: "search", tip: texts("history.search") }, search),
      ),
      el("div", "messaging-view-row", this.#outcome, this.#node),
      el(
        "div",
        "messaging-view-row messaging-history-buttons",
        this.#range,
        button({ icon: "download", text: "CSV", tip: texts("history.save") }, save),
      ),
      between,
      el("div", "messaging-view-row messaging-history-buttons", this.#forget),
    );
    this.offerNodes("");
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
