import type { EditedNode, PropertyDefinition } from "../dialog/node-definition";
import {
  type FieldSource,
  type FieldSpec,
  isFieldOf,
  isListType,
  LITERAL_SOURCE,
  sourceProperty,
} from "../../shared/fields/field-spec";
import { currentValue, type Dialog } from "../dialog/dialog";
import { nameInputs } from "../dialog/accessible-names";
import { checkAny } from "./faults";
import { fillsBraces } from "../personal-text/personal-properties";
import { chosenSource, findFieldFault, sourcesOf } from "./field-fault";
import type { LiteralCheck } from "./literal-checks";
import { prepareList } from "./list-input";
import { keepSourcesApart, showBeginning } from "./source-groups";
import { growWithText, multiLineType, textType } from "./multi-line-input";
import { watchNumber } from "../recipients/country-hint";
import { prepareRecipients } from "../recipients/recipients-input";
import { senderType } from "./sender-type";
import { INPUT_WIDTH } from "../dialog/style";
import { sharedTexts, type Texts } from "../dialog/texts";

export type LiteralChecks = Readonly<Record<string, LiteralCheck>>;

type InputType = string | { value: string; label: string; [option: string]: unknown };

function isSet(node: EditedNode, specs: readonly FieldSpec[], name: string): boolean {
  const other = specs.find((spec) => spec.name === name);
  return other !== undefined && chosenSource(node, other) !== "blank";
}

export function fieldProperties(
  specs: readonly FieldSpec[],
  texts: Texts,
  literalChecks: LiteralChecks = {},
): Record<string, PropertyDefinition> {
  const properties: Record<string, PropertyDefinition> = {};
  for (const spec of specs) {
    const source = sourceProperty(spec.name);
    const findFault = (value: unknown, node: EditedNode): string | null => {
      const chosen = chosenSource(node, spec);
      const partner = spec.neededWith;
      if (chosen === "blank" && partner !== undefined && isSet(node, specs, partner)) {
        return sharedTexts("fault.needed-with", { other: texts(`field.${partner}`) });
      }
      return findFieldFault(spec, chosen, value, literalChecks[spec.name], fillsBraces(node));
    };
    properties[spec.name] = {
      value: spec.initial.source === "list" ? [] : spec.initial.value,
      validate: checkAny(
        () => texts(`field.${spec.name}`),
        // A field that the chosen kind lacks keeps its value unchecked.
        (value, node) =>
          isFieldOf(spec, (name) => currentValue(node, name)) ? findFault(value, node) : null,
      ),
    };
    properties[source] = { value: spec.initial.source };
  }
  return properties;
}

export type Completions = Readonly<
  Record<string, (typed: string) => readonly { readonly value: string; readonly label: string }[]>
>;

export interface FieldOptions {
  readonly completions?: Completions;
  readonly composed?: ReadonlySet<string>;
  readonly built?: (spec: FieldSpec) => unknown;
}

/** *Not set* as a choice lets the user choose each value in one step. */
const hasNotSet = (spec: FieldSpec): boolean =>
  spec.type === "choice" && sourcesOf(spec).includes("blank") && sourcesOf(spec).includes("choice");

/** Shows an unset field as a choice and saves it as unset. @returns to be called when the field is a TypedInput */
function offerNotSet(field: JQuery, source: JQuery): () => void {
  if (source.val() === "blank") {
    source.val("choice");
    field.val("");
  }
  return () => {
    const save = (): void => {
      if (field.typedInput("type") === "choice") {
        source.val(field.typedInput("value") === "" ? "blank" : "choice");
      }
    };
    field.on("change", save);
    save();
  };
}

function inputType(
  source: FieldSource,
  spec: FieldSpec,
  texts: Texts,
  composed: boolean,
  complete: Completions[string] | undefined,
  held?: unknown,
): InputType {
  if (source === "str" && spec.sender) {
    return senderType(held);
  }
  if (source === "json" && composed) {
    const label = texts(spec.type === "suggestions" ? "composer.buttons" : "composer.source");
    return { value: "json", label, icon: "fa fa-th-list", hasValue: false };
  }
  if (source === "blank") {
    return { value: "blank", label: sharedTexts("source.blank"), hasValue: false };
  }
  if (source === "choice") {
    const options = (spec.choices ?? []).map((value) => ({
      value,
      label: texts(`choice.${spec.name}.${value}`),
    }));
    const notSet = hasNotSet(spec) ? [{ value: "", label: sharedTexts("source.blank") }] : [];
    const label = sharedTexts("source.choice");
    return { value: "choice", label, icon: "fa fa-list-ul", options: [...notSet, ...options] };
  }
  if (source === "list") {
    const label = spec.type === "suggestions" ? texts("composer.replies") : sharedTexts("source.list");
    return { value: "list", label, icon: "fa fa-list-ol", hasValue: false };
  }
  if (source !== "str") {
    return source;
  }
  const type = spec.lines ? multiLineType() : textType();
  return complete === undefined ? type : { ...type, autoComplete: complete };
}

/** @param held the value, if it is chosen from a list */
export const inputTypes = (
  spec: FieldSpec,
  texts: Texts,
  composed: boolean,
  complete?: Completions[string],
  held?: unknown,
): readonly InputType[] =>
  sourcesOf(spec)
    .filter((type) => type !== "blank" || !hasNotSet(spec))
    .map((type) => inputType(type, spec, texts, composed, complete, held));

/** Makes the editor skip its check of all properties at each change of an input. */
const UNCHECKED = "skipValidation";

/** Builds a TypedInput when its row is first shown, because that takes time. A row that is never shown is never saved. */
export function prepareFields(
  dialog: Dialog,
  specs: readonly FieldSpec[],
  texts: Texts,
  { composed = new Set(), completions = {}, built }: FieldOptions = {},
): void {
  const { node, input, whenShown } = dialog;
  const inputOf = ({ name, type }: FieldSpec): JQuery => input(isListType(type) ? `${name}-from` : name);
  const heldOf = ({ name }: FieldSpec): unknown =>
    node[sourceProperty(name)] === "str" ? node[name] : undefined;
  const prepare = (spec: FieldSpec): void => {
    const source = sourceProperty(spec.name);
    const isList = isListType(spec.type);
    const field = inputOf(spec);
    field.attr(UNCHECKED, "true");
    if (isList && typeof node[spec.name] === "string") {
      field.val(node[spec.name] as string);
    }
    const saveNotSet = hasNotSet(spec) ? offerNotSet(field, input(source)) : null;
    field.typedInput({
      default: LITERAL_SOURCE[spec.type],
      types: inputTypes(spec, texts, composed.has(spec.name), completions[spec.name], heldOf(spec)) as never,
      typeField: input(source) as never,
    });
    saveNotSet?.();
    field.typedInput("width", INPUT_WIDTH);
    if (spec.lines) {
      growWithText(dialog, spec.name);
    }
    keepSourcesApart(field, spec);
    showBeginning(field.parent().find(".red-ui-typedInput-input")[0]);
    if (isList) {
      prepareList(dialog, spec);
    }
    if (spec.type === "recipients") {
      (spec.single ? watchNumber : prepareRecipients)(dialog, spec.name);
    }
    nameInputs(field.closest(".form-row"));
    field.removeAttr(UNCHECKED);
    built?.(spec);
  };
  for (const spec of specs) {
    const source = sourceProperty(spec.name);
    const properties = [isListType(spec.type) ? `${spec.name}-from` : spec.name, source];
    whenShown(inputOf(spec).closest(".form-row"), properties, () => prepare(spec));
  }
}
