import { CHANNEL_VALUES, fieldValues } from "../../shared/fields/initial-values";
import de from "../../../nodes/sms-send/locales/de/sms-send.json";
import en from "../../../nodes/sms-send/locales/en-US/sms-send.json";
import type { OperationId } from "../../gateway/contract/operations";
import { findNonLatin1 } from "../../shared/latin1";
import { SMS_FIELDS, type SmsInterface, SMS_INTERFACES } from "../../shared/fields/sms-fields";
import type { FieldValues } from "../fields/field-reader";
import type { ChannelDefinition } from "./channel-definition";

const fitsLatin1 = (values: FieldValues): boolean =>
  Object.values(values).every((value) => typeof value !== "string" || findNonLatin1(value) === null);

const BY_INTERFACE: Readonly<Record<SmsInterface, (values: FieldValues) => OperationId>> = {
  // GET is never chosen automatically: its URL puts the message into logs of proxies and servers.
  automatic: (values) => (fitsLatin1(values) ? "sms-form" : "sms-json"),
  form: () => "sms-form",
  json: () => "sms-json",
  get: () => "sms-get",
};

export const SMS_CHANNEL: ChannelDefinition<typeof SMS_FIELDS> = {
  label: "SMS",
  labels: { "en-US": en["sms-send"].field, de: de["sms-send"].field },
  initial: { ...CHANNEL_VALUES, interface: SMS_INTERFACES[0], ...fieldValues(SMS_FIELDS) },
  fields: SMS_FIELDS,
  recipients: "recipientAddressList",
  isSms: ({ messageType }) => messageType !== "voice",
  isSpoken: ({ messageType }) => messageType === "voice",
  choose: (values, config) =>
    (BY_INTERFACE[config.interface as SmsInterface] ?? BY_INTERFACE.automatic)(values),
};
