import type { NodeAPI, NodeMessage } from "node-red";
import type { Batch } from "../../gateway/queue/dispatcher";
import { OPERATIONS, type OperationId } from "../../gateway/contract/operations";
import { SetupError } from "../../shared/messaging-error";
import type { AccountAccess } from "../account/account";
import { PartsStamp, withProperty } from "./batch-message";
import type { FieldReader, FieldValues } from "../fields/field-reader";
import type { Part } from "./message-parts";
import { newUuid } from "./new-uuid";
import type { Send } from "./result-outlet";
import type {
  ComposeBatch,
  ChannelConfig,
  MediaRequest,
  ChannelDefinition,
} from "../channels/channel-definition";
import type { Ready } from "./send-setup";

/** A message that was read, and what it means. */
export interface ReadMessage {
  readonly msg: NodeMessage;
  readonly send: Send;
  readonly operation: OperationId;
  readonly values: FieldValues;
  /** Of all its recipients, those that something can be sent to. */
  readonly accepted: readonly string[];
  /** Where the kind has no recipients. */
  readonly prepared: MediaRequest | null;
}

/** Not by spread: what is added to such a copy has the engine make a class of its own for each message. */
function copyWithout(values: FieldValues, left: string | null): FieldValues {
  const copy: FieldValues = {};
  for (const name of Object.keys(values)) {
    if (name !== left) {
      copy[name] = values[name];
    }
  }
  return copy;
}

/** @throws FieldError */
function composer(
  { recipients, compose }: ChannelDefinition,
  { values, accepted }: ReadMessage,
  config: ChannelConfig,
): ComposeBatch {
  const composed =
    compose && accepted.length > 0 ? compose(copyWithout(values, recipients), accepted, config) : undefined;
  return composed ?? (() => copyWithout(values, recipients));
}

/** One message at work: its requests, their ids, and the messages that their results leave with. */
export class SendJob {
  readonly msg: NodeMessage;
  readonly send: Send;
  readonly access: AccountAccess;
  readonly operation: OperationId;
  readonly prepared: MediaRequest | null;
  /** The message only pretends to be sent. */
  readonly test: boolean;
  /** Null where the message is a single request. */
  readonly stamp: PartsStamp | null;
  readonly #reader: FieldReader;
  readonly #compose: ComposeBatch;
  readonly #clientMessageId: string;

  /**
   * @param count requests that the message means
   * @param resultProperty path in `msg` without `msg.`
   * @throws FieldError
   */
  constructor(
    private readonly RED: NodeAPI,
    private readonly channel: ChannelDefinition,
    config: ChannelConfig,
    { reader, access }: Ready,
    read: ReadMessage,
    count: number,
    resultProperty: string,
  ) {
    const { msg, send, operation, values, prepared } = read;
    this.msg = msg;
    this.send = send;
    this.access = access;
    this.operation = operation;
    this.prepared = prepared;
    this.test = values.test === true;
    this.stamp = count > 1 ? new PartsStamp(RED, count, resultProperty, msg.parts) : null;
    this.#reader = reader;
    this.#compose = composer(channel, read, config);
    const given = values.clientMessageId;
    this.#clientMessageId = typeof given === "string" && given !== "" ? given : newUuid();
  }

  idOf({ index }: Part): string {
    return this.stamp === null ? this.#clientMessageId : `${this.#clientMessageId}-${index + 1}`;
  }

  /**
   * What the dispatcher is to send for a part.
   * @param progress told how many bytes of a file were moved, and of how many, where that is known
   * @throws SetupError NO_APPLICATION
   */
  batch(part: Part, progress: (done: number, total: number | null) => void): Batch {
    const { operation, prepared } = this;
    if (prepared !== null) {
      return { operation, fields: prepared.fields, transfer: { ...prepared.transfer, progress } };
    }
    const { recipients, application } = OPERATIONS[operation];
    const fields = this.#compose(part.recipients);
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
      throw new SetupError(
        "NO_APPLICATION",
        "Neither the node nor its account says which application sends. Open the account and type in the application id that the provider gave you.",
      );
    }
    return applicationId;
  }

  /**
   * The message that a part which did not leave can be sent again with; null where the message does not say its
   * recipients, so that all of them would be sent to again.
   */
  unsent(part: Part): NodeMessage | null {
    if (this.stamp === null) {
      return this.msg;
    }
    const { recipients } = this.channel;
    const restricted = recipients !== null && this.#reader.messageProperty(recipients) !== null;
    return restricted ? this.message(part, this.idOf(part)) : null;
  }

  /** The message that a result leaves with: the one that came, or a copy of it for each part of a split. */
  message(part: Part, clientMessageId: string | null): NodeMessage {
    const { RED, msg, stamp } = this;
    const idProperty = this.#reader.messageProperty("clientMessageId");
    if (stamp === null) {
      if (idProperty !== null && clientMessageId !== null) {
        RED.util.setMessageProperty(msg, idProperty, clientMessageId, true);
      }
      return msg;
    }
    const { recipients } = this.channel;
    const listProperty = recipients === null ? null : this.#reader.messageProperty(recipients);
    let message = listProperty === null ? { ...msg } : withProperty(RED, msg, listProperty, part.recipients);
    if (idProperty !== null && clientMessageId !== null) {
      message = withProperty(RED, message, idProperty, clientMessageId);
    }
    message.parts = stamp.at(part.index);
    return message;
  }
}
