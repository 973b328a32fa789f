import { type FieldSpec, fromMessage, OPTIONAL } from "./field-spec";

/** What a verify-code node does, the initial one first. */
export const CODE_KINDS = ["make", "check"] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/** What a code is made of. Letters that look like others are left out. */
export const CODE_CHARACTERS = ["digits", "letters"] as const;
export type CodeCharacters = (typeof CODE_CHARACTERS)[number];

/** Outputs of each action. Make: made, too many. Check: right, wrong, expired or too many. */
export const CODE_PORTS: Readonly<Record<CodeKind, number>> = { make: 2, check: 3 };

/** The settings of a verify-code node beside its fields, with the values of a new one. All are texts, as dialogs hold them. */
export const CODE_DEFAULTS = {
  length: "6",
  characters: "digits",
  validFor: "10 min",
  /** The text of the message; `{{code}}` and `{{minutes}}` stand for the code and how long it is valid. The dialog fills it in. */
  template: "",
  /** Wrong codes after which a code is worth nothing. */
  tries: "5",
  /** Codes made for one number in an hour. */
  perNumber: "5",
  /** Codes made and checked for one caller in an hour. */
  perCaller: "20",
  /** Where the node writes what came of it. */
  resultProperty: "code",
} as const;

/** Paths of message properties that a node that makes codes writes itself, so that its result cannot be there. */
export const CODE_TAKEN = /^\s*(?:msg\.)?(?:payload|to|sensitive)(?:[.[]|\s*$)/;

const CODE_PLACE = /\{\{\s*code\s*\}\}/;

/** Whether a template says where the code stands. */
export const hasCode = (template: string): boolean => CODE_PLACE.test(template);

/** Limits of these settings. `validFor` in ms. */
export const CODE_RANGES = {
  length: { least: 4, most: 12 },
  validFor: { least: 60_000, most: 86_400_000 },
  tries: { least: 1, most: 10 },
  perNumber: { least: 1, most: 1_000 },
  perCaller: { least: 1, most: 100_000 },
} as const;

/** Characters of a purpose and of a caller. */
export const LONGEST_PURPOSE = 100;
export const LONGEST_CALLER = 200;

/** The fields of a verify-code node. */
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
