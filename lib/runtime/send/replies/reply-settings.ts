import { type FieldSpec, fieldsOf, sourceProperty } from "../../../shared/fields/field-spec";
import type { TextKey } from "../../../texts/catalogues";
import { say, type Values } from "../../../texts/say";
import type { ChannelConfig, ChannelDefinition } from "../../channels/channel-definition";
import { fieldName } from "../../fields/compile-field";
import { isPersonal } from "../../fields/personal-field";

/** Why a node does not send a typed text, as a sentence in the language of who reads it. */
export type Why = () => string;

export const because =
  (key: TextKey, values?: Values): Why =>
  () =>
    say(key, values);

/** The field of each channel that has the text of a message. */
const TEXTS: ReadonlySet<string> = new Set(["messageContent", "content", "textMessage"]);

/** What the reply itself says, or what would be sent beside its text. */
const OWN: ReadonlySet<string> = new Set(["clientMessageId", "suggestions"]);

/** Who it comes from, what it is, and whether it is sent at all: where a message of the flow decides that, a person cannot. */
const DECISIVE: ReadonlySet<string> = new Set([
  "applicationId",
  "senderAddress",
  "senderAddressType",
  "messageType",
  "sendAsFlashSms",
  "contentCategory",
  "trafficType",
  "test",
]);

/** Whether a field has its value from the message of the flow. */
function isFromMessage(spec: FieldSpec, config: ChannelConfig): boolean {
  const source = config[sourceProperty(spec.name)];
  return (
    source === "msg" ||
    source === "jsonata" ||
    (source === "str" && config.braces === "fill" && isPersonal(spec, String(config[spec.name])))
  );
}

/** By which settings a node sends a typed text. */
export interface ReplySettings {
  /** Parameter of the service that holds the text. */
  readonly text: string;
  /** Fields whose values the node has without a message; neither text, recipients nor ids. */
  readonly fixed: readonly FieldSpec[];
}

/**
 * What of a node's settings counts for a typed text.
 * @param labelOf label of a field in the dialog
 * @returns why it sends none
 */
export function replySettings(
  { fields, recipients }: ChannelDefinition,
  config: ChannelConfig,
  labelOf: (name: string) => string,
): ReplySettings | Why {
  const own = fieldsOf(fields, config);
  const text = own.find(({ name }) => TEXTS.has(name));
  // A broadcast has a `messageContent` of its own.
  if (text === undefined || text.type !== "text" || config.kind === "broadcast") {
    return because("send.reply.kind");
  }
  const others = own.filter((spec) => spec !== text && spec.name !== recipients && !OWN.has(spec.name));
  const decided = others.find((spec) => DECISIVE.has(spec.name) && isFromMessage(spec, config));
  if (decided !== undefined) {
    const { name } = decided;
    return () => say("send.reply.from-message", { field: labelOf(name) });
  }
  return { text: fieldName(text), fixed: others.filter((spec) => !isFromMessage(spec, config)) };
}
