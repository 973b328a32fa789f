import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type FieldSpec, fieldsOf, sourceProperty } from "../../shared/fields/field-spec";
import { RULE_FIELDS } from "../../shared/fields/rule-fields";
import { CHANNEL_OF_TYPE, type MessageChannel } from "../../shared/message-channel";
import type { ChannelConfig, ChannelDefinition } from "../channels/channel-definition";
import type { SendResult } from "../channels/send-result";
import { fieldName } from "../fields/compile-field";
import { FieldReader, type FieldValues } from "../fields/field-reader";
import { isPersonal } from "../fields/personal-field";
import type { SendConfig } from "./send-setup";

/** A node by which a person can answer somebody with a typed text. */
export interface Replier {
  readonly channel: MessageChannel;
  /**
   * Sends a text as a message of the node: with its settings and fixed fields, the rules of its account, and results that leave its
   * outputs. Fields that a message of the flow would bring are left out.
   * @param digits of the person, without plus
   * @returns its result; of a message that has to wait it comes later
   * @throws SetupError, FieldError, StoreError (as a rejection)
   */
  readonly reply: (digits: string, text: string) => Promise<SendResult>;
}

/** Sends a message whose fields were read. */
export type SendRead = (values: FieldValues, msg: NodeMessage) => Promise<SendResult>;

const repliers = new WeakMap<Node, Replier>();

/** Null for a node that sends no typed text as it is set. */
export const replierOf = (node: Node): Replier | null => repliers.get(node) ?? null;

/** The field of each type that has the text of a message. */
const TEXTS: Readonly<Record<string, string>> = {
  "sms-send": "messageContent",
  "whatsapp-send": "content",
  "rcs-send": "textMessage",
};

/** What would not be the text that the person has typed. */
const isOther = ({ outsideWindow, kind, messageType, messageTypeSource }: ChannelConfig): boolean =>
  (kind === "text" && outsideWindow === "template") ||
  (messageTypeSource === "choice" && messageType === "voice");

const FROM_MESSAGE: readonly unknown[] = ["msg", "jsonata"];

/** Whether a field has its value without a message. */
function isFixed(spec: FieldSpec, config: ChannelConfig): boolean {
  const [source, value] = [config[sourceProperty(spec.name)], config[spec.name]];
  const entries: readonly { readonly source?: unknown; readonly value?: unknown }[] =
    source === "list" && Array.isArray(value) ? value : [{ source, value }];
  return entries.every(
    (entry) =>
      !FROM_MESSAGE.includes(entry.source) &&
      !(config.braces === "fill" && entry.source === "str" && isPersonal(spec, String(entry.value))),
  );
}

/** Lets people answer by a node that is set to send texts. Nothing is made before the first reply. */
export function offerReplies(
  RED: NodeAPI,
  node: Node,
  config: SendConfig,
  { fields, recipients }: ChannelDefinition,
  sendRead: SendRead,
): void {
  const channel = CHANNEL_OF_TYPE.get(node.type);
  const own = fieldsOf(fields, config);
  const text = own.find(({ name }) => name === TEXTS[node.type]);
  if (channel === undefined || recipients === null || text === undefined || isOther(config)) {
    return;
  }
  let reader: FieldReader | null = null;
  repliers.set(node, {
    channel,
    reply: async (digits, typed) => {
      const fixed = [...own, ...RULE_FIELDS].filter(
        (spec) => spec !== text && spec.name !== recipients && isFixed(spec, config),
      );
      reader ??= new FieldReader(RED, node, fixed, config);
      const to = `+${digits}`;
      const msg: NodeMessage & { readonly to: string } = {
        _msgid: RED.util.generateId(),
        payload: typed,
        to,
      };
      const values = await reader.read(msg);
      return sendRead({ ...values, [recipients]: to, [fieldName(text)]: typed }, msg);
    },
  });
}
