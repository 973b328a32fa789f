import { type FieldSpec, fromMessage, OPTIONAL } from "../../../lib/shared/fields/field-spec";

export const CODE_KINDS = ["make", "check"] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/** Without letters that look alike. */
export const CODE_CHARACTERS = ["digits", "letters"] as const;
export type CodeCharacters = (typeof CODE_CHARACTERS)[number];

export const CODE_PORTS: Readonly<Record<CodeKind, number>> = { make: 2, check: 3 };

/** All values are texts, as dialogs hold them. */
export const CODE_DEFAULTS = {
  length: "6",
  characters: "digits",
  validFor: "10 min",
  template: "",
  /** Wrong attempts that invalidate a code. */
  tries: "5",
  perNumber: "5",
  perCaller: "20",
  resultProperty: "code",
} as const;

/** Properties that the node writes, so its result cannot use them. */
export const CODE_TAKEN = /^\s*(?:msg\.)?(?:payload|to|sensitive)(?:[.[]|\s*$)/;

const CODE_PLACEHOLDER = /\{\{\s*code\s*\}\}/;

export const hasCode = (template: string): boolean => CODE_PLACEHOLDER.test(template);

/** `validFor` in ms. */
export const CODE_RANGES = {
  length: { least: 4, most: 12 },
  validFor: { least: 60_000, most: 86_400_000 },
  tries: { least: 1, most: 10 },
  perNumber: { least: 1, most: 1_000 },
  perCaller: { least: 1, most: 100_000 },
} as const;

export const LONGEST_PURPOSE = 100;
export const LONGEST_CALLER = 200;

export const CODE_FIELDS = [
  { name: "number", icon: "phone", place: "action", type: "recipients", single: true, ...fromMessage("to") },
  {
    name: "code",
    icon: "key",
    place: "action",
    messageKinds: ["check"],
    type: "text",
    ...fromMessage("payload"),
  },
  {
    name: "purpose",
    icon: "tag",
    place: "action",
    type: "text",
    required: true,
    initial: { source: "str", value: "login" },
  },
  { name: "caller", icon: "user-o", place: "limits", type: "text", ...OPTIONAL },
] as const satisfies readonly FieldSpec[];
