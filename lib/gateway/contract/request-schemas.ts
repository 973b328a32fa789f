import { compile, custom, instanceof as instanceOf, looseObject, strictObject, union } from "zod";
import { LIMITS } from "../../shared/fields/limits";
import { type ByteSource, isSource } from "./byte-source";
import { e164, flag, httpUrl, integer, msisdnList, oneOf, placeholderList, text, uuid } from "./field-rules";

/** Unknown fields are refused (docs/service.md, Fields and limits). */
const CATEGORY = oneOf("informational", "advertisement");
const VALIDITY = integer(LIMITS.validityPeriodeMin, LIMITS.validityPeriodeMax, "seconds");

export const smsRequest = compile(
  strictObject({
    recipientAddressList: msisdnList(),
    messageContent: text(1),
    clientMessageId: text(1).optional(),
    contentCategory: CATEGORY.optional(),
    maxSmsPerMessage: integer(0).optional(),
    messageType: oneOf("default", "voice").optional(),
    notificationCallbackUrl: httpUrl().optional(),
    priority: integer(0).optional(),
    sendAsFlashSms: flag().optional(),
    senderAddress: text(1).optional(),
    senderAddressType: oneOf("national", "international", "alphanumeric", "shortcode").optional(),
    test: flag().optional(),
    validityPeriode: VALIDITY.optional(),
  }),
);

export const broadcastRequest = compile(
  strictObject({
    messageContent: text(1, LIMITS.broadcastContent),
    recipientAddressList: msisdnList(),
    contentCategory: CATEGORY.optional(),
    clientMessageId: text(1).optional(),
    priority: integer(0).optional(),
    test: flag().optional(),
    attachmentId: integer(0).optional(),
    validityPeriode: VALIDITY.optional(),
  }),
);

const toOne = {
  applicationId: uuid(),
  recipient: e164(),
  clientMessageId: text(1).optional(),
};

export const whatsappTextRequest = compile(strictObject({ ...toOne, content: text(1, LIMITS.textContent) }));

export const whatsappMediaRequest = compile(
  strictObject({
    ...toOne,
    mediaId: uuid(),
    content: text(0, LIMITS.mediaDescription).optional(),
  }),
);

export const whatsappTemplateRequest = compile(
  strictObject({
    ...toOne,
    templateName: text(1),
    templateLocale: text(1),
    localizableParams: placeholderList().optional(),
  }),
);

export const rcsRequest = compile(
  strictObject({
    ...toOne,
    rcsPayload: looseObject({ RCSMessage: looseObject({}), messageContact: looseObject({}) }),
  }),
);

export const fileRequest = compile(
  strictObject({
    file: strictObject({
      data: union([instanceOf(Uint8Array), custom<ByteSource>(isSource)]),
      name: text(1),
      type: text(1),
    }),
  }),
);

export const mediaDownloadRequest = strictObject({ mediaId: uuid() });

export const tokenRequest = strictObject({ grant_type: oneOf("client_credentials"), scope: text(1) });
