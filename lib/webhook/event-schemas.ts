import { array, looseObject, string } from "zod";

/** Requires fewer fields than the service documents, so that unusual events are recognised (docs/service.md, Events). */

const word = (...words: readonly string[]) => string().refine((value) => words.includes(value.toLowerCase()));

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** An id that assigns the status to a message. */
const namesItsMessage = ({ transferId, clientMessageId }: Readonly<Record<string, unknown>>): boolean =>
  isText(transferId) || isText(clientMessageId);

export const inboundMessage = looseObject({
  type: string(),
  applicationId: string(),
  sender: string(),
  user: looseObject({}).nullish(),
  content: string().nullish(),
}).refine(({ content, mediaId }) => typeof content === "string" || isText(mediaId));

export const inboundTextSms = looseObject({
  messageType: word("text"),
  senderAddress: string(),
  textMessageContent: string(),
});

/** Each part is Base64, which the flow decodes. */
export const inboundBinarySms = looseObject({
  messageType: word("binary"),
  senderAddress: string(),
  binaryMessageContent: array(string()),
});

/** Any word is a status, because the service may add some. */
export const statusMessage = looseObject({ messageStatus: string() }).refine(namesItsMessage);

export const deliveryReport = looseObject({
  messageType: word("deliveryreport"),
  deliveryReportMessageStatus: string(),
}).refine(namesItsMessage);
