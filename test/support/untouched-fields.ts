import { type FieldSpec, sourceProperty } from "../../lib/shared/fields/field-spec";

/** The fields of a node as a dialog saves them that nobody changed. */
export const untouched = (
  fields: readonly Pick<FieldSpec, "name" | "initial">[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap(({ name, initial }) => [
      [name, initial.value],
      [sourceProperty(name), initial.source],
    ]),
  );
