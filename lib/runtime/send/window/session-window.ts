import type { Node, NodeAPI, NodeMessage } from "node-red";
import { fieldVerdict, localVerdict } from "../../../gateway/codec/verdict";
import type { OperationId } from "../../../gateway/contract/operations";
import { FieldError, type NameOf } from "../../../shared/messaging-error";
import { inSlices } from "../../../shared/async/in-slices";
import { StoreError } from "../../../store/engine/store-error";
import type { ChannelConfig, ChannelDefinition } from "../../channels/channel-definition";
import { FieldReader, type FieldValues } from "../../fields/field-reader";
import { personalSources } from "../../fields/personal-field";
import type { DividedRecipients } from "../../guards/divide-by-hours";
import { divideByWindow, heldOutside } from "../../guards/divide-by-window";

/** What people get instead of a message. */
export interface OtherContent {
  readonly operation: OperationId;
  readonly values: FieldValues;
  /** Settings of the node that stand for the operation. */
  readonly config: ChannelConfig;
}

/** When numbers last wrote to an application: epoch ms, of those of which it is known. @throws SetupError, StoreError */
export type LastInbound = (
  application: string,
  numbers: readonly string[],
) => Promise<ReadonlyMap<string, number>>;

/** What a message is sent as outside the window: its fields, or what is wrong with one of them; null where nothing is sent. */
export type ReadOtherwise = OtherContent | FieldError | null;

export interface WindowedMessage {
  /** Application that it is sent from. */
  readonly application: string;
  readonly otherwise: ReadOtherwise;
  /** IANA name of the zone in which times are said. */
  readonly zone: string;
  /**
   * Checks what would be sent to somebody.
   * @param operation of those outside; undefined for the message itself
   * @throws FieldError, SetupError
   */
  readonly check: (recipient: string, operation?: OperationId) => void;
  readonly names: NameOf;
}

/** What the messages of a send node become for people outside the window in which they can be written to freely. */
export class SessionWindow {
  /** Reads what is sent instead; a fault of a field is that of each message for somebody outside. Null where nothing is sent. */
  readonly #reader: FieldReader | FieldError | null;

  private constructor(
    RED: NodeAPI,
    node: Node,
    private readonly channel: ChannelDefinition,
    private readonly otherwise: ChannelConfig | null,
  ) {
    this.#reader = otherwise && readerOf(RED, node, channel, otherwise);
  }

  /** @returns null for a node whose messages are the same inside and outside */
  static of(
    RED: NodeAPI,
    node: Node,
    channel: ChannelDefinition,
    config: ChannelConfig,
  ): SessionWindow | null {
    const rule = channel.window?.(config) ?? null;
    return rule && new SessionWindow(RED, node, channel, rule.otherwise);
  }

  /** Whether a later read gives the same values. */
  get quick(): boolean {
    return !(this.#reader instanceof FieldReader) || this.#reader.quick;
  }

  /** Reads what is sent to people outside. A wrong field concerns nobody inside, so it is no error yet. */
  read(msg: NodeMessage): ReadOtherwise | Promise<ReadOtherwise> {
    if (!(this.#reader instanceof FieldReader)) {
      return this.#reader;
    }
    try {
      const values = this.#reader.read(msg);
      return values instanceof Promise
        ? values.then((read) => this.#contentOf(read)).catch(faultOf)
        : this.#contentOf(values);
    } catch (error) {
      return faultOf(error);
    }
  }

  #contentOf(values: FieldValues): OtherContent {
    const config = this.otherwise ?? {};
    return { operation: this.channel.choose(values, config), values, config };
  }

  /**
   * Divides the recipients that leave: those inside get the message, those outside what is sent instead, or nothing.
   * @throws FieldError where the message itself is wrong for those inside: nothing is sent then, SetupError
   */
  async divide(
    divided: DividedRecipients,
    message: WindowedMessage,
    lastInbound: LastInbound,
  ): Promise<DividedRecipients> {
    const numbers: string[] = [];
    for (const { recipients } of divided.leaving) {
      await inSlices(recipients, (slice) => void numbers.push(...slice));
    }
    if (numbers.length === 0) {
      return divided;
    }
    const { application, otherwise, zone, check, names } = message;
    let last: ReadonlyMap<string, number>;
    try {
      last = await lastInbound(application, numbers);
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      const verdict = localVerdict("STORE_UNAVAILABLE", error.message);
      return { leaving: [], held: [...divided.held, { recipients: numbers, verdict }] };
    }
    const operation = otherwise === null || otherwise instanceof FieldError ? null : otherwise.operation;
    const found = await divideByWindow(divided.leaving, last, Date.now(), operation);
    const [inside] = found.inside;
    const [outside] = found.outside;
    if (inside !== undefined) {
      // Where the first request shows that a field is wrong nothing is sent, so it must not matter who comes first.
      check(inside);
    }
    if (outside === undefined) {
      return { ...divided, leaving: found.leaving };
    }
    if (otherwise === null) {
      return { leaving: found.leaving, held: [...divided.held, heldOutside(found.outside, last, zone)] };
    }
    const fault = operation === null ? (otherwise as FieldError) : faultIn(() => check(outside, operation));
    if (fault === null) {
      return { ...divided, leaving: found.leaving };
    }
    const verdict = { ...fieldVerdict(fault.named(names)), parameter: fault.field };
    return {
      leaving: found.leaving.filter((group) => group.operation === undefined),
      held: [...divided.held, { recipients: found.outside, verdict }],
    };
  }
}

/** The reader of what is sent instead; a literal that can never work is a fault of each message, not of the node. */
function readerOf(
  RED: NodeAPI,
  node: Node,
  { fields, recipients }: ChannelDefinition,
  config: ChannelConfig,
): FieldReader | FieldError {
  const content = fields.filter(({ name }) => name !== recipients);
  const list = fields.find(({ name }) => name === recipients);
  try {
    return new FieldReader(RED, node, content, config, false, personalSources(config, list));
  } catch (error) {
    return faultOf(error);
  }
}

function faultOf(error: unknown): FieldError {
  if (error instanceof FieldError) {
    return error;
  }
  throw error;
}

function faultIn(check: () => void): FieldError | null {
  try {
    check();
    return null;
  } catch (error) {
    return faultOf(error);
  }
}
