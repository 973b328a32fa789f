/** `blank`: not sent. */
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

/** `bytes`: a file in memory. `json`: any structure. */
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

/** One field of a node, saved under `name` with its source under `<name>Source`. */
export interface FieldSpec {
  /** The node's property, and the service's field unless `field` is set. */
  readonly name: string;
  readonly icon?: string;
  /** The part of the form for this field's row, `options` by default. */
  readonly place?: string;
  /** The service's field, if two properties share it. */
  readonly field?: string;
  readonly messageKinds?: readonly string[];
  readonly when?: Readonly<Record<string, string>>;
  readonly type: FieldType;
  readonly required: boolean;
  readonly initial: { readonly source: FieldSource; readonly value: string };
  readonly choices?: readonly string[];
  readonly sources?: readonly FieldSource[];
  readonly lines?: boolean;
  /** Whether the text is the id of a send node. */
  readonly sender?: boolean;
  readonly single?: boolean;
  readonly most?: number;
  /** A field that requires this one. */
  readonly neededWith?: string;
}

export const OPTIONAL = { required: false, initial: { source: "blank", value: "" } } as const;

export const fromMessage = <const Property extends string>(value: Property) =>
  ({ required: true, initial: { source: "msg", value } }) as const;

export type FieldKey<Specs extends readonly FieldSpec[]> = Specs[number] extends infer Spec
  ? Spec extends { readonly field: infer Key extends string }
    ? Key
    : Spec extends { readonly name: infer Name extends string }
      ? Name
      : never
  : never;

export const sourceProperty = (field: string): string => `${field}Source`;

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

export const isListType = (type: FieldType): boolean => LITERAL_SOURCE[type] === "list";

export function isFieldOf(
  { messageKinds, when = {} }: FieldSpec,
  setting: (name: string) => unknown,
): boolean {
  const isOfKind = messageKinds === undefined || messageKinds.includes(String(setting("kind")));
  return isOfKind && Object.entries(when).every(([name, value]) => setting(name) === value);
}

export function fieldsOf(
  specs: readonly FieldSpec[],
  settings: Readonly<Record<string, unknown>>,
): readonly FieldSpec[] {
  return specs.filter((spec) => isFieldOf(spec, (name) => settings[name]));
}

export interface ListEntry {
  readonly value: string;
  readonly source: FieldSource;
}
