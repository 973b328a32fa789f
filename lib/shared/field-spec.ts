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
  | "choice";

export type FieldKind = "recipients" | "text" | "integer" | "boolean" | "choice";

/**
 * One field of a send node. Runtime and editor read the same table: the runtime to fetch and check values, the
 * editor to build its inputs. A node's configuration holds the value under `name` and the source under
 * `<name>Source`.
 */
export interface FieldSpec {
  /** The service's own field name. */
  readonly name: string;
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
};
