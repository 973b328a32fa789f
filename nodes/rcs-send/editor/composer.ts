import { type FieldSpec, isListType } from "../../../lib/shared/fields/field-spec";
import { RCS_LIMITS } from "../../../lib/shared/fields/rcs-limits";
import { type Dialog, heldText } from "../../../lib/editor/dialog/dialog";
import { inputTypes } from "../../../lib/editor/inputs/field-input";
import { entriesOf } from "../../../lib/editor/inputs/list-fault";
import { readField } from "../../../lib/editor/inputs/list-input";
import { iconButton } from "../../../lib/editor/dialog/icon-button";
import type { Texts } from "../../../lib/editor/dialog/texts";
import { readCards, writeCards } from "./card-model";
import { cardRows } from "./card-rows";
import { blankSuggestion, type Reading, readSuggestions, writeSuggestions } from "./suggestion-model";
import { type Rows, suggestionRows } from "./suggestion-rows";

export const COMPOSED: ReadonlySet<string> = new Set(["suggestions", "cardSuggestions", "cards"]);

interface Composition<Draft> {
  readonly read: (json: string) => Reading<Draft>;
  readonly write: (drafts: readonly Draft[]) => string;
  readonly rows: Rows<Draft>;
}

interface JsonEditor {
  editJSON(options: { value: string; focus: boolean; complete: (json: string) => void }): void;
}

/** Invalid JSON stays unchanged. */
function layOut(json: string, indent?: number): string {
  try {
    return JSON.stringify(JSON.parse(json), null, indent);
  } catch {
    return json;
  }
}

/** Waits until the dialog is in the page: checks do not find it while another dialog covers it. */
function whenBack(box: JQuery, act: () => void, tries = 100): void {
  if (box[0]?.isConnected) {
    act();
  } else if (tries > 0) {
    setTimeout(() => whenBack(box, act, tries - 1), 50);
  }
}

const getInput = ({ input }: Dialog, { name, type }: FieldSpec): JQuery =>
  input(isListType(type) ? `${name}-from` : name);

/** Edits JSON below its input. Writes only after a change; shows why it cannot edit other JSON. */
function prepareComposer(dialog: Dialog, spec: FieldSpec, texts: Texts): void {
  const isList = isListType(spec.type);
  const field = getInput(dialog, spec);
  const box = $("<div>", { class: `messaging-composer${isList ? "" : " messaging-compose-cards"}` });
  const pieces = $("<div>").appendTo(box);
  const aside = $("<div>", { class: "messaging-compose-aside", role: "status" }).appendTo(box);
  const list = $("<ol>").appendTo(pieces);
  // Above the hint, directly below the input.
  field.siblings("input[type=hidden]").last().after(box);

  const json = (): string => String(field.typedInput("value"));
  let shown: string | null = null;
  const set = (written: string): void => {
    shown = written;
    field.typedInput("value", written);
  };
  const showJson = (): void => {
    const take = (typed: string): void => {
      field.typedInput("value", layOut(typed));
      whenBack(box, () => field.trigger("change"));
    };
    (RED.editor as unknown as JsonEditor).editJSON({ value: layOut(json(), 2), focus: true, complete: take });
  };
  const changed = (): void => set(composition.write(composition.rows.read() as never));
  const composition = (
    isList
      ? {
          read: readSuggestions,
          write: writeSuggestions,
          rows: suggestionRows(list, { most: spec.most ?? RCS_LIMITS.chips, texts, changed, showJson }),
        }
      : {
          read: readCards,
          write: writeCards,
          rows: cardRows(list, {
            texts,
            changed,
            showJson,
            isSmall: () => heldText(dialog, "cardWidth") === "SMALL_WIDTH",
          }),
        }
  ) as Composition<unknown>;
  box.append(
    $("<div>", { class: "messaging-compose-tools" }).append(
      iconButton("code", texts("composer.json")).on("click", showJson),
    ),
  );

  const takeOver = (): void => {
    const entries = entriesOf(readField(dialog.node, spec, "list"));
    if (json().trim() === "" && entries.length > 0 && entries.every(({ source }) => source === "str")) {
      set(writeSuggestions(entries.map(({ value }) => blankSuggestion(value))));
      shown = null;
    }
  };
  let before = field.typedInput("type");
  const refresh = (): void => {
    const type = field.typedInput("type");
    const isJson = type === "json";
    box.toggle(isJson);
    if (isJson && before === "list") {
      takeOver();
    }
    before = type;
    if (!isJson || json() === shown) {
      return;
    }
    shown = json();
    const { items, fault } = composition.read(shown);
    pieces.toggle(items !== null);
    aside.empty().toggle(items === null);
    if (items !== null) {
      composition.rows.fill(items);
    } else {
      aside.text(texts("composer.aside", { reason: texts(`composer.reading.${fault.rule}`, fault.values) }));
    }
  };
  field.on("change", refresh);
  if (!isList) {
    dialog.form.on(
      "change",
      "#node-input-cardWidth",
      (composition.rows as ReturnType<typeof cardRows>).check,
    );
  }
  refresh();
}

/** If this fails, the field is plain JSON. */
export function addComposer(dialog: Dialog, spec: FieldSpec, texts: Texts): void {
  if (!COMPOSED.has(spec.name)) {
    return;
  }
  try {
    prepareComposer(dialog, spec, texts);
  } catch (error) {
    console.warn(error);
    const field = getInput(dialog, spec);
    field.siblings(".messaging-composer").remove();
    field.typedInput("types", inputTypes(spec, texts, false) as never);
  }
}
