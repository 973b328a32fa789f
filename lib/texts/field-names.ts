import { type FieldSpec, isFieldOf } from "../shared/fields/field-spec";
import type { FieldName, NameOf } from "../shared/messaging-error";
import { fieldLabel, type LabelsByLanguage } from "./field-labels";
import { say } from "./say";

/** Quotes a label of several words, or one that could be part of the sentence. */
const shown = (label: string): string => say(/\s/.test(label) ? "fields.name" : "fields.word", { label });

const keyOf = ({ field, name }: FieldSpec): string => field ?? name;

const leadsInto = (path: string, key: string): boolean =>
  path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`);

/** Names a field that is no parameter of the service. */
export function propertyName(labels: LabelsByLanguage, name: string): FieldName | null {
  const label = fieldLabel(labels, name);
  return label === null ? null : { label: shown(label), parameter: null };
}

/**
 * Names the service's fields as the dialog does, on demand.
 * @param config settings that decide which fields exist
 */
export function fieldNames(
  labels: LabelsByLanguage,
  specs: readonly FieldSpec[],
  config: Readonly<Record<string, unknown>>,
): NameOf {
  return (path) => {
    const own = specs.filter((spec) => isFieldOf(spec, (name) => config[name]));
    const [found] = own
      .filter((spec) => leadsInto(path, keyOf(spec)))
      .sort((a, b) => keyOf(b).length - keyOf(a).length);
    if (found === undefined) {
      // A path above several fields has no label.
      return own.some((spec) => leadsInto(keyOf(spec), path))
        ? { label: say("fields.several"), parameter: path }
        : propertyName(labels, path);
    }
    const label = fieldLabel(labels, found.name);
    if (label === null) {
      return null;
    }
    const inside = path.slice(keyOf(found).length).replace(/^\./, "");
    return { label: inside === "" ? shown(label) : `${shown(label)} ${inside}`, parameter: path };
  };
}
