import type { FieldSpec } from "./field-spec";

/** What a message-wait node waits for, the initial one first. */
export const WAIT_KINDS = ["delivered", "read", "reply"] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/** Where a reply may come from: the channel on which the message was sent, or any. */
export const REPLY_CHANNELS = ["same", "any"] as const;
/** Which replies count: any, one of some words, those that begin with one, or those that a regular expression finds. */
export const REPLY_MATCHES = ["any", "words", "start", "pattern"] as const;
/**
 * What becomes of other replies: they leave by an output of their own and end the wait for the person (`over`), or leave there while it goes
 * on (`output`), or stay for a later wait.
 */
export const OTHER_REPLIES = ["over", "output", "later"] as const;

export type ReplyChannel = (typeof REPLY_CHANNELS)[number];
export type ReplyMatch = (typeof REPLY_MATCHES)[number];
export type OtherReplies = (typeof OTHER_REPLIES)[number];

/** Outputs: happened, failed, nothing reported in time, and other replies where they have one. */
export const WAIT_PORTS = { happened: 0, failed: 1, silent: 2, other: 3 } as const;
export type WaitOutcome = keyof typeof WAIT_PORTS;

/** The settings of a message-wait node beside its fields, with the values of a new one. */
export const WAIT_DEFAULTS = {
  replyChannel: "same",
  match: "any",
  words: "YES, NO",
  pattern: "",
  others: "over",
  /** Whether each word has an output. */
  perWord: false,
  /** Where the result of the send node is in `msg`. */
  resultProperty: "result",
  /** Where the node writes what was reported. */
  waitProperty: "wait",
} as const;

/** ms that a node waits at least and at most: a second, and 90 days. */
export const WAIT_RANGE = { least: 1_000, most: 90 * 86_400_000 } as const;

/** The number of outputs of a node with these settings. @param words those that have an output each; 0 where all leave by one */
export const waitPorts = (kind: unknown, match: unknown, others: unknown, words = 0): number =>
  (kind === "reply" && match !== "any" && others !== "later" ? 4 : 3) + Math.max(words - 1, 0);

/** The index of an output. Those of words are the first ones, in the place of the one for what happened. */
export const waitPort = (what: WaitOutcome, words: number): number =>
  WAIT_PORTS[what] + Math.max(words - 1, 0);

/** The fields of a message-wait node. */
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
