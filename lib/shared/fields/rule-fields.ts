import { type FieldSpec, OPTIONAL } from "./field-spec";

/** Fields that are not sent to the service (docs/delivery-rules.md). */
export const RULE_FIELDS = [
  { name: "onceKey", icon: "key", place: "once", type: "text", ...OPTIONAL },
  { name: "notBefore", icon: "calendar", place: "times", type: "text", ...OPTIONAL },
  { name: "uselessAfter", icon: "hourglass-end", place: "times", type: "text", ...OPTIONAL },
] as const satisfies readonly FieldSpec[];

export const RULE_DEFAULTS = {
  onceWithin: "30 d",
  alsoOptedOut: false,
  anyHour: false,
} as const;

export const LONGEST_ONCE_KEY = 200;
