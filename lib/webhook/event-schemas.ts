import { array, looseObject, string } from "zod";

/**
 * The fields that an event needs so that a flow can work with it. They are fewer than those of the service's
 * description, so that an event with an unusual field is still recognised: sender and content of a message, or status
 * and id. Formats of ids and times, and all other fields, are passed on unchecked. docs/service.md, Events.
 */

/** Compared without regard to case, as all words of the service are. */
const word = (...words: readonly string[]) => string().refine((value) => words.includes(value.toLowerCase()));

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** A status needs one of these ids to belong to a message. */
const namesItsMessage = ({ transferId, clientMessageId }: Readonly<Record<string, unknown>>): boolean =>
  isText(transferId) || isText(clientMessageId);

/** A message of a messenger. A picture may come without `content`, people without a name. */
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

/** Each part of the content is Base64, which the flow decodes. */
export const inboundBinarySms = looseObject({
  messageType: word("binary"),
  senderAddress: string(),
  binaryMessageContent: array(string()),
});

/** Any word is a status: the service may learn new ones. */
export const statusMessage = looseObject({ messageStatus: string() }).refine(namesItsMessage);

export const deliveryReport = looseObject({
  messageType: word("deliveryreport"),
  deliveryReportMessageStatus: string(),
}).refine(namesItsMessage);
