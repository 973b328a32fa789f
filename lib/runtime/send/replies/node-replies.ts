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
import { blockVerdictOf } from "../../guards/block-verdict-of";
import { DeliveryRules } from "../../guards/delivery-rules";
import { ruleRecipient } from "../../guards/divide-by-hours";
import { isInside } from "../../guards/divide-by-window";
import type { CheckedRecipients } from "../../guards/recipient-guard";
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
  /** Whether it is a flash SMS. */
  readonly flash: boolean;
  /** Billed messages. */
  readonly cost: number;
  /** Epoch ms at which its sending hours begin; null within them. */
  readonly leavesAt: number | null;
  /** Epoch ms until which a limit of the account that is used up holds it back; null where none does. */
  readonly heldUntil: number | null;
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

/** What was found out about a reply. */
interface Facts {
  readonly digits: string;
  readonly msg: { readonly _msgid: string };
  readonly values: FieldValues;
  readonly asked: RequestRules;
  readonly optedOut: boolean;
  /** Epoch ms. */
  readonly now: number;
}

const offered = new WeakMap<Node, NodeReplies>();

/** Makes the requests of texts that a person types, with the settings of one send node. Does nothing before the first one. */
export class NodeReplies {
  #prepared: Prepared | null = null;

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
      const prepared = this.#prepared ?? this.#orWhy(() => this.#prepare());
      if (typeof prepared === "function") {
        return prepared;
      }
      this.#prepared = prepared;
      return await this.#read(prepared, digits, text, clientMessageId);
    } catch (error) {
      // What fails later than at once cannot be said anew.
      const message = this.#said(error);
      return () => message;
    }
  }

  /** What a fault says to people. @throws any other error; that of the store too, which may work again in a moment */
  #said(error: unknown): string {
    if (!(error instanceof MessagingError) || error instanceof StoreError) {
      throw error;
    }
    return error instanceof FieldError ? error.named(this.context.setup.names).message : error.message;
  }

  /** Does something. Where that fails, it is done again for whoever reads why: the fault is said in that language then. */
  #orWhy<Made extends object>(work: () => Made): Made | Why {
    try {
      return work();
    } catch (error) {
      const before = this.#said(error);
      return () => {
        try {
          work();
          return before;
        } catch (again) {
          return this.#said(again);
        }
      };
    }
  }

  /** @throws FieldError, SetupError */
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
    const ready = await this.context.setup.ready();
    if (ready.outbox === null) {
      return because("send.reply.memory");
    }
    const msg = { _msgid: this.context.RED.util.generateId() };
    const fixed = this.#orWhy(() => reader.read(msg));
    if (typeof fixed === "function") {
      return fixed;
    }
    const values: FieldValues = { ...(await fixed), [field]: text, clientMessageId };
    const fault = faultIn(values, text);
    if (fault !== null) {
      return fault;
    }
    const { access, account } = ready;
    const now = Date.now();
    const asked = rules.read({ values, asked: {}, sensitive: false }, now, access.zone, [digits]);
    // Without hours, it is only looked up who has opted out.
    const around = { hours: null, zone: access.zone, now };
    const { held } = await ruleRecipients([digits], asked, around, account.ruleLists);
    const optedOut = held.length > 0;
    const reply = this.#orWhy(() =>
      this.#decide({ ...ready, reader }, { digits, msg, values, asked, optedOut, now }),
    );
    if (typeof reply === "function") {
      return reply;
    }
    const leaves = Math.max(now, reply.leavesAt ?? 0, reply.heldUntil ?? 0);
    return reply.request.operation !== "whatsapp-text" || (await this.#isOpen(ready, values, digits, leaves))
      ? reply
      : because("send.reply.window");
  }

  /** Everything about a reply that nothing has to be waited for. @throws MessagingError where it would not be sent */
  #decide(ready: Ready, { digits, msg, values, asked, optedOut, now }: Facts): ReadyReply {
    const { channel, config, node, setup, identity } = this.context;
    const { access, outbox } = ready;
    const { guard, hours, zone, limits, state } = access;
    const numbers = [digits];
    // Of one recipient a guard says it at once.
    const guarded = guard?.check(numbers, { sms: channel.isSms?.(values) ?? false }) as
      | CheckedRecipients
      | undefined;
    const [blocked] = guarded === undefined ? [] : guarded.held;
    if (blocked !== undefined) {
      throw refusal(blocked.verdict);
    }
    if (optedOut) {
      throw refusal(blockVerdictOf({ fault: "OPTED_OUT", numbers }));
    }
    const rules = ruleRecipient(digits, asked, { hours, zone, now });
    if ("fault" in rules) {
      throw refusal(rules);
    }
    const { limit } = state.current;
    const isSpent = limit?.reached === true && limit.ends > (rules.opens ?? now);
    if (isSpent && limits?.refuses) {
      const { period, limit: most, ends: until } = limit;
      throw refusal(
        blockVerdictOf({
          fault: "LIMIT_REACHED",
          numbers,
          per: "account",
          period,
          limit: most,
          until,
          zone: limits.zone,
        }),
      );
    }
    const operation = channel.choose(values, config);
    const message = { msg, send: () => {}, operation, values, accepted: numbers };
    const job = new SendJob(this.context, ready, { ...message, prepared: null, otherwise: null }, 1);
    const request = requestOf(job, digits, rules);
    outbox?.prepare(job.batch(partOf(digits, rules)));
    const { senderAddress } = values;
    return {
      request,
      channel: this.channel,
      sender: typeof senderAddress === "string" && senderAddress !== "" ? senderAddress : null,
      flash: values.sendAsFlashSms === true,
      cost: rules.cost,
      leavesAt: rules.opens,
      heldUntil: isSpent ? limit.ends : null,
      job: { node: identity, channel: job.channelName, snapshot: typedSnapshot(job) },
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

const refusal = ({ statusName, statusMessage, advice }: Verdict): MessagingError =>
  new MessagingError(statusName, `${statusMessage} ${advice}`.trim());

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
