import { type Operation, OPERATIONS } from "../../lib/gateway/contract/operations";
import { measureSms, type SmsEncoding } from "../../lib/shared/sms-segments";
import { LIMITS } from "../../lib/shared/fields/limits";
import { RCS_LIMITS, RCS_WORDS } from "../../lib/shared/fields/rcs-limits";
import { type CodeList, STATUS_CODES, type Style } from "../../lib/shared/outcomes";
import { markdownTable } from "./markdown-table";
import { FIELD_TABLES } from "./service-fields";

const number = (value: number): string => value.toLocaleString("en-US");

const AUTH: Readonly<Record<Operation["auth"], string>> = {
  legacy: "Basic or access token",
  bearer: "bearer token",
  client: "client id and secret (Basic)",
};

const REQUEST: Readonly<Record<Operation["encoding"], string>> = {
  "form-latin1": "form, ISO-8859-1",
  "query-latin1": "query, ISO-8859-1",
  json: "JSON",
  multipart: "multipart",
  form: "form",
  none: "none",
};

const ANSWER: Readonly<Record<Operation["answer"], string>> = {
  "legacy-form": "form, or JSON",
  json: "JSON",
  upload: "JSON with `mediaId`",
  bytes: "the file",
  token: "JSON with the token",
};

function pathOrigin({ pathAssumed, restPrefixOptional }: Operation): string {
  if (pathAssumed) {
    return "assumed";
  }
  return restPrefixOptional ? "known; perhaps below `/rest`" : "known";
}

const operations = (): string =>
  markdownTable(
    ["Operation", "Request", "Path is", "Style", "Authentication", "Scope", "Body", "Answer"],
    Object.values(OPERATIONS).map((operation) => [
      `\`${operation.id}\``,
      `\`${operation.method} ${operation.path}\``,
      pathOrigin(operation),
      operation.style === "legacy" ? "legacy" : "OAuth",
      AUTH[operation.auth],
      operation.scope === null ? "" : `\`${operation.scope}\``,
      REQUEST[operation.encoding],
      ANSWER[operation.answer],
    ]),
  );

/** Each limit by its key, so that a new one without words does not compile. */
const LIMIT_WORDS: Readonly<Record<keyof typeof LIMITS, readonly [what: string, unit: string]>> = {
  recipientsPerRequest: ["Recipients of one SMS or broadcast request; more is code 4025", "numbers"],
  broadcastContent: ["Text of a WhatsApp broadcast", "characters"],
  textContent: ["WhatsApp text", "characters"],
  mediaDescription: ["Description of a WhatsApp media file", "characters"],
  templateContent: ["WhatsApp template with its values filled in; more is code 4401", "characters"],
  placeholderValue: ["One value of a template; more is code 4401", "characters"],
  validityPeriodeMin: ["Shortest `validityPeriode`", "seconds"],
  validityPeriodeMax: ["Longest `validityPeriode`", "seconds (3 days)"],
  msisdnDigitsMin: ["Shortest number, country code included", "digits"],
  msisdnDigitsMax: ["Longest number, country code included", "digits"],
};

const RCS_LIMIT_WORDS: Readonly<Record<keyof typeof RCS_LIMITS, readonly [what: string, unit: string]>> = {
  text: ["`textMessage`", "characters"],
  label: ["`label` of a position", "characters"],
  title: ["`title` of a card", "characters"],
  description: ["`description` of a card", "characters"],
  contentDescription: ["`contentDescription` of a card's media", "characters"],
  displayText: ["`displayText` of a suggestion", "characters"],
  postbackData: ["`data` of a `postback`", "characters"],
  chips: ["Suggestions below a message", "entries"],
  cardSuggestions: ["Suggestions of one card", "entries"],
  cardsMin: ["Fewest cards of a carousel", "entries"],
  cardsMax: ["Most cards of a carousel", "entries"],
};

function limitTable<K extends string>(
  limits: Readonly<Record<K, number>>,
  words: Readonly<Record<K, readonly [what: string, unit: string]>>,
): string {
  const rows = (Object.keys(limits) as K[]).map((key) => {
    const [what, unit] = words[key];
    return [what, `${number(limits[key])} ${unit}`];
  });
  return markdownTable(["What", "Limit"], rows);
}

const rcsWords = (): string =>
  markdownTable(
    ["Field", "Values"],
    Object.entries(RCS_WORDS).map(([field, values]) => [
      field === "mediaHeight"
        ? "`height` of media"
        : field === "recordingType"
          ? "`type` of a recording"
          : `\`${field}\``,
      values.map((value) => `\`${value}\``).join(", "),
    ]),
  );

/** How the page writes the lists of codes, by style; the order is that of the columns. */
const LISTS: Readonly<Record<Style, readonly (readonly [list: CodeList, head: string])[]>> = {
  legacy: [
    ["general", "General"],
    ["sms", "SMS"],
    ["whatsapp", "Broadcast"],
  ],
  oauth: [
    ["text", "Text"],
    ["media", "Media"],
    ["template", "Template"],
  ],
};

const codes = (style: Style): string =>
  markdownTable(
    ["Code", "Name", ...LISTS[style].map(([, head]) => head)],
    STATUS_CODES.filter((row) => row.style === style).map(({ code, name, lists }) => [
      String(code),
      `\`${name}\``,
      ...LISTS[style].map(([list]) => (lists.includes(list) ? "yes" : "")),
    ]),
  );

/** Most times that a character fits into a number of SMS. */
function capacity(character: string, segments: number): number {
  let count = 1;
  while (measureSms(character.repeat(count + 1)).segments <= segments) {
    count++;
  }
  return count;
}

/** A character of each kind, and in what the room of an SMS is counted. */
const ALPHABETS: Readonly<Record<SmsEncoding, readonly [name: string, character: string, unit: string]>> = {
  gsm: ["GSM 03.38 default alphabet", "a", "septets"],
  ucs2: ["UCS-2", "ж", "UTF-16 units"],
};

const segments = (): string =>
  markdownTable(
    ["Alphabet", "A single SMS", "Each SMS of a longer text"],
    Object.values(ALPHABETS).map(([name, character, unit]) => [
      name,
      `${capacity(character, 1)} ${unit}`,
      `${capacity(character, 2) / 2} ${unit}`,
    ]),
  );

/** The tables of the page about the service, by the name of their place in it. */
export const SERVICE_TABLES: Readonly<Record<string, () => string>> = {
  operations,
  ...FIELD_TABLES,
  limits: () => limitTable(LIMITS, LIMIT_WORDS),
  "legacy-codes": () => codes("legacy"),
  "oauth-codes": () => codes("oauth"),
  segments,
  "rcs-limits": () => limitTable(RCS_LIMITS, RCS_LIMIT_WORDS),
  "rcs-words": rcsWords,
};
