import type { Draft } from "./endpoint";
import type { CheckContext } from "../rules/check-context";
import { countCharacters } from "../rules/field-checks";
import type { FieldCheck, FieldRule, Fields, JsonObject, Refusal } from "../rules/field-rules";
import { countPlaceholders, personalise } from "../inventory/templates";

const MOST_CHARACTERS = 4096;
const LONGEST_VALUE = 1024;

const params: FieldCheck<readonly JsonObject[]> = (entries) => {
  for (const [index, entry] of entries.entries()) {
    const problem = judgeParam(entry);
    if (problem !== null) return { reason: `entry ${index + 1} ${problem}` };
  }
  return null;
};

function judgeParam(entry: JsonObject): string | null {
  const names = Object.keys(entry);
  if (names.length !== 1 || names[0] !== "default") return 'must have the one key "default"';
  const value = entry.default;
  if (typeof value !== "string") return "must be a string";
  if (/[\r\n]/.test(value)) return "has a line break";
  const count = countCharacters(value);
  return count > LONGEST_VALUE ? `has ${count} characters, ${LONGEST_VALUE} allowed` : null;
}

/** What says which template is sent, and with which values. */
export const TEMPLATE_FIELDS: readonly FieldRule[] = [
  {
    name: "templateName",
    type: "text",
    required: true,
    missing: 4028,
    invalid: 4028,
    check: (name, _fields, { inventory }) =>
      inventory.templates.hasName(name) ? null : { reason: "is not known" },
  },
  {
    name: "templateLocale",
    type: "text",
    required: true,
    missing: 4028,
    invalid: 4028,
    check: (locale, { templateName }, { inventory }) =>
      inventory.templates.get(String(templateName), locale)
        ? null
        : { reason: "is none that this template has" },
  },
  {
    name: "localizableParams",
    type: "objects",
    required: false,
    mayBeEmpty: true,
    invalid: 4401,
    check: params,
  },
];

function findTemplate({ templateName, templateLocale }: Fields, { inventory }: CheckContext) {
  const template = inventory.templates.get(String(templateName), String(templateLocale));
  // Only called once both fields have passed their checks.
  if (!template) throw new Error("the template has gone");
  return template;
}

function valuesOf({ localizableParams = [] }: Fields): string[] {
  return (localizableParams as readonly JsonObject[]).map((entry) => String(entry.default));
}

/** What the recipient reads. */
export function templateContent(fields: Fields, facts: CheckContext): string {
  return personalise(findTemplate(fields, facts), valuesOf(fields));
}

/** Rules that need the template's own text. */
export const TEMPLATE_RULES: readonly ((
  draft: Draft,
  fields: Fields,
  facts: CheckContext,
) => Refusal | null)[] = [
  (_draft, fields, facts) => {
    const wanted = countPlaceholders(findTemplate(fields, facts));
    const given = valuesOf(fields).length;
    if (given === wanted) return null;
    return {
      verdict: 4401,
      reason: `localizableParams: ${given} entries, the template has ${wanted} placeholders`,
    };
  },
  ({ content }) => {
    const count = countCharacters(content);
    if (count <= MOST_CHARACTERS) return null;
    return {
      verdict: 4401,
      reason: `localizableParams: the content becomes ${count} characters, ${MOST_CHARACTERS} allowed`,
    };
  },
];
