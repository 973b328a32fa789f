import type { OperationId } from "../gateway/operations";
import type { FieldSpec } from "../shared/field-spec";
import type { FieldValues } from "./field-reader";

type Config = Readonly<Record<string, unknown>>;

/** What makes one send node different from another: its fields, and which operation they mean. */
export interface SendKind {
  /** How an error names what is sent, e.g. `SMS`. */
  readonly label: string;
  /** The settings of the node's `kind`, the initial one first, where it has that choice. */
  readonly kinds?: readonly string[];
  /** The fields of all settings of the node's `kind`; each says for which of them it exists. */
  readonly fields: readonly FieldSpec[];
  /** Name of the field that holds the recipients, in `fields`. */
  readonly recipients: string;
  /** Chooses the operation from the values and the node's configuration. */
  readonly choose: (values: FieldValues, config: Config) => OperationId;
  /**
   * Builds what the operation carries, where that is not the fields themselves.
   * @param recipients of the batch, digits without plus
   * @throws FieldError
   */
  readonly compose?: (values: FieldValues, recipients: readonly string[], config: Config) => FieldValues;
  /** What looks odd but is sent all the same. */
  readonly warn?: (values: FieldValues) => string[];
}
