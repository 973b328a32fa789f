import { type FieldSpec, fromMessage, OPTIONAL } from "./field-spec";

export const LOG_KINDS = ["id", "number", "search", "report", "conversation", "state"] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export const LOG_LIMIT = { initial: 100, most: 10_000 } as const;
export const CONVERSATION_LIMIT = 1_000;

/** By the step of the report. */
export const MOST_REPORT_DAYS = { day: 92, hour: 31 } as const;

const OUTCOME_WORDS = ["sent", "queued", "rejected", "denied", "retry-later", "unknown", "skipped"] as const;

const MANY = ["search", "report"] as const satisfies readonly LogKind[];
const REPORT = ["report"] as const satisfies readonly LogKind[];
export const LOG_CHANNELS = ["SMS", "Voice", "WhatsApp", "RCS"] as const;
export const REPORT_STEPS = ["day", "hour"] as const;
const SEARCH = ["search"] as const satisfies readonly LogKind[];
const ONE_PERSON = ["number", "conversation"] as const satisfies readonly LogKind[];
const SINCE = [...MANY, "conversation"] as const satisfies readonly LogKind[];
const LIMITED = ["search", "conversation"] as const satisfies readonly LogKind[];

export const LOG_FIELDS = [
  {
    name: "messageId",
    icon: "id-badge",
    place: "query",
    messageKinds: ["id"],
    type: "text",
    ...fromMessage("payload"),
  },
  {
    name: "number",
    icon: "phone",
    place: "query",
    messageKinds: ONE_PERSON,
    type: "text",
    ...fromMessage("payload"),
  },
  { name: "until", icon: "clock-o", place: "query", messageKinds: ["number"], type: "text", ...OPTIONAL },
  {
    name: "from",
    icon: "clock-o",
    place: "query",
    messageKinds: SINCE,
    type: "text",
    required: false,
    initial: { source: "str", value: "24h" },
  },
  { name: "to", icon: "clock-o", place: "query", messageKinds: MANY, type: "text", ...OPTIONAL },
  { name: "recipient", icon: "phone", place: "query", messageKinds: SEARCH, type: "text", ...OPTIONAL },
  // `name` is that of the node.
  { name: "person", icon: "user-o", place: "query", messageKinds: SEARCH, type: "text", ...OPTIONAL },
  {
    name: "outcome",
    icon: "flag-o",
    place: "query",
    messageKinds: MANY,
    type: "choice",
    ...OPTIONAL,
    choices: OUTCOME_WORDS,
  },
  {
    name: "sender",
    icon: "cube",
    place: "query",
    messageKinds: MANY,
    type: "text",
    ...OPTIONAL,
    sender: true,
  },
  {
    name: "channel",
    icon: "random",
    place: "query",
    messageKinds: REPORT,
    type: "choice",
    ...OPTIONAL,
    choices: LOG_CHANNELS,
  },
  {
    name: "step",
    icon: "bar-chart",
    place: "query",
    messageKinds: REPORT,
    type: "choice",
    ...OPTIONAL,
    choices: REPORT_STEPS,
  },
  {
    name: "limit",
    icon: "balance-scale",
    place: "query",
    messageKinds: LIMITED,
    type: "integer",
    required: false,
    initial: { source: "num", value: String(LOG_LIMIT.initial) },
  },
] as const satisfies readonly FieldSpec[];
