import type { MessageRule } from "./endpoint";
import type { CheckContext } from "../rules/field-rules";
import { countCharacters } from "../rules/field-checks";
import type { FieldCheck, FieldRule, Fields, JsonObject } from "../rules/field-rules";
import { countPlaceholders, personalise } from "../inventory/templates";

const MAX_CHARACTERS = 4096;
const MAX_VALUE_CHARACTERS = 1024;
/** Names that a refusal lists: those added last. */
const MAX_LISTED = 10;

const listOf = (names: readonly string[]): string => names.slice(-MAX_LISTED).join(", ");

const params: FieldCheck<readonly JsonObject[]> = (entries) => {
  for (const [index, entry] of entries.entries()) {
    const problem = checkParam(entry);
    if (problem !== null) return { reason: `entry ${index + 1} ${problem}` };
  }
  return null;
};

function checkParam(entry: JsonObject): string | null {
  const names = Object.keys(entry);
  if (names.length !== 1 || names[0] !== "default") return 'must have the one key "default"';
  const value = entry.default;
  if (typeof value !== "string") return "must be a string";
  if (/[\r\n]/.test(value)) return "has a line break";
  const count = countCharacters(value);
  return count > MAX_VALUE_CHARACTERS ? `has ${count} characters, ${MAX_VALUE_CHARACTERS} allowed` : null;
}

export const TEMPLATE_FIELDS: readonly FieldRule[] = [
  {
    name: "templateName",
    type: "text",
    missing: 4028,
    invalid: 4028,
    check: (name, _fields, { inventory }) =>
      inventory.templates.hasName(name)
        ? null
        : { reason: `is not known; this simulator has ${listOf(inventory.templates.names())}` },
  },
  {
    name: "templateLocale",
    type: "text",
    missing: 4028,
    invalid: 4028,
    check: (locale, { templateName }, { inventory }) =>
      inventory.templates.get(String(templateName), locale)
        ? null
        : {
            reason: `is not a locale of this template; this simulator has it in ${listOf(
              inventory.templates.localesOf(String(templateName)),
            )}`,
          },
  },
  { name: "localizableParams", type: "objects", mayBeEmpty: true, invalid: 4401, check: params },
];

function findTemplate({ templateName, templateLocale }: Fields, { inventory }: CheckContext) {
  const template = inventory.templates.get(String(templateName), String(templateLocale));
  if (!template) throw new Error("the template is missing");
  return template;
}

function valuesOf({ localizableParams = [] }: Fields): string[] {
  return (localizableParams as readonly JsonObject[]).map((entry) => String(entry.default));
}

export function templateContent(fields: Fields, context: CheckContext): string {
  return personalise(findTemplate(fields, context), valuesOf(fields));
}

export const TEMPLATE_RULES: readonly MessageRule[] = [
  (_message, fields, context) => {
    const wanted = countPlaceholders(findTemplate(fields, context));
    const given = valuesOf(fields).length;
    if (given === wanted) return null;
    return {
      code: 4401,
      reason: `localizableParams: ${given} entries, the template has ${wanted} placeholders`,
    };
  },
  ({ content }) => {
    const count = countCharacters(content);
    if (count <= MAX_CHARACTERS) return null;
    return {
      code: 4401,
      reason: `localizableParams: the content has ${count} characters, ${MAX_CHARACTERS} allowed`,
    };
  },
];
