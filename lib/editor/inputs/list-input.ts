import { type FieldSource, type FieldSpec, isListType, type ListEntry } from "../../shared/fields/field-spec";
import { asSentence } from "../dialog/as-sentence";
import { nameInputs } from "../dialog/accessible-names";
import type { Dialog } from "../dialog/dialog";
import { fillsBraces } from "../personal-text/personal-properties";
import { chosenSource, findFieldFault } from "./field-fault";
import { textType } from "./multi-line-input";
import { ENTRY_SOURCES, entriesOf, findEntryFault, findSumFault } from "./list-fault";
import type { EditedNode } from "../dialog/node-definition";
import { sharedTexts } from "../dialog/texts";

const entryTypes = () => ENTRY_SOURCES.map((source) => (source === "str" ? textType() : source));

/** A calculation, because jQuery would convert 100% to pixels while the dialog is still hidden. */
const FULL_WIDTH = "calc(100% - 0px)";

/** No element has the id `node-input-<name>`, whose value the editor would save as text. */
const ENTRY = "input.messaging-entry-value";
const FAULT = "messaging-entry-fault";

const getList = (name: string): JQuery => $(`#node-input-${name}-list`);
const getSourceInput = (name: string): JQuery => $(`#node-input-${name}-from`);
const isBuilt = (name: string): boolean => getList(name).data("noderedEditableList") !== undefined;

const items = (name: string): JQuery[] =>
  (getList(name).editableList("items") as JQuery).toArray().map((item) => $(item));

function readEntry(item: JQuery): ListEntry {
  const input = item.find(ENTRY);
  return { value: String(input.typedInput("value")), source: input.typedInput("type") as FieldSource };
}

/** Reads the dialog, or the node while the field has no input. */
export function readField(
  node: EditedNode,
  spec: FieldSpec,
  source: string = chosenSource(node, spec),
): readonly ListEntry[] | string {
  const { name } = spec;
  const isList = source === "list";
  if (!isBuilt(name)) {
    return isList ? entriesOf(node[name]) : String(node[name] ?? "");
  }
  return isList ? items(name).map(readEntry) : String(getSourceInput(name).typedInput("value"));
}

function showFault(element: JQuery, fault: string | null): void {
  element.find(".red-ui-typedInput-container").toggleClass("input-error", fault !== null);
  if (fault !== null) {
    $("<div>", { class: FAULT, role: "alert" }).text(asSentence(fault)).appendTo(element);
  }
}

function update(node: EditedNode, spec: FieldSpec, row: JQuery): void {
  const { name } = spec;
  const source = chosenSource(node, spec);
  const isList = source === "list";
  const fills = fillsBraces(node);
  row.find(".messaging-list").toggle(isList);
  row.find(`.${FAULT}`).remove();
  const entries = items(name);
  row.find(".messaging-list .red-ui-editableList-border").toggle(entries.length > 0);
  for (const item of entries) {
    showFault(item, findEntryFault(spec, readEntry(item), fills));
  }
  const fault = isList
    ? findSumFault(spec, entries.map(readEntry), fills)
    : findFieldFault(spec, source, getSourceInput(name).typedInput("value"));
  if (fault !== null) {
    $("<div>", { class: FAULT, role: "alert" }).text(asSentence(fault)).appendTo(row);
  }
}

/** @param types sources of the field as a whole */
export function prepareList({ node }: Dialog, spec: FieldSpec): void {
  const list = getList(spec.name);
  const row = list.closest(".form-row");
  const refresh = (): void => update(node, spec, row);
  const changed = (): void => {
    refresh();
    nameInputs(row);
    row.trigger("change");
  };
  list.wrap($("<div>", { class: "messaging-list" }));
  list.editableList({
    addButton: sharedTexts("list.add"),
    height: "auto",
    sortable: true,
    removable: true,
    addItem(container: JQuery, _at: number, entry: Partial<ListEntry>) {
      const input = $("<input>", { type: "text", class: "messaging-entry-value" }).appendTo(container);
      input.val(entry.value ?? "").typedInput({ default: "str", types: entryTypes() as never });
      input.typedInput("type", entry.source ?? "str");
      input.typedInput("width", FULL_WIDTH);
      $("<span>", { class: "messaging-entry-count" }).appendTo(container);
      if (entry.source === undefined) {
        container.find(".red-ui-typedInput-input").trigger("focus");
      }
      changed();
    },
    removeItem: changed,
    sortItems: changed,
  });
  for (const entry of entriesOf(node[spec.name])) {
    list.editableList("addItem", entry);
  }
  row.on("input change keyup", refresh);
  refresh();
}

/** Adds empty entries at the end and sets the source of the field to the list. */
export function addEntries(name: string, count: number): void {
  getSourceInput(name).typedInput("type", "list");
  for (let added = 0; added < count; added++) {
    getList(name).editableList("addItem", {});
  }
}

/** Saves the shown lists to the node; for `oneditsave`. */
export function saveLists(node: EditedNode, specs: readonly FieldSpec[]): void {
  for (const spec of specs.filter(({ type, name }) => isListType(type) && isBuilt(name))) {
    node[spec.name] = readField(node, spec);
  }
}
