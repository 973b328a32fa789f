import { nameInputs } from "../dialog/accessible-names";
import { sharedTexts, type Texts } from "../dialog/texts";
import { choiceInput, iconButton, line, showFaults, textInput } from "./inputs";
import { checkSuggestion, checkSuggestionCount } from "./limit-checks";
import {
  blankSuggestion,
  fieldsOfKind,
  SUGGESTION_KINDS,
  type SuggestionDraft,
  type SuggestionKind,
} from "./suggestion-model";

const KINDS = Object.keys(SUGGESTION_KINDS).filter((kind) => kind !== "other") as SuggestionKind[];

/** A list of the composer; it is read and filled as a whole. */
export interface Rows<Draft> {
  readonly read: () => Draft[];
  readonly fill: (drafts: readonly Draft[]) => void;
}

/**
 * Makes the editor's own list of drafts: added below, dragged, removed. Drafts are changed in place by what `draw`
 * puts into a row.
 */
export function draftList<Draft extends object>(
  list: JQuery,
  options: {
    readonly add: string;
    readonly blank: () => Draft;
    readonly draw: (container: JQuery, draft: Draft, isNew: boolean) => void;
    readonly changed: () => void;
  },
): Rows<Draft> {
  const { add, blank, draw, changed } = options;
  const items = (): JQuery[] => (list.editableList("items") as JQuery).toArray().map((element) => $(element));
  let filling = false;
  const notify = (): void => {
    list.closest(".red-ui-editableList").toggleClass("messaging-compose-bare", items().length === 0);
    if (!filling) {
      changed();
    }
  };
  list.editableList({
    addButton: add,
    height: "auto",
    sortable: true,
    removable: true,
    addItem(container: JQuery, _at: number, data: { draft?: Draft }) {
      const isNew = data.draft === undefined;
      data.draft ??= blank();
      container.data("draft", data.draft);
      draw(container, data.draft, isNew);
      nameInputs(container.closest("li"));
      notify();
    },
    removeItem: notify,
    sortItems: notify,
  });
  return {
    read: () => items().map((item) => item.data("draft") as Draft),
    fill(drafts) {
      filling = true;
      list.editableList("empty");
      for (const draft of drafts) {
        list.editableList("addItem", { draft });
      }
      notify();
      filling = false;
    },
  };
}

/** Fills a row with the inputs of one suggestion. `showJson` opens what has no inputs. */
function drawSuggestion(
  container: JQuery,
  draft: SuggestionDraft,
  texts: Texts,
  changed: () => void,
  showJson: () => void,
): void {
  if (draft.kind === "other") {
    const note = $("<span>", { class: "messaging-compose-note" }).text(texts("composer.other"));
    const code = $("<code>", { class: "messaging-compose-code" }).text(JSON.stringify(draft.original));
    container.append(line(note, iconButton("fa-code", texts("composer.json"), showJson)), code);
    return;
  }
  const more = line();
  const faults = $("<div>");
  const field = (name: string): string => texts(`composer.suggestion.${name}`);
  const update = (): void => {
    showFaults(faults, container, checkSuggestion(draft), texts);
    changed();
  };
  const drawMore = (): void => {
    more.empty();
    for (const name of fieldsOfKind(draft.kind)) {
      const value = draft.fields[name] ?? "";
      const store = (typed: string): void => {
        draft.fields[name] = typed;
        update();
      };
      more.append(textInput({ name, label: field(name), value, changed: store }));
    }
    const store = (typed: string): void => {
      draft.data = typed;
      update();
    };
    const label = field(draft.kind === "reply" ? "data" : "actionData");
    more.append(textInput({ name: "data", label, value: draft.data, changed: store }));
  };
  const kind = choiceInput(
    {
      name: "kind",
      label: field("kind"),
      value: draft.kind,
      changed(chosen) {
        draft.kind = chosen as SuggestionKind;
        drawMore();
        update();
      },
    },
    KINDS.map((each) => [each, texts(`composer.kind.${each}`)] as const),
  );
  const text = textInput({
    name: "text",
    label: field("text"),
    value: draft.text,
    changed(typed) {
      draft.text = typed;
      update();
    },
  });
  container.append(line(kind, text), more, faults);
  drawMore();
  showFaults(faults, container, checkSuggestion(draft), texts);
}

/** Makes a list of suggestions out of an `<ol>`; `most` is how many there may be. */
export function suggestionRows(
  list: JQuery,
  options: {
    readonly most: number;
    readonly texts: Texts;
    readonly changed: () => void;
    readonly showJson: () => void;
  },
): Rows<SuggestionDraft> {
  const { most, texts, changed, showJson } = options;
  const sum = $("<div>");
  const rows: Rows<SuggestionDraft> = draftList(list, {
    add: sharedTexts("list.add"),
    blank: () => blankSuggestion(),
    draw(container, draft, isNew) {
      drawSuggestion(container, draft, texts, changed, showJson);
      if (isNew) {
        container.find("[data-field=text]").trigger("focus");
      }
    },
    changed: () => {
      count();
      changed();
    },
  });
  const count = (): void => {
    const fault = checkSuggestionCount(rows.read().length, most);
    showFaults(sum, $(), fault === null ? [] : [fault], texts);
  };
  list.closest(".red-ui-editableList").after(sum);
  return {
    read: rows.read,
    fill(drafts) {
      rows.fill(drafts);
      count();
    },
  };
}
