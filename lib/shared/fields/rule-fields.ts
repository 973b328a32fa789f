import { type FieldSpec, OPTIONAL } from "./field-spec";

/** When and how often a message may leave: fields of every send node that are not sent to the service. docs/delivery-rules.md. */
export const RULE_FIELDS = [
  { name: "onceKey", icon: "key", place: "once", type: "text", ...OPTIONAL },
  { name: "notBefore", icon: "calendar", place: "times", type: "text", ...OPTIONAL },
  { name: "uselessAfter", icon: "hourglass-end", place: "times", type: "text", ...OPTIONAL },
] as const satisfies readonly FieldSpec[];

/** The other delivery rules of a send node, with the values of a new one. */
export const RULE_DEFAULTS = {
  /** How long a once key is in use after its message left. */
  onceWithin: "30 d",
  /** Whether the message goes to people who opted out as well. */
  alsoOptedOut: false,
  /** Whether the message leaves outside the sending hours too. */
  anyHour: false,
} as const;

/** Characters of a once key. */
export const LONGEST_ONCE_KEY = 200;
