import type { RuntimePaths } from "./own-files";
import type { NodeMessage } from "node-red";
import type { OperationId } from "../../gateway/contract/operations";
import type { Transfer } from "../../gateway/http/body/transfer";
import type { Verdict } from "../../gateway/codec/verdict";
import type { FieldSpec } from "../../shared/fields/field-spec";
import type { FieldValues } from "../fields/field-reader";
import type { TransferFacts } from "./send-result";

/** A node's configuration. */
export type ChannelConfig = Readonly<Record<string, unknown>>;

/** What a message without recipients means: one request that moves a file. */
export interface MediaRequest {
  /** What the operation carries. */
  readonly fields: FieldValues;
  readonly transfer: Transfer;
  /** How the badge calls it while it is under way. */
  readonly progress: "downloading" | "uploading";
  /**
   * Puts what came of it into the message.
   * @param accepted whether the service did what was asked for
   * @returns what the result says besides
   */
  readonly finish: (message: NodeMessage, verdict: Verdict, accepted: boolean) => TransferFacts;
}

/** Builds what the request to some of a message's recipients carries, themselves excepted. */
export type ComposeBatch = (recipients: readonly string[]) => FieldValues;

/** What makes one send node different from another: its fields, and which operation they mean. */
export interface ChannelDefinition {
  /** How an error names what is sent, e.g. `SMS`. */
  readonly label: string;
  /** The settings of the node's `kind`, the initial one first, where it has that choice. */
  readonly messageKinds?: readonly string[];
  /** Other settings of the node that its fields depend on, as a new node has them. */
  readonly settings?: ChannelConfig;
  /** The fields of all settings of the node's `kind`; each says for which of them it exists. */
  readonly fields: readonly FieldSpec[];
  /** Name of the field that holds the recipients, in `fields`; null where there are none: always one request. */
  readonly recipients: string | null;
  /** Looks at the settings before the first message. @throws SetupError */
  readonly check?: (config: ChannelConfig) => void;
  /** Chooses the operation from the values and the node's configuration. */
  readonly choose: (values: FieldValues, config: ChannelConfig) => OperationId;
  /**
   * Builds what the operation carries, where that is not the fields themselves: called once for a message, and
   * what it returns once for each of its batches.
   * @param recipients all of the message, digits without plus; at least one
   * @throws FieldError; then nothing is sent
   */
  readonly compose?: (
    values: FieldValues,
    recipients: readonly string[],
    config: ChannelConfig,
  ) => ComposeBatch;
  /**
   * Makes ready what a message without recipients moves; it may take a look at the disk.
   * @param paths where Node-RED's own files are: paths that are not complete begin in its user directory
   * @throws FieldError, SetupError
   */
  readonly prepare?: (
    values: FieldValues,
    config: ChannelConfig,
    paths: RuntimePaths,
  ) => Promise<MediaRequest>;
  /** What looks odd but is sent all the same. */
  readonly warn?: (values: FieldValues) => string[];
}
