import type { FieldSpec } from "../../shared/fields/field-spec";

/** Sources whose texts mean the same kind of thing. Those that are in none have no text, or choose one themselves. */
const GROUPS: Readonly<Record<string, string>> = {
  msg: "path",
  flow: "path",
  global: "path",
  env: "variable",
  jsonata: "expression",
  str: "typed",
  num: "typed",
  json: "typed",
};

const groupOf = (source: unknown): string | undefined => GROUPS[String(source)];

/**
 * Keeps what a field was set to apart by the kind of its source: the path `to` of a message is no phone number, and a
 * typed text no path. Another kind of source starts with what it was set to before in this dialog, or blank.
 * @param field is a TypedInput
 */
export function keepSourcesApart(field: JQuery, { initial }: FieldSpec): void {
  const held = new Map<string, string>();
  const first = groupOf(initial.source);
  if (first !== undefined) {
    held.set(first, initial.value);
  }
  let group = groupOf(field.typedInput("type"));
  let latest = String(field.typedInput("value") ?? "");
  field.on("change", () => {
    const chosen = groupOf(field.typedInput("type"));
    if (chosen === undefined) {
      return;
    }
    if (group !== undefined && chosen !== group) {
      held.set(group, latest);
      const isOld = String(field.typedInput("value") ?? "") === latest;
      group = chosen;
      latest = isOld ? (held.get(chosen) ?? "") : latest;
      if (isOld) {
        field.typedInput("value", latest);
      }
    }
    group = chosen;
    latest = String(field.typedInput("value") ?? "");
  });
}

/** Shows the beginning of a long text in an input whenever nobody writes in it. */
export function showBeginning(element: Element | undefined): void {
  element?.addEventListener("blur", () => {
    element.scrollLeft = 0;
    element.scrollTop = 0;
  });
}
