import type { NodeMessage } from "node-red";
import type { Verdict } from "../../gateway/codec/verdict";
import type { OperationId } from "../../gateway/contract/operations";
import type { Transfer } from "../../gateway/http/body/transfer";
import type { FieldKey, FieldSpec } from "../../shared/fields/field-spec";
import type { FieldValues } from "../fields/field-reader";
import type { RuntimePaths } from "./protected-files";
import type { TransferFacts } from "./send-result";

export type ChannelConfig = Readonly<Record<string, unknown>>;

/** The values of a channel's fields by the service's names. A field that is not sent has no entry. */
export type ValuesOf<Specs extends readonly FieldSpec[]> = { [Key in FieldKey<Specs>]?: unknown };

/** The request of a message without recipients, which transfers a file. */
export interface MediaRequest {
  readonly fields: FieldValues;
  readonly transfer: Transfer;
  /** The word of the badge while the transfer is under way. */
  readonly progress: "downloading" | "uploading";
  /**
   * Writes the outcome into the message.
   * @param accepted whether the service accepted the request
   * @returns what the result says about the file
   */
  readonly finish: (message: NodeMessage, verdict: Verdict, accepted: boolean) => TransferFacts;
}

/** Builds the fields of one request, except the recipients. */
export type ComposeBatch = (recipients: readonly string[]) => FieldValues;

/**
 * Describes a channel: the fields of its send node and the operations that they stand for. `Specs` is the channel's field
 * table, so that a name that the table does not have is a type error.
 */
export interface ChannelDefinition<Specs extends readonly FieldSpec[] = readonly FieldSpec[]> {
  /** Name of the channel in errors, such as `SMS`. */
  readonly label: string;
  /** Values of the node's property `kind`; absent where the node has no such choice. */
  readonly messageKinds?: readonly string[];
  /** The fields of all message kinds. Each field names the kinds for which it exists. */
  readonly fields: Specs;
  /** Key of the field that holds the recipients; null for a channel without recipients, whose messages are one request. */
  readonly recipients: FieldKey<Specs> | null;
  /** Whether a message is an SMS, flash or not, which only mobile phones receive. */
  readonly isSms?: (values: ValuesOf<Specs>) => boolean;
  /** Whether a message is a call that speaks its text; absent where none is. */
  readonly isSpoken?: (values: ValuesOf<Specs>) => boolean;
  /**
   * The key of a field without which there is nothing to do: such a message leaves as it is, by the output behind those of the outcomes.
   * Null where the node has no such output; absent for channels that never have.
   */
  readonly mayLack?: (config: ChannelConfig) => FieldKey<Specs> | null;
  /** Checks the settings before the first message. @throws SetupError */
  readonly check?: (config: ChannelConfig) => void;
  /** Chooses the operation from the values and the node's configuration. */
  readonly choose: (values: ValuesOf<Specs>, config: ChannelConfig) => OperationId;
  /**
   * Builds the fields of the requests; without it, the values are sent as they are. Called once for each message. The
   * function that it returns is called once for each request.
   * @param recipients all recipients of the message, digits without plus; at least one
   * @throws FieldError; then nothing is sent
   */
  readonly compose?: (
    values: ValuesOf<Specs>,
    recipients: readonly string[],
    config: ChannelConfig,
  ) => ComposeBatch;
  /**
   * Prepares the request of a message without recipients. It may access the disk.
   * @param paths location of Node-RED's own files; relative paths start at its user directory
   * @throws FieldError, SetupError
   */
  readonly prepare?: (
    values: ValuesOf<Specs>,
    config: ChannelConfig,
    paths: RuntimePaths,
  ) => Promise<MediaRequest>;
  /** Warnings about unusual values that are sent nevertheless. */
  readonly warn?: (values: ValuesOf<Specs>) => string[];
}
