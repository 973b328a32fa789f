import type { Node } from "node-red";
import { contentOf } from "../../../gateway/queue/stored-content";
import type { Verdict } from "../../../gateway/codec/verdict";
import { CHANNEL_OF_TYPE, type MessageChannel } from "../../../shared/message-channel";
import { FieldError, MessagingError } from "../../../shared/messaging-error";
import { segmentsOf } from "../../../shared/sms-segments";
import { StoreError } from "../../../store/engine/store-error";
import { NO_RULES, type RequestRules } from "../../../store/guards/request-rules";
import type { NewJob, NewRequest } from "../../../store/jobs/jobs";
import { fieldLabel } from "../../../texts/field-labels";
import { FieldReader, type FieldValues } from "../../fields/field-reader";
import { DeliveryRules } from "../../guards/delivery-rules";
import { isInside } from "../../guards/divide-by-window";
import { ruleRecipients } from "../../guards/rule-recipients";
import { SendJob } from "../jobs/send-job";
import type { SendContext } from "../send-context";
import type { Ready } from "../send-setup";
import { typedSnapshot } from "../snapshot";
import { because, replySettings, type ReplySettings, type Why } from "./reply-settings";

/** A typed text as the request that would be sent. */
export interface ReadyReply {
  readonly request: NewRequest;
  readonly channel: MessageChannel;
  /** Sender of an SMS; null where the node has none. */
  readonly sender: string | null;
  /** Billed messages. */
  readonly cost: number;
  /** Epoch ms; null for at once. */
  readonly leavesAt: number | null;
  readonly job: Pick<NewJob, "node" | "channel" | "snapshot">;
  /** Whether the node still is the one that this was read of. */
  readonly isCurrent: () => boolean;
}

export const isRefusal = (found: ReadyReply | Why): found is Why => typeof found === "function";

/** What a reply needs of the set-up of its node: read once, without what messages of the flow bring. */
interface Prepared extends ReplySettings {
  readonly reader: FieldReader;
  readonly rules: DeliveryRules;
}

const offered = new WeakMap<Node, NodeReplies>();

/** Makes the requests of texts that a person types, with the settings of one send node. Does nothing before the first one. */
export class NodeReplies {
  #prepared: Prepared | Why | null = null;

  /** @param isCurrent false once the node closes, or hands over to its successor */
  private constructor(
    private readonly context: SendContext,
    private readonly isCurrent: () => boolean,
  ) {}

  /** Lets people reply by a node that sends to people; does nothing for others. */
  static offer(context: SendContext, isCurrent: () => boolean): void {
    if (CHANNEL_OF_TYPE.has(context.node.type)) {
      offered.set(context.node, new NodeReplies(context, isCurrent));
    }
  }

  /** Null for a node that sends to nobody. */
  static of(node: Node): NodeReplies | null {
    return offered.get(node) ?? null;
  }

  get channel(): MessageChannel {
    return CHANNEL_OF_TYPE.get(this.context.node.type) as MessageChannel;
  }

  /**
   * The request of a text, as the node and its account would send it now.
   * @param digits of the person, without plus
   * @param clientMessageId of the request
   * @returns why nothing would be sent
   * @throws StoreError (as a rejection)
   */
  async read(digits: string, text: string, clientMessageId: string): Promise<ReadyReply | Why> {
    try {
      this.#prepared ??= this.#prepare();
      const prepared = this.#prepared;
      return typeof prepared === "function"
        ? prepared
        : await this.#read(prepared, digits, text, clientMessageId);
    } catch (error) {
      if (error instanceof FieldError) {
        const { message } = error.named(this.context.setup.names);
        return () => message;
      }
      // Not the store, which may work again in a moment.
      if (error instanceof MessagingError && !(error instanceof StoreError)) {
        return () => error.message;
      }
      throw error;
    }
  }

  #prepare(): Prepared | Why {
    const { RED, node, config, channel } = this.context;
    const settings = replySettings(channel, config, (name) => fieldLabel(node.type, name) ?? name);
    if (typeof settings === "function") {
      return settings;
    }
    const reader = new FieldReader(RED, node, settings.fixed, config);
    // Also where the node confirms opt-outs: a typed text is no confirmation.
    const rules = new DeliveryRules(channel, { ...config, alsoOptedOut: false }, reader);
    return { ...settings, reader, rules };
  }

  async #read(
    { reader, rules, text: field }: Prepared,
    digits: string,
    text: string,
    clientMessageId: string,
  ): Promise<ReadyReply | Why> {
    const { RED, channel, config, node, setup, identity } = this.context;
    const ready = await setup.ready();
    const { outbox, access, account } = ready;
    if (outbox === null) {
      return because("send.reply.memory");
    }
    const msg = { _msgid: RED.util.generateId() };
    const values: FieldValues = { ...(await reader.read(msg)), [field]: text, clientMessageId };
    const fault = faultIn(values, text);
    if (fault !== null) {
      return fault;
    }
    const operation = channel.choose(values, config);
    const recipients = [digits];
    const { guard, hours, zone } = access;
    const guarded = await guard?.check(recipients, { sms: channel.isSms?.(values) ?? false });
    const now = Date.now();
    const asked = rules.read({ values, asked: {}, sensitive: false }, now, zone, recipients);
    const ruled = await ruleRecipients(recipients, asked, { hours, zone, now }, account.ruleLists);
    const [held] = [...(guarded?.held ?? []), ...ruled.held];
    const [leaving] = ruled.leaving;
    if (held !== undefined || leaving === undefined) {
      return () => (held === undefined ? "" : sentenceOf(held.verdict));
    }
    const { opens } = leaving.rules;
    const message = { msg, send: () => {}, operation, values, accepted: recipients };
    const job = new SendJob(
      this.context,
      { ...ready, reader },
      { ...message, prepared: null, otherwise: null },
      1,
    );
    const request = requestOf(job, digits, leaving.rules);
    outbox.prepare(job.batch(partOf(digits, leaving.rules)));
    if (operation === "whatsapp-text" && !(await this.#isOpen(ready, values, digits, opens ?? now))) {
      return because("send.reply.window");
    }
    return {
      request,
      channel: this.channel,
      sender:
        typeof values.senderAddress === "string" && values.senderAddress !== "" ? values.senderAddress : null,
      cost: leaving.rules.cost,
      leavesAt: opens,
      job: { node: identity, channel: channel.label, snapshot: typedSnapshot(job) },
      isCurrent: () => this.isCurrent() && setup.opened?.access === access && offered.get(node) === this,
    };
  }

  /** Whether the person can be written to freely at a time. What the account does not know counts as no: the service would refuse it. */
  async #isOpen(
    { account, access }: Ready,
    values: FieldValues,
    digits: string,
    at: number,
  ): Promise<boolean> {
    const { applicationId = access.applicationId } = values;
    const last = await account.lastInbound(String(applicationId), [digits]);
    return isInside(last.get(digits), at);
  }
}

/** What of the values would make something else than one message of this text. */
function faultIn({ test, messageType, maxSmsPerMessage }: FieldValues, text: string): Why | null {
  if (messageType === "voice") {
    return because("send.reply.voice");
  }
  if (test === true) {
    return because("send.reply.test");
  }
  const segments = segmentsOf(text);
  return typeof maxSmsPerMessage === "number" && maxSmsPerMessage > 0 && segments > maxSmsPerMessage
    ? because("send.reply.too-long", { n: segments, most: maxSmsPerMessage })
    : null;
}

const sentenceOf = ({ statusMessage, advice }: Verdict): string => `${statusMessage} ${advice}`.trim();

const partOf = (digits: string, rules: RequestRules) => ({
  index: 0,
  recipients: [digits],
  fault: null,
  invalid: false,
  rules,
});

/** @throws FieldError */
function requestOf(job: SendJob, digits: string, rules: RequestRules): NewRequest {
  const part = partOf(digits, rules);
  return {
    part: 0,
    operation: job.operation,
    priority: 0,
    clientMessageId: job.idOf(part),
    content: contentOf(job.batch(part)),
    recipients: part.recipients,
    ...(rules !== NO_RULES && { rules }),
  };
}
