import {
  type FieldSource,
  type FieldSpec,
  isFieldOf,
  isListType,
  type ListEntry,
  LITERAL_SOURCE,
  sourceProperty,
} from "../../shared/fields/field-spec";
import { describeSource } from "../fields/describe-source";
import { currentValue, type Dialog, heldText } from "../dialog/dialog";
import { chosenSource } from "../inputs/field-fault";
import { readField } from "../inputs/list-input";
import { sharedTexts, type Texts } from "../dialog/texts";

/** A value that comes from the flow, which the user types for a test. */
export interface TestPrompt {
  /** Stays the same when the dialog changes. */
  readonly key: string;
  readonly label: string;
  readonly from: string;
  readonly input: "text" | "structure" | readonly { readonly value: string; readonly label: string }[];
  readonly required: boolean;
}

export type FillIn = (typed: (key: string) => string) => Record<string, unknown>;

const FROM_FLOW: ReadonlySet<string> = new Set<FieldSource>(["msg", "flow", "global"]);

function toInput({ type, name, choices = [] }: FieldSpec, texts: Texts): TestPrompt["input"] {
  switch (type) {
    case "boolean":
      return ["true", "false"].map((value) => ({ value, label: value }));
    case "choice":
      return choices.map((value) => ({ value, label: texts(`choice.${name}.${value}`) }));
    case "json":
    case "placeholders":
    case "suggestions":
      return "structure";
    default:
      return "text";
  }
}

/** Reads the fields that a test needs: not the recipients, nor the test flag. */
export function readDialog(
  dialog: Dialog,
  specs: readonly FieldSpec[],
  texts: Texts,
): { readonly prompts: readonly TestPrompt[]; readonly fillIn: FillIn } {
  const { node } = dialog;
  const prompts: TestPrompt[] = [];
  const parts: FillIn[] = [];
  const setting = (name: string): unknown => currentValue(node, name);
  for (const spec of specs) {
    if (spec.type === "recipients" || spec.name === "test" || !isFieldOf(spec, setting)) {
      continue;
    }
    const { name } = spec;
    const source = chosenSource(node, spec);
    const held = isListType(spec.type) ? readField(node, spec) : heldText(dialog, name);
    const ask = (key: string, label: string, from: string, more: Partial<TestPrompt> = {}): void => {
      prompts.push({ key, label, from, input: toInput(spec, texts), required: spec.required, ...more });
    };
    if (FROM_FLOW.has(source)) {
      const key = `${name}:${source}:${String(held)}`;
      ask(key, texts(`field.${name}`), describeSource(source, held));
      parts.push((typed) => literal(spec, typed(key)));
    } else if (Array.isArray(held)) {
      const entries = held as readonly ListEntry[];
      const keyOf = (at: number): string => `${name}:${at}`;
      entries.forEach((entry, at) => {
        if (FROM_FLOW.has(entry.source)) {
          const label = `${texts(`field.${name}`)} ${at + 1}`;
          ask(keyOf(at), label, describeSource(entry.source, entry.value), { input: "text", required: true });
        }
      });
      parts.push((typed) => ({
        [name]: entries.map((entry, at) =>
          FROM_FLOW.has(entry.source) ? { source: "str", value: typed(keyOf(at)) } : entry,
        ),
        [sourceProperty(name)]: source,
      }));
    } else {
      parts.push(() => ({ [name]: held, [sourceProperty(name)]: source }));
    }
  }
  return { prompts, fillIn: (typed) => Object.assign({}, ...parts.map((part) => part(typed))) };
}

/** Blank means that the field is not sent. */
function literal(spec: FieldSpec, typed: string): Record<string, unknown> {
  const kind = isListType(spec.type) ? "json" : LITERAL_SOURCE[spec.type];
  const source: FieldSource = typed === "" && !spec.required ? "blank" : kind;
  return { [spec.name]: typed, [sourceProperty(spec.name)]: source };
}

export function promptInput({ input, required }: TestPrompt): JQuery {
  if (input === "text") {
    return $("<input>", { type: "text" });
  }
  if (input === "structure") {
    return $("<textarea>", { rows: 3, placeholder: "[ ]" });
  }
  const select = $("<select>");
  const options = required ? input : [{ value: "", label: sharedTexts("source.blank") }, ...input];
  for (const { value, label } of options) {
    $("<option>", { value }).text(label).appendTo(select);
  }
  return select;
}
