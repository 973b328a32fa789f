/** Where a field's value comes from, as Node-RED's TypedInput names it; `blank` means: not sent. */
export type FieldSource =
  | "blank"
  | "msg"
  | "flow"
  | "global"
  | "env"
  | "jsonata"
  | "str"
  | "num"
  | "bool"
  | "choice"
  | "json"
  | "list";

/** `json` is any structure; `placeholders` an ordered list of texts. */
export type FieldKind = "recipients" | "text" | "integer" | "boolean" | "choice" | "json" | "placeholders";

/**
 * One field of a send node. Runtime and editor read the same table: the runtime to fetch and check values, the
 * editor to build its inputs. A node's configuration holds the value under `name` and the source under
 * `<name>Source`.
 */
export interface FieldSpec {
  /** Name of the node's property, and the service's own field name unless `field` gives another. */
  readonly name: string;
  /** The service's field name where two properties of a node stand for the same one. */
  readonly field?: string;
  /** The settings of the node's `kind` for which the field exists; without it, all. */
  readonly kinds?: readonly string[];
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly initial: { readonly source: FieldSource; readonly value: string };
  /** The words of a `choice`. */
  readonly choices?: readonly string[];
}

/** Name of the configuration property that holds a field's source. */
export const sourceProperty = (field: string): string => `${field}Source`;

/** The literal source of each kind: what a user types straight into the dialog. */
export const LITERAL_SOURCE: Readonly<Record<FieldKind, FieldSource>> = {
  recipients: "str",
  text: "str",
  integer: "num",
  boolean: "bool",
  choice: "choice",
  json: "json",
  placeholders: "list",
};

/** Whether a node has the field with the chosen `kind`. */
export const isFieldOf = ({ kinds }: FieldSpec, kind: unknown): boolean =>
  kinds === undefined || kinds.includes(String(kind));

/** The fields that a node has with the chosen `kind`. */
export function fieldsOf(specs: readonly FieldSpec[], kind: unknown): readonly FieldSpec[] {
  return specs.filter((spec) => isFieldOf(spec, kind));
}

/** One entry of a `list` of placeholders, as the node's configuration holds it. */
export interface ListEntry {
  readonly value: string;
  readonly source: FieldSource;
}
