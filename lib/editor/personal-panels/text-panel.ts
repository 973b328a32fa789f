import { excerpt } from "../../shared/excerpt";
import { hasBraces } from "../../shared/personal-text/has-braces";
import { type FieldSpec, isListType } from "../../shared/fields/field-spec";
import type { Dialog } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";
import { insertText } from "../fields/paste";
import { chosenSource } from "../inputs/field-fault";
import { addEntries } from "../inputs/list-input";
import { type FilledText, type NamedFault, replacePath } from "../personal-text/filled-text";

const say: Texts = (key, values) => sharedTexts(`personal.${key}`, values);

/** What the panels below typed texts need of their dialog. */
export interface PanelContext {
  /** Whether `{{…}}` is replaced. */
  readonly fills: () => boolean;
  readonly fill: (text: string) => FilledText;
  /** A button that unfolds the values of the sample, which hands over the path of the chosen one. */
  readonly insertButton: (chosen: (path: string) => void) => JQuery;
}

/** The panel below one typed text, or below a list of them. */
export interface TextPanel {
  readonly update: () => void;
  /** Whether people write a text here, so that they may want values in it. */
  readonly isWritten: () => boolean;
  readonly hasBraces: () => boolean;
}

/** Fields whose text people write for each message, besides those with several lines and lists. */
const WRITTEN: ReadonlySet<string> = new Set(["title", "onceKey"]);
/** Characters of a preview. */
const LONGEST = 600;
const INNER = ".red-ui-typedInput-input";

const textIn = (typed: JQuery): string => String(typed.typedInput("value"));

/** Inserts a path with its braces where the cursor of an input last was. */
function insertPath(inner: JQuery, path: string): void {
  const element = inner[0] as HTMLInputElement | undefined;
  if (element !== undefined) {
    element.focus();
    insertText(element, `{{${path}}}`);
  }
}

/**
 * The lines below a text with braces: what becomes of it, and each path that has no value in the sample.
 * @param replace writes another path instead of one
 */
function filledLines(
  { text, faults }: FilledText,
  replace: (path: string, by: string) => void,
): readonly JQuery[] {
  const preview = $("<div>", { class: "messaging-filled" }).append(
    $("<b>").text(say("preview")),
    " ",
    $("<span>").text(excerpt(text, LONGEST)),
  );
  const line = ({ path, reason, meant }: NamedFault): JQuery => {
    const element = $("<div>", { class: "messaging-bad", role: "alert" }).append(
      $("<span>").text(say(`missing.${reason}`, { path })),
    );
    if (meant !== null) {
      $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" })
        .text(`${meant}?`)
        .attr("title", say("meant"))
        .on("click", () => replace(path, meant))
        .appendTo(element.append(" "));
    }
    return element;
  };
  return [preview, ...faults.map(line)];
}

/** Shows the lines of a text with braces in a place, and draws them anew only when they change: a button that is replaced under the mouse would lose the click. */
function drawLines(place: JQuery, typed: JQuery, filled: FilledText | null): void {
  const state = JSON.stringify(filled);
  if (place.data("shown") !== state) {
    place.data("shown", state).empty();
    if (filled !== null) {
      const replace = (path: string, by: string): void => {
        typed.typedInput("value", replacePath(textIn(typed), path, by));
      };
      place.append(...filledLines(filled, replace));
    }
  }
}

function singlePanel(
  dialog: Dialog,
  spec: FieldSpec,
  { fills, fill, insertButton }: PanelContext,
): TextPanel {
  const field = dialog.input(spec.name);
  const row = field.closest(".form-row");
  const lines = $("<div>");
  const panel = $("<div>", { class: "messaging-hint messaging-personal" }).append(lines).appendTo(row);
  const isOffered = spec.lines === true || WRITTEN.has(spec.name);
  if (isOffered) {
    panel.append(insertButton((path) => insertPath(row.find(INNER), path)));
  }
  const isTyped = (): boolean => chosenSource(dialog.node, spec) === "str";
  return {
    isWritten: () => isOffered && isTyped(),
    hasBraces: () => isTyped() && hasBraces(textIn(field)),
    update() {
      const filled = isTyped() && fills() ? fill(textIn(field)) : null;
      panel.toggle(filled !== null && (isOffered || filled.personal));
      drawLines(lines, field, filled?.personal ? filled : null);
    },
  };
}

function listPanel(
  { node }: Dialog,
  spec: FieldSpec,
  { fills, fill, insertButton }: PanelContext,
): TextPanel {
  const list = $(`#node-input-${spec.name}-list`);
  const row = list.closest(".form-row");
  let focused: HTMLElement | null = null;
  list.on("focusin", INNER, ({ currentTarget }) => {
    focused = currentTarget as HTMLElement;
  });
  const typedOf = (item: HTMLElement): JQuery => $(item).find("input.messaging-entry-value");
  const isText = (item: HTMLElement): boolean =>
    typedOf(item).length > 0 && typedOf(item).typedInput("type") === "str";
  const items = (): HTMLElement[] => list.children("li").toArray();
  /** The input of the entry that last had the focus; of a new one where that is no text. */
  const target = (): JQuery => {
    const last = items().find((item) => focused !== null && item.contains(focused) && isText(item));
    if (last === undefined) {
      addEntries(spec.name, 1);
    }
    return $(last ?? (items().at(-1) as HTMLElement)).find(INNER);
  };
  const panel = $("<div>", { class: "messaging-hint messaging-personal" })
    .append(insertButton((path) => insertPath(target(), path)))
    .appendTo(row);
  const isTyped = (): boolean => chosenSource(node, spec) === "list";
  return {
    isWritten: isTyped,
    hasBraces: () => isTyped() && items().some((item) => isText(item) && hasBraces(textIn(typedOf(item)))),
    update() {
      panel.toggle(isTyped() && fills());
      for (const item of items()) {
        const typed = typedOf(item);
        if (typed.length > 0) {
          const filled = fills() && isText(item) ? fill(textIn(typed)) : null;
          const known = $(item).find(".messaging-entry-filled");
          const place = known.length > 0 ? known : $("<div>", { class: "messaging-entry-filled" });
          drawLines(place, typed, filled?.personal ? filled : null);
          if (known.length === 0) {
            place.appendTo($(item).find(".red-ui-editableList-item-content"));
          }
        }
      }
    },
  };
}

/** Adds the panel of a typed text below its field, or of the texts of a list: previews, and a button that inserts a value. */
export const addTextPanel = (dialog: Dialog, spec: FieldSpec, context: PanelContext): TextPanel =>
  isListType(spec.type) ? listPanel(dialog, spec, context) : singlePanel(dialog, spec, context);
