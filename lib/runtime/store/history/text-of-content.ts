import { isFaultContent } from "../../../gateway/queue/stored-content";

type Fields = Readonly<Record<string, unknown>>;

const toFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const joined = (texts: readonly unknown[], separator: string): string =>
  texts.filter((text) => typeof text === "string" && text.trim() !== "").join(separator);

/** The store does not have the text of a template. */
const templateText = ({ templateName, localizableParams }: Fields): string =>
  joined(
    [
      templateName,
      joined(
        toList(localizableParams).map((each) => toFields(each).default),
        ", ",
      ),
    ],
    ": ",
  );

function rcsText({ rcsPayload }: Fields): string {
  const message = toFields(toFields(rcsPayload).RCSMessage);
  const card = toFields(toFields(message.richcardMessage).message);
  const single = toFields(card.generalPurposeCard).content;
  const several = toList(toFields(card.generalPurposeCardCarousel).content);
  const cards = (single === undefined ? several : [single]).map(toFields);
  const place = toFields(message.geolocationPushMessage);
  return joined(
    [
      message.textMessage,
      ...cards.flatMap(({ title, description }) => [title, description]),
      toFields(message.fileMessage).fileName,
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
  const fields = toFields(JSON.parse(content));
  return READERS.get(operation)?.(fields) ?? joined([fields.messageContent, fields.content], "\n");
}
