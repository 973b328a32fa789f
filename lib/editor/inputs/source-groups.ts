import type { FieldSpec } from "../../shared/fields/field-spec";

/** Sources with the same kind of text; the others have no text, or choose it themselves. */
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

const getGroup = (source: unknown): string | undefined => GROUPS[String(source)];

/** Restores the earlier text of each kind of source: the path `to` is no phone number. @param field a TypedInput */
export function keepSourcesApart(field: JQuery, { initial }: FieldSpec): void {
  const held = new Map<string, string>();
  const first = getGroup(initial.source);
  if (first !== undefined) {
    held.set(first, initial.value);
  }
  let group = getGroup(field.typedInput("type"));
  let latest = String(field.typedInput("value") ?? "");
  field.on("change", () => {
    const chosen = getGroup(field.typedInput("type"));
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

/** Scrolls a long text back to its beginning when the input loses the focus. */
export function showBeginning(element: Element | undefined): void {
  element?.addEventListener("blur", () => {
    element.scrollLeft = 0;
    element.scrollTop = 0;
  });
}
