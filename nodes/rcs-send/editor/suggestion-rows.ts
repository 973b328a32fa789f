import { nameInputs } from "../../../lib/editor/dialog/accessible-names";
import { iconButton } from "../../../lib/editor/dialog/icon-button";
import { sharedTexts, type Texts } from "../../../lib/editor/dialog/texts";
import { choiceInput, line, showFaults, storeThen, textInput } from "./inputs";
import { checkSuggestion, checkSuggestionCount, type Fault } from "./limit-checks";
import {
  blankSuggestion,
  fieldsOfKind,
  SUGGESTION_KINDS,
  type SuggestionDraft,
  type SuggestionKind,
} from "./suggestion-model";

const KINDS = Object.keys(SUGGESTION_KINDS).filter((kind) => kind !== "other") as SuggestionKind[];

export interface Rows<Draft> {
  readonly read: () => Draft[];
  readonly fill: (drafts: readonly Draft[]) => void;
}

/** The inputs of a row change its draft in place. */
export function draftList<Draft extends object>(
  list: JQuery,
  options: {
    readonly add: string;
    readonly blank: () => Draft;
    readonly draw: (container: JQuery, draft: Draft, isNew: boolean) => void;
    readonly count: (drafts: number) => Fault | null;
    readonly texts: Texts;
    readonly changed: () => void;
  },
): Rows<Draft> {
  const { add, blank, draw, count, texts, changed } = options;
  const sum = $("<div>");
  const items = (): JQuery[] => (list.editableList("items") as JQuery).toArray().map((element) => $(element));
  let filling = false;
  const showCount = (): void => {
    const { length } = items();
    list.closest(".red-ui-editableList").toggleClass("messaging-compose-bare", length === 0);
    const fault = count(length);
    showFaults(sum, $(), fault === null ? [] : [fault], texts);
  };
  const notify = (): void => {
    if (!filling) {
      showCount();
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
  list.closest(".red-ui-editableList").after(sum);
  return {
    read: () => items().map((item) => item.data("draft") as Draft),
    fill(drafts) {
      filling = true;
      list.editableList("empty");
      for (const draft of drafts) {
        list.editableList("addItem", { draft });
      }
      filling = false;
      showCount();
    },
  };
}

/** @param showJson opens a suggestion without inputs */
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
    container.append(line(note, iconButton("code", texts("composer.json")).on("click", showJson)), code);
    return;
  }
  const more = line();
  const faults = $("<div>");
  const field = (name: string): string => texts(`composer.suggestion.${name}`);
  const check = (): void => showFaults(faults, container, checkSuggestion(draft), texts);
  const stored = storeThen(check, changed);
  const drawMore = (): void => {
    const own = fieldsOfKind(draft.kind).map((name) =>
      textInput({
        name,
        label: field(name),
        value: draft.fields[name] ?? "",
        changed: stored((typed) => {
          draft.fields[name] = typed;
        }),
      }),
    );
    const data = textInput({
      name: "data",
      label: field(draft.kind === "reply" ? "data" : "actionData"),
      value: draft.data,
      changed: stored((typed) => {
        draft.data = typed;
      }),
    });
    more.empty().append(...own, data);
  };
  const kind = choiceInput(
    {
      name: "kind",
      label: field("kind"),
      value: draft.kind,
      changed: stored((chosen) => {
        draft.kind = chosen as SuggestionKind;
        drawMore();
      }),
    },
    KINDS.map((each) => [each, texts(`composer.kind.${each}`)] as const),
  );
  const text = textInput({
    name: "text",
    label: field("text"),
    value: draft.text,
    changed: stored((typed) => {
      draft.text = typed;
    }),
  });
  container.append(line(kind, text), more, faults);
  drawMore();
  check();
}

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
  return draftList(list, {
    add: sharedTexts("list.add"),
    blank: () => blankSuggestion(),
    draw(container, draft, isNew) {
      drawSuggestion(container, draft, texts, changed, showJson);
      if (isNew) {
        container.find("[data-field=text]").trigger("focus");
      }
    },
    count: (suggestions) => checkSuggestionCount(suggestions, most),
    texts,
    changed,
  });
}
