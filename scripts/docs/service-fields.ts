import type { ZodType } from "zod";
import { OPERATIONS, type OperationId } from "../../lib/gateway/contract/operations";
import { markdownTable } from "./markdown-table";
import type { FieldWords, TableWords } from "./table-words/table-words";

/** @throws Error for a field without words: whoever adds a field describes it in each language */
function wordsOf(id: OperationId, field: string, { fields, language }: TableWords): FieldWords {
  const words = fields[`${id}.${field}`] ?? fields[field];
  if (words === undefined) {
    throw new Error(`scripts/docs/table-words/${language}.ts does not describe ${field} of ${id}`);
  }
  return words;
}

const shapeOf = ({ request }: { readonly request: ZodType }): Readonly<Record<string, ZodType>> =>
  (request as unknown as { readonly shape: Readonly<Record<string, ZodType>> }).shape;

/** Operations whose request differs from that of the others; the key is the name of the place on the page. */
const DESCRIBED = {
  "fields-sms": "sms-form",
  "fields-broadcast": "whatsapp-broadcast",
  "fields-text": "whatsapp-text",
  "fields-media": "whatsapp-media",
  "fields-template": "whatsapp-template",
  "fields-rcs": "rcs",
  "fields-upload": "media-upload",
  "fields-download": "media-download",
  "fields-token": "token",
} as const satisfies Readonly<Record<string, OperationId>>;

function fieldTable(id: OperationId, words: TableWords): string {
  const rows = Object.entries(shapeOf(OPERATIONS[id])).map(([field, schema]) => {
    const [type, rules] = wordsOf(id, field, words);
    return [`\`${field}\``, type, schema.isOptional() ? words.no : words.yes, rules];
  });
  return markdownTable(words.fieldHead, rows);
}

/** A table of request fields for each kind of request, made from its schema. */
export const fieldTables = (words: TableWords): Readonly<Record<string, () => string>> =>
  Object.fromEntries(Object.entries(DESCRIBED).map(([place, id]) => [place, () => fieldTable(id, words)]));

/** Operations whose fields no table shows: none, unless a new schema has no place on the page yet. */
export const undescribedOperations = (): readonly string[] => {
  const described = new Set(Object.values(DESCRIBED).map((id) => OPERATIONS[id].request));
  return Object.values(OPERATIONS)
    .filter(({ request }) => !described.has(request))
    .map(({ id }) => id);
};
