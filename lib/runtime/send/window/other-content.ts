import type { OperationId } from "../../../gateway/contract/operations";
import type { ChannelConfig } from "../../channels/channel-definition";
import type { FieldValues } from "../../fields/field-reader";

/** What people get instead of a message. */
export interface OtherContent {
  readonly operation: OperationId;
  readonly values: FieldValues;
  /** Settings of the node that stand for the operation. */
  readonly config: ChannelConfig;
}
