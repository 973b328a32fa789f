import { CHANNEL_VALUES, fieldValues } from "../../shared/fields/initial-values";
import de from "../../../nodes/whatsapp-send/locales/de/whatsapp-send.json";
import en from "../../../nodes/whatsapp-send/locales/en-US/whatsapp-send.json";
import type { OperationId } from "../../gateway/contract/operations";
import { WHATSAPP_FIELDS, WHATSAPP_KINDS, type WhatsAppKind } from "../../shared/fields/whatsapp-fields";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import type { ChannelDefinition } from "./channel-definition";

const OPERATION: Readonly<Record<WhatsAppKind, OperationId>> = {
  text: "whatsapp-text",
  media: "whatsapp-media",
  template: "whatsapp-template",
  broadcast: "whatsapp-broadcast",
};

const LOCALE = /^[a-z]{2,3}(_[A-Z]{2})?$/;

export const WHATSAPP_CHANNEL: ChannelDefinition<typeof WHATSAPP_FIELDS> = {
  label: "WhatsApp",
  labels: { "en-US": en["whatsapp-send"].field, de: de["whatsapp-send"].field },
  initial: { ...CHANNEL_VALUES, kind: WHATSAPP_KINDS[0], templateText: "", ...fieldValues(WHATSAPP_FIELDS) },
  messageKinds: WHATSAPP_KINDS,
  fields: WHATSAPP_FIELDS,
  recipients: "recipients",
  choose: (_values, { kind }) => OPERATION[kind as WhatsAppKind],
  warn: ({ templateLocale }) =>
    typeof templateLocale === "string" && templateLocale !== "" && !LOCALE.test(templateLocale)
      ? [say("sources.whatsapp.unusual-locale", { value: quoteValue(templateLocale) })]
      : [],
};
