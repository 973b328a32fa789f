import { type FieldSpec, OPTIONAL } from "./field-spec";

/** What becomes of the first message after a quiet time: it leaves at once, or waits for others. */
export const DIGEST_FIRSTS = ["now", "wait"] as const;
export type DigestFirst = (typeof DIGEST_FIRSTS)[number];

/** What a message asks for with `msg.digest`: see `DigestOrder` of the store. With this end it is for all keys of the node. */
export const DIGEST_ORDERS = ["flush", "drop", "mute"] as const;
export const FOR_ALL = "-all";

/** The texts of a digest: of a single message, of several, and for that it is over. */
export const DIGEST_TEXTS = ["one", "several", "over"] as const;
export type DigestText = (typeof DIGEST_TEXTS)[number];

/** The settings of a message-digest node beside its field, with the values of a new one. All are texts, as dialogs hold them. */
export const DIGEST_DEFAULTS = {
  first: "now",
  /** How long the first one waits. */
  wait: "1 min",
  /** Between two digests of a key. */
  every: "10 min",
  /** How long nothing must come until the next message is a first one again. */
  quiet: "15 min",
  /** Messages that a digest lists. */
  most: "100",
  /** The dialog fills in the texts. */
  one: "",
  several: "",
  over: "",
} as const;

export const DIGEST_OUTPUTS = 2;

/** ms of each duration: a second to a week. */
export const DIGEST_TIMES = { least: 1_000, most: 7 * 86_400_000 } as const;
export const DIGEST_MOST = { least: 1, most: 100 } as const;

/** Characters of what messages are gathered by. */
export const LONGEST_KEY = 200;

/** The field of a message-digest node. */
export const DIGEST_FIELDS = [
  { name: "key", icon: "tag", place: "gather", type: "text", ...OPTIONAL },
] as const satisfies readonly FieldSpec[];
