import { array, looseObject, string } from "zod";

/**
 * What an event has to have so that a flow can work with it. Deliberately less than what the service promises: a
 * message with an odd extra is worth more on its own port than among what nobody recognised. So there must be what
 * tells who sent what, or what became of which message. Formats of ids and times, and all other fields, are passed on
 * unseen, whatever their type.
 */

/** Compared without regard to case, like all words of the service. */
const word = (...words: readonly string[]) => string().refine((value) => words.includes(value.toLowerCase()));

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Without one of them a status is that of no message. */
const namesItsMessage = ({ transferId, clientMessageId }: Readonly<Record<string, unknown>>): boolean =>
  isText(transferId) || isText(clientMessageId);

/**
 * A message of a messenger. A picture without words may come without `content`; people may have no name, so `user`
 * may be missing, but where it is something it must be an object.
 */
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

/** Each part of the content is Base64; what it decodes to is the flow's concern. */
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
