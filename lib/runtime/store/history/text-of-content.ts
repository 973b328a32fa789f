import { isFaultContent } from "../../../gateway/queue/stored-content";

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const joined = (texts: readonly unknown[], separator: string): string =>
  texts.filter((text) => typeof text === "string" && text.trim() !== "").join(separator);

/** The store does not have the text of a template. */
const templateText = ({ templateName, localizableParams }: Fields): string =>
  joined(
    [
      templateName,
      joined(
        listOf(localizableParams).map((each) => fieldsOf(each).default),
        ", ",
      ),
    ],
    ": ",
  );

function rcsText({ rcsPayload }: Fields): string {
  const message = fieldsOf(fieldsOf(rcsPayload).RCSMessage);
  const card = fieldsOf(fieldsOf(message.richcardMessage).message);
  const single = fieldsOf(card.generalPurposeCard).content;
  const several = listOf(fieldsOf(card.generalPurposeCardCarousel).content);
  const cards = (single === undefined ? several : [single]).map(fieldsOf);
  const place = fieldsOf(message.geolocationPushMessage);
  return joined(
    [
      message.textMessage,
      ...cards.flatMap(({ title, description }) => [title, description]),
      fieldsOf(message.fileMessage).fileName,
      place.label,
    ],
    "\n",
  );
}

const READERS: ReadonlyMap<string, (fields: Fields) => string> = new Map([
  ["whatsapp-template", templateText],
  ["rcs", rcsText],
]);

/** Returns the text, the template with values, card titles, or the name of a file or place; otherwise blank. */
export function textOfContent(operation: string, content: string): string {
  if (isFaultContent(content)) {
    return "";
  }
  const fields = fieldsOf(JSON.parse(content));
  return READERS.get(operation)?.(fields) ?? joined([fields.messageContent, fields.content], "\n");
}
