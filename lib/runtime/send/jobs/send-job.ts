import { randomUUID } from "node:crypto";
import type { NodeMessage } from "node-red";
import { fieldVerdict, localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import type { Batch } from "../../../gateway/queue/dispatcher";
import { OPERATIONS, type OperationId } from "../../../gateway/contract/operations";
import { findIdProblem } from "../../../gateway/contract/well-formed";
import { FieldError } from "../../../shared/messaging-error";
import { say } from "../../../texts/say";
import type { AccountAccess } from "../../account/account-sending";
import type { FieldValues } from "../../fields/field-reader";
import type { JobOutput } from "./job-output";
import type { Part } from "../parts/message-parts";
import { partId } from "../../channels/part-id";
import { type MessagePlaces, partMessage, PartsStamp } from "../parts/part-messages";
import type { Send } from "../message-end";
import type {
  ComposeBatch,
  ChannelConfig,
  MediaRequest,
  ChannelDefinition,
} from "../../channels/channel-definition";
import type { SendContext } from "../send-context";
import type { Ready } from "../send-setup";

export interface ReadMessage {
  readonly msg: NodeMessage;
  readonly send: Send;
  readonly operation: OperationId;
  readonly values: FieldValues;
  readonly accepted: readonly string[];
  /** Null for a channel with recipients. */
  readonly prepared: MediaRequest | null;
}

/** Returns a UUID version 7: it grows with time, so an index of many grows at its end. */
function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const NO_PROGRESS = (): void => {};

const copyWithout = (values: FieldValues, omitted: string | null): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== omitted));

/** @throws FieldError */
function composer(
  { recipients, compose }: ChannelDefinition,
  values: FieldValues,
  accepted: readonly string[],
  config: ChannelConfig,
): ComposeBatch {
  const composed =
    compose && accepted.length > 0 ? compose(copyWithout(values, recipients), accepted, config) : undefined;
  return composed ?? (() => copyWithout(values, recipients));
}

export class SendJob implements JobOutput {
  readonly msg: NodeMessage;
  readonly send: Send;
  readonly access: AccountAccess;
  readonly operation: OperationId;
  readonly prepared: MediaRequest | null;
  readonly test: boolean;
  readonly spoken: boolean;
  readonly stamp: PartsStamp | null;
  readonly #compose: ComposeBatch;
  /** Client message id of the whole message. */
  readonly clientMessageId: string;
  readonly places: MessagePlaces;
  template: FieldValues | null = null;

  /** @throws FieldError */
  constructor(
    private readonly context: SendContext,
    { reader, access }: Ready,
    read: ReadMessage,
    count: number,
  ) {
    const { RED, channel, config, resultProperty } = context;
    const { msg, send, operation, values, accepted, prepared } = read;
    this.msg = msg;
    this.send = send;
    this.access = access;
    this.operation = operation;
    this.prepared = prepared;
    this.test = values.test === true;
    this.spoken = channel.isSpoken?.(values) ?? false;
    this.stamp = count > 1 ? new PartsStamp(RED.util.generateId(), count, resultProperty, msg.parts) : null;
    const list = channel.recipients === null ? null : reader.messageProperty(channel.recipients);
    this.places = { list, id: reader.messageProperty("clientMessageId") };
    this.#compose = composer(channel, values, accepted, config);
    const { row } = send;
    const { clientMessageId: given } = values;
    const problem = typeof given === "string" ? findIdProblem(given) : null;
    if (problem !== null) {
      throw new FieldError("FIELD_INVALID", "clientMessageId", problem);
    }
    const id = typeof given === "string" && given !== "" ? given : newUuid();
    this.clientMessageId = row === undefined ? id : partId(id, { index: row }, true);
  }

  /** Voice messages have their own channel name, although SMS nodes send them. */
  get channelName(): string {
    return this.spoken ? "Voice" : this.context.channel.label;
  }

  idOf(part: Part): string {
    return part.late?.clientMessageId ?? partId(this.clientMessageId, part, this.stamp !== null);
  }

  /** @param progress receives transferred and total bytes; null for an unknown total @throws FieldError NO_APPLICATION */
  batch(part: Part, progress: (done: number, total: number | null) => void = NO_PROGRESS): Batch {
    const { prepared, operation } = this;
    if (prepared !== null) {
      return { operation, fields: prepared.fields, transfer: { ...prepared.transfer, progress } };
    }
    const { recipients, application } = OPERATIONS[operation];
    const fields = this.#compose(part.recipients);
    if (operation === "whatsapp-template") {
      this.template = fields;
    }
    if (application && fields.applicationId === undefined) {
      fields.applicationId = this.#applicationId();
    }
    if (recipients !== null) {
      const numbers = recipients.plus ? part.recipients.map((digits) => `+${digits}`) : part.recipients;
      fields[recipients.field] = recipients.many ? numbers : numbers[0];
    }
    fields.clientMessageId = this.idOf(part);
    return { operation, fields };
  }

  #applicationId(): string {
    const { applicationId } = this.access;
    if (applicationId === "") {
      throw new FieldError("NO_APPLICATION", "applicationId", say("send.NO_APPLICATION"));
    }
    return applicationId;
  }

  faultOf(error: unknown): Verdict {
    return error instanceof FieldError
      ? fieldVerdict(error.named(this.context.setup.names))
      : localVerdict("FIELD_INVALID", (error as Error).message);
  }

  message(part: Part, clientMessageId: string | null): NodeMessage {
    return partMessage(this.context.RED, this.msg, this.places, this.stamp, part, clientMessageId);
  }
}
