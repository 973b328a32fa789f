import type { NodeMessage } from "node-red";
import type { OperationId } from "../../../gateway/contract/operations";
import type { MediaRequest } from "../../channels/channel-definition";
import type { PartsStamp } from "../parts/part-messages";
import type { FieldValues } from "../../fields/field-reader";
import type { Part } from "../parts/message-parts";
import type { Send } from "../message-end";

/** The basis of results, for original and restored messages. */
export interface JobOutput {
  readonly send: Send;
  readonly operation: OperationId;
  /** Null for a channel with recipients. */
  readonly prepared: MediaRequest | null;
  readonly test: boolean;
  /** True for a repeated send: each result is emitted alone, with its own recipients. */
  readonly again?: boolean;
  readonly spoken: boolean;
  /** Null for a message of one request. */
  readonly stamp: PartsStamp | null;
  idOf(part: Part): string;
  /** Null for no template, absent for a restored message. */
  readonly template?: FieldValues | null;
  message(part: Part, clientMessageId: string | null): NodeMessage;
}
