import { type FieldSpec, OPTIONAL } from "../../../lib/shared/fields/field-spec";

export const DIGEST_FIRSTS = ["now", "wait"] as const;
export type DigestFirst = (typeof DIGEST_FIRSTS)[number];

/** Values of `msg.digest`. `ALL` extends an order to all keys of the node. */
export const DIGEST_ORDERS = ["flush", "drop", "mute"] as const;
export const FOR_ALL = "-all";

export const DIGEST_TEXTS = ["one", "several", "over"] as const;
export type DigestText = (typeof DIGEST_TEXTS)[number];

/** All values are texts, as dialogs hold them. */
export const DIGEST_DEFAULTS = {
  first: "now",
  wait: "1 min",
  every: "10 min",
  quiet: "15 min",
  most: "100",
  one: "",
  several: "",
  over: "",
} as const;

export const DIGEST_OUTPUTS = 2;

/** In ms, a second to a week. */
export const DIGEST_TIMES = { least: 1_000, most: 7 * 86_400_000 } as const;
export const DIGEST_MOST = { least: 1, most: 100 } as const;

export const LONGEST_KEY = 200;

export const DIGEST_FIELDS = [
  { name: "key", icon: "tag", place: "gather", type: "text", ...OPTIONAL },
] as const satisfies readonly FieldSpec[];
