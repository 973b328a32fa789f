import type { FieldSpec } from "./field-spec";

export const WAIT_KINDS = ["delivered", "read", "reply"] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

export const REPLY_CHANNELS = ["same", "any"] as const;
export const REPLY_MATCHES = ["any", "words", "start", "pattern"] as const;
export const OTHER_REPLIES = ["over", "output", "later"] as const;

export type ReplyChannel = (typeof REPLY_CHANNELS)[number];
export type ReplyMatch = (typeof REPLY_MATCHES)[number];
export type OtherReplies = (typeof OTHER_REPLIES)[number];

/** `other` exists only with an output for other replies. */
export const WAIT_PORTS = { happened: 0, failed: 1, silent: 2, other: 3 } as const;
export type WaitOutcome = keyof typeof WAIT_PORTS;

/** All values as dialogs hold them. */
export const WAIT_DEFAULTS = {
  replyChannel: "same",
  match: "any",
  words: "YES, NO",
  pattern: "",
  others: "over",
  perWord: false,
  resultProperty: "result",
  waitProperty: "wait",
} as const;

/** In ms, a second to 90 days. */
export const WAIT_RANGE = { least: 1_000, most: 90 * 86_400_000 } as const;

export const waitPorts = (kind: unknown, match: unknown, others: unknown, words = 0): number =>
  (kind === "reply" && match !== "any" && others !== "later" ? 4 : 3) + Math.max(words - 1, 0);

/** Outputs of words replace that of `happened`. */
export const waitPort = (what: WaitOutcome, words: number): number =>
  WAIT_PORTS[what] + Math.max(words - 1, 0);

export const WAIT_FIELDS = [
  {
    name: "within",
    icon: "hourglass-half",
    place: "wait",
    type: "text",
    required: true,
    initial: { source: "str", value: "5 min" },
  },
] as const satisfies readonly FieldSpec[];
