import type { CsvForm } from "../../shared/csv";
import { SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import { senderChoices } from "../activity/accounts/accounts";
import { button, el, fillSelect, select, textInput } from "../activity/dom";
import { texts } from "../activity/formatting";
import { csvChoice } from "./csv-choice";
import {
  isName,
  RANGES,
  type Range,
  SEARCHED,
  type Searched,
  type SearchForm as FormValues,
} from "./history-model";

/** Digits of a text that can be a whole number. */
const SHORTEST_WHOLE = 5;

type Options = readonly (readonly [value: string, text: string])[];

const optionsOf = (values: readonly string[], keyOf: (value: string) => string): Options =>
  values.map((value) => [value, texts(keyOf(value))] as const);

/** What is looked for, with the buttons that do something with it. */
export function searchForm(
  may: Readonly<Record<"forget" | "sendAgain" | "converse", boolean>>,
  actions: Readonly<Record<"search" | "save" | "forget" | "sendAgain", () => void>>,
) {
  const { search, save, forget, sendAgain } = actions;
  const time = (label: string): HTMLInputElement => {
    const input = textInput(label, search);
    input.type = "datetime-local";
    input.title = label;
    input.addEventListener("change", search);
    return input;
  };
  const row = (name: string, ...children: readonly HTMLElement[]): HTMLElement =>
    el("div", `messaging-view-row ${name}`.trimEnd(), ...children);
  const by = select(
    texts("history.by"),
    optionsOf(
      SEARCHED.filter((each) => each !== "conversation" || may.converse),
      (each) => `history.searched.${each}`,
    ),
    () => changedKind(),
  );
  const text = textInput(texts("history.text.number"), search);
  const outcome = select(
    texts("history.outcome"),
    [["", texts("history.anyOutcome")], ...optionsOf(SHOWN_OUTCOMES, (each) => `result.${each}`)],
    search,
  );
  const node = select(texts("history.node"), [], search);
  const [from, to] = [time(texts("history.from")), time(texts("history.to"))];
  const between = row("messaging-history-between", from, to);
  const narrowing = row("", outcome, node);
  between.hidden = true;
  const range = select(
    texts("history.time"),
    optionsOf(RANGES, (each) => `history.range.${each}`),
    (chosen) => {
      between.hidden = chosen !== "between";
      search();
    },
  );
  const forgetButton = button({ icon: "eraser", text: texts("history.forget.button") }, forget);
  forgetButton.hidden = true;
  const againButton = button({ icon: "repeat", text: texts("history.again.button") }, sendAgain);
  const ofMessages = (): readonly HTMLElement[] => [narrowing, times, file, again];
  for (const [each, allowed, key] of [
    [forgetButton, may.forget, "forget"],
    [againButton, may.sendAgain, "again"],
  ] as const) {
    each.disabled = !allowed;
    each.title = texts(`history.${key}.${allowed ? "tip" : "denied"}`);
  }

  const csv = csvChoice();

  const offerForget = (): void => {
    // What is deleted is a whole number.
    forgetButton.hidden =
      !["number", "conversation"].includes(by.value) ||
      isName(text.value) ||
      text.value.replace(/\D/g, "").length < SHORTEST_WHOLE;
  };
  const changedKind = (): void => {
    const label = texts(`history.text.${by.value}`);
    text.placeholder = label;
    text.setAttribute("aria-label", label);
    offerForget();
    const isConversation = by.value === "conversation";
    const wasConversation = narrowing.hidden;
    for (const each of ofMessages()) {
      each.hidden = isConversation;
    }
    between.hidden = isConversation || range.value !== "between";
    if (text.value.trim() !== "" || isConversation !== wasConversation) {
      search();
    }
  };
  text.addEventListener("input", offerForget);
  const times = row("", range);
  const file = row(
    "messaging-history-buttons",
    csv,
    button({ icon: "download", text: "CSV", tip: texts("history.save") }, save),
  );
  const again = row("messaging-history-buttons messaging-history-wrapping", againButton);
  const form = {
    element: el(
      "div",
      "messaging-history-form",
      row("", by, text, button({ icon: "search", tip: texts("history.search") }, search)),
      narrowing,
      times,
      between,
      file,
      again,
      row("messaging-history-buttons messaging-history-wrapping", forgetButton),
    ),
    /** Replaces the choice of nodes by the nodes of an account. */
    offerNodes: (account: string): void =>
      fillSelect(node, [
        ["", texts("history.anyNode")],
        ...senderChoices(account).map(({ id, label }) => [id, label] as const),
      ]),
    /** Looks for the conversation with somebody. */
    converse: (number: string): void => {
      by.value = "conversation" satisfies Searched;
      text.value = number;
      changedKind();
    },
    /** How the file is written. */
    get csv(): CsvForm {
      return csv.value as CsvForm;
    },
    get values(): FormValues {
      return {
        by: by.value as Searched,
        text: text.value,
        outcome: outcome.value as ShownOutcome | "",
        node: node.value,
        range: range.value as Range,
        from: from.value,
        to: to.value,
      };
    },
  };
  form.offerNodes("");
  return form;
}
