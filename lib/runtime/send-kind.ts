import type { OperationId } from "../gateway/operations";
import type { FieldSpec } from "../shared/field-spec";
import type { FieldValues } from "./field-reader";

/** What makes one send node different from another: its fields, and which operation they mean. */
export interface SendKind {
  /** How an error names what is sent, e.g. `SMS`. */
  readonly label: string;
  readonly fields: readonly FieldSpec[];
  /** Name of the field that holds the recipients, in `fields`. */
  readonly recipients: string;
  /** Chooses the operation from the values and the node's configuration. */
  readonly choose: (values: FieldValues, config: Readonly<Record<string, unknown>>) => OperationId;
}
