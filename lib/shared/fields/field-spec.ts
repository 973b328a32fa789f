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

/** `bytes` are a file in memory; `json` is any structure; `placeholders` and `suggestions` are lists that the dialog can hold entry by entry. */
export type FieldType =
  | "recipients"
  | "text"
  | "bytes"
  | "integer"
  | "number"
  | "boolean"
  | "choice"
  | "json"
  | "placeholders"
  | "suggestions";

/**
 * One field of a send node. Runtime and editor read the same table: the runtime to fetch and check values, the
 * editor to build its inputs. A node's configuration holds the value under `name` and the source under
 * `<name>Source`.
 */
export interface FieldSpec {
  /** Name of the node's property, and the service's own field name unless `field` gives another. */
  readonly name: string;
  /** The icon beside the label in the dialog: its name in Font Awesome 4, without `fa-`. */
  readonly icon?: string;
  /**
   * The place in the node's form for the row of this field, which the build makes there. Rows of a place stand in the
   * order of the table. Without it: `options`.
   */
  readonly place?: string;
  /** The service's field name where two properties of a node stand for the same one. */
  readonly field?: string;
  /** The settings of the node's `kind` for which the field exists; without it, all. */
  readonly messageKinds?: readonly string[];
  /** Other settings of the node that must have these values for the field to exist. */
  readonly when?: Readonly<Record<string, string>>;
  readonly type: FieldType;
  readonly required: boolean;
  readonly initial: { readonly source: FieldSource; readonly value: string };
  /** The words of a `choice`. */
  readonly choices?: readonly string[];
  /** The sources that the field may come from, the likeliest first, where not all make sense. */
  readonly sources?: readonly FieldSource[];
  /** Whether a text typed into the dialog may have several lines. */
  readonly lines?: boolean;
  /** Whether a text typed into the dialog is the id of a send node, which the dialog offers by name. */
  readonly sender?: boolean;
  /** Of a field of recipients: one number, not a list. */
  readonly single?: boolean;
  /** Entries that a list may have at most. */
  readonly most?: number;
  /** Name of the field that makes no sense without this one. */
  readonly neededWith?: string;
}

/** Of a field that may be absent, and is so in a new node. */
export const OPTIONAL = { required: false, initial: { source: "blank", value: "" } } as const;

/** Of a field that is needed. In a new node it comes from a property of the message. */
export const fromMessage = <const Property extends string>(value: Property) =>
  ({ required: true, initial: { source: "msg", value } }) as const;

/** The service's names of the fields of a table. */
export type FieldKey<Specs extends readonly FieldSpec[]> = Specs[number] extends infer Spec
  ? Spec extends { readonly field: infer Key extends string }
    ? Key
    : Spec extends { readonly name: infer Name extends string }
      ? Name
      : never
  : never;

/** Name of the configuration property that holds a field's source. */
export const sourceProperty = (field: string): string => `${field}Source`;

/** The literal source of each type: what a user types straight into the dialog. */
export const LITERAL_SOURCE: Readonly<Record<FieldType, FieldSource>> = {
  recipients: "str",
  text: "str",
  bytes: "str",
  integer: "num",
  number: "num",
  boolean: "bool",
  choice: "choice",
  json: "json",
  placeholders: "list",
  suggestions: "list",
};

/** Whether the dialog holds such a field entry by entry. */
export const isListType = (type: FieldType): boolean => LITERAL_SOURCE[type] === "list";

/** Whether a node has the field with the settings that it has. */
export function isFieldOf(
  { messageKinds, when = {} }: FieldSpec,
  setting: (name: string) => unknown,
): boolean {
  const isOfKind = messageKinds === undefined || messageKinds.includes(String(setting("kind")));
  return isOfKind && Object.entries(when).every(([name, value]) => setting(name) === value);
}

/** The fields that a node has with its settings. */
export function fieldsOf(
  specs: readonly FieldSpec[],
  settings: Readonly<Record<string, unknown>>,
): readonly FieldSpec[] {
  return specs.filter((spec) => isFieldOf(spec, (name) => settings[name]));
}

/** One entry of a `list`, as the node's configuration holds it. */
export interface ListEntry {
  readonly value: string;
  readonly source: FieldSource;
}
