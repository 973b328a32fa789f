import type { NodeMessage } from "node-red";
import type { Verdict } from "../../gateway/codec/verdict";
import type { OperationId } from "../../gateway/contract/operations";
import type { Transfer } from "../../gateway/http/body/transfer";
import type { Values } from "../../shared/fields/initial-values";
import type { FieldKey, FieldSpec } from "../../shared/fields/field-spec";
import type { LabelsByLanguage } from "../../texts/field-labels";
import type { FieldValues } from "../fields/field-reader";
import type { RuntimePaths } from "./protected-files";
import type { TransferFacts } from "./send-result";

export type ChannelConfig = Readonly<Record<string, unknown>>;

export type ValuesOf<Specs extends readonly FieldSpec[]> = { [Key in FieldKey<Specs>]?: unknown };

export interface MediaRequest {
  readonly fields: FieldValues;
  readonly transfer: Transfer;
  readonly progress: "downloading" | "uploading";
  readonly finish: (message: NodeMessage, verdict: Verdict, accepted: boolean) => TransferFacts;
}

export type ComposeBatch = (recipients: readonly string[]) => FieldValues;

export interface ChannelDefinition<Specs extends readonly FieldSpec[] = readonly FieldSpec[]> {
  readonly label: string;
  readonly labels: LabelsByLanguage;
  /** Values of the properties that a node may lack. */
  readonly initial: Values;
  /** Values of the node's property `kind`; absent if the node has no such choice. */
  readonly messageKinds?: readonly string[];
  readonly fields: Specs;
  /** Key of the field with the recipients; null for a channel without them, whose messages are one request. */
  readonly recipients: FieldKey<Specs> | null;
  readonly isSms?: (values: ValuesOf<Specs>) => boolean;
  readonly isSpoken?: (values: ValuesOf<Specs>) => boolean;
  /** Key of a field without which a message passes unchanged; null for a node without such an output. */
  readonly mayLack?: (config: ChannelConfig) => FieldKey<Specs> | null;
  readonly check?: (config: ChannelConfig) => void;
  readonly choose: (values: ValuesOf<Specs>, config: ChannelConfig) => OperationId;
  /** Called once for each message. @throws FieldError; then nothing is sent */
  readonly compose?: (
    values: ValuesOf<Specs>,
    recipients: readonly string[],
    config: ChannelConfig,
  ) => ComposeBatch;
  /** It may access the disk. @throws FieldError, SetupError */
  readonly prepare?: (
    values: ValuesOf<Specs>,
    config: ChannelConfig,
    paths: RuntimePaths,
  ) => Promise<MediaRequest>;
  readonly warn?: (values: ValuesOf<Specs>) => string[];
}
