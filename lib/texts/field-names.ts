import { type FieldSpec, isFieldOf } from "../shared/fields/field-spec";
import type { FieldName, NameOf } from "../shared/messaging-error";
import { fieldLabel } from "./field-labels";
import { say } from "./say";

/** A label as the beginning of a sentence: in quotes where it has several words, and in languages in which one word may be taken for a part of the sentence. */
const shown = (label: string): string => say(/\s/.test(label) ? "fields.name" : "fields.word", { label });

const keyOf = ({ field, name }: FieldSpec): string => field ?? name;

/** Whether a path is that of a field, or leads into it. */
const leadsInto = (path: string, key: string): boolean =>
  path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`);

/** The name of a field that is a property of its node and not a parameter of the service. */
export function propertyName(type: string, name: string): FieldName | null {
  const label = fieldLabel(type, name);
  return label === null ? null : { label: shown(label), parameter: null };
}

/**
 * The names that a node's dialog has for the fields of the service. The label is looked up when it is asked for.
 * @param type of the node, such as `sms-send`
 * @param specs fields of the node that are sent
 * @param config settings of the node, which decide what fields it has
 */
export function fieldNames(
  type: string,
  specs: readonly FieldSpec[],
  config: Readonly<Record<string, unknown>>,
): NameOf {
  return (path) => {
    const own = specs.filter((spec) => isFieldOf(spec, (name) => config[name]));
    const [found] = own
      .filter((spec) => leadsInto(path, keyOf(spec)))
      .sort((a, b) => keyOf(b).length - keyOf(a).length);
    if (found === undefined) {
      // What several fields are part of has no label.
      return own.some((spec) => leadsInto(keyOf(spec), path))
        ? { label: say("fields.several"), parameter: path }
        : propertyName(type, path);
    }
    const label = fieldLabel(type, found.name);
    if (label === null) {
      return null;
    }
    const inside = path.slice(keyOf(found).length).replace(/^\./, "");
    return { label: inside === "" ? shown(label) : `${shown(label)} ${inside}`, parameter: path };
  };
}
