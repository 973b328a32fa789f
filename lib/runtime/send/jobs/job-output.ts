import type { NodeMessage } from "node-red";
import type { OperationId } from "../../../gateway/contract/operations";
import type { MediaRequest } from "../../channels/channel-definition";
import type { PartsStamp } from "../parts/batch-message";
import type { FieldValues } from "../../fields/field-reader";
import type { Part } from "../parts/message-parts";
import type { Send } from "../result-outlet";

/** What the results of a message are made of, whether it is as it came or was restored after a restart. */
export interface JobOutput {
  readonly send: Send;
  readonly operation: OperationId;
  /** The request of a channel without recipients; null for other channels. */
  readonly prepared: MediaRequest | null;
  /** Whether the service only simulates the send. */
  readonly test: boolean;
  /** True where some of its people are sent to again: each result leaves by itself, with its own recipients. */
  readonly again?: boolean;
  /** Whether it is a call that speaks its text. */
  readonly spoken: boolean;
  /** Null for a message of one request. */
  readonly stamp: PartsStamp | null;
  idOf(part: Part): string;
  /** The fields of the template that its parts were sent as; null for none, absent for a message that was restored. */
  readonly template?: FieldValues | null;
  /** The message that carries the result of a part. */
  message(part: Part, clientMessageId: string | null): NodeMessage;
}
