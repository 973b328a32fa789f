import { type Operation, OPERATIONS } from "../../lib/gateway/contract/operations";
import { measureSms, type SmsEncoding } from "../../lib/shared/sms-segments";
import { LIMITS } from "../../lib/shared/fields/limits";
import { RCS_LIMITS, RCS_WORDS } from "../../lib/shared/fields/rcs-limits";
import { type CodeList, STATUS_CODES, type Style } from "../../lib/shared/outcomes";
import { formatNumber } from "../../lib/texts/format-number";
import { markdownTable } from "./markdown-table";
import { fieldTables } from "./service-fields";
import type { TableWords } from "./table-words/table-words";

function pathOrigin({ pathAssumed, restPrefixOptional }: Operation, words: TableWords): string {
  if (pathAssumed) {
    return words.pathAssumed;
  }
  return restPrefixOptional ? words.pathPerhapsBelowRest : words.pathKnown;
}

const operations = (words: TableWords): string =>
  markdownTable(
    words.operationHead,
    Object.values(OPERATIONS).map((operation) => [
      `\`${operation.id}\``,
      `\`${operation.method} ${operation.path}\``,
      pathOrigin(operation, words),
      words.style[operation.style],
      words.auth[operation.auth],
      operation.scope === null ? "" : `\`${operation.scope}\``,
      words.request[operation.encoding],
      words.answer[operation.answer],
    ]),
  );

function limitTable<K extends string>(
  limits: Readonly<Record<K, number>>,
  named: Readonly<Record<K, readonly [what: string, unit: string]>>,
  { limitHead }: TableWords,
): string {
  const rows = (Object.keys(limits) as K[]).map((key) => {
    const [what, unit] = named[key];
    return [what, `${formatNumber(limits[key])} ${unit}`];
  });
  return markdownTable(limitHead, rows);
}

const rcsWords = (words: TableWords): string =>
  markdownTable(
    words.rcsWordHead,
    Object.entries(RCS_WORDS).map(([field, values]) => [
      field === "mediaHeight"
        ? words.heightOfMedia
        : field === "recordingType"
          ? words.typeOfRecording
          : `\`${field}\``,
      values.map((value) => `\`${value}\``).join(", "),
    ]),
  );

/** The lists of codes of each style, in the order of the columns. */
const LISTS: Readonly<Record<Style, readonly CodeList[]>> = {
  legacy: ["general", "sms", "whatsapp"],
  oauth: ["text", "media", "template"],
};

const codes = (style: Style, words: TableWords): string =>
  markdownTable(
    [words.code, words.name, ...LISTS[style].map((list) => words.lists[list])],
    STATUS_CODES.filter((row) => row.style === style).map(({ code, name, lists }) => [
      String(code),
      `\`${name}\``,
      ...LISTS[style].map((list) => (lists.includes(list) ? words.yes : "")),
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

/** A character of each alphabet. */
const CHARACTERS: Readonly<Record<SmsEncoding, string>> = { gsm: "a", ucs2: "ж" };

const segments = (words: TableWords): string =>
  markdownTable(
    words.segmentHead,
    (Object.keys(CHARACTERS) as SmsEncoding[]).map((encoding) => {
      const character = CHARACTERS[encoding];
      const [name, unit] = words.alphabets[encoding];
      return [name, `${capacity(character, 1)} ${unit}`, `${capacity(character, 2) / 2} ${unit}`];
    }),
  );

/** The tables of the page about the service, by the name of their place in it. They are made in the language of the words. */
export const serviceTables = (words: TableWords): Readonly<Record<string, () => string>> => ({
  operations: () => operations(words),
  ...fieldTables(words),
  limits: () => limitTable(LIMITS, words.limits, words),
  "legacy-codes": () => codes("legacy", words),
  "oauth-codes": () => codes("oauth", words),
  segments: () => segments(words),
  "rcs-limits": () => limitTable(RCS_LIMITS, words.rcsLimits, words),
  "rcs-words": () => rcsWords(words),
});
