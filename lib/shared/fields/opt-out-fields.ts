import { type FieldSpec, fromMessage } from "./field-spec";

/** Initial value first. */
export const OPT_OUT_KINDS = ["add", "remove", "check", "list", "import"] as const;
export type OptOutKind = (typeof OPT_OUT_KINDS)[number];

export const OPT_OUT_SCOPES = ["all", "advertisement"] as const;
export const OPT_OUT_CATEGORIES = ["advertisement", "informational"] as const;
/** `inbound`: the recipient's own message. */
export const OPT_OUT_SOURCES = ["flow", "inbound"] as const;

/** At least 2, because a join node treats a page of one as an entry. */
export const OPT_OUT_PAGE = { initial: 1_000, least: 2, most: 10_000 } as const;

export const OPT_OUT_PORTS: Readonly<Record<OptOutKind, number>> = {
  add: 1,
  remove: 1,
  check: 2,
  list: 1,
  import: 1,
};

export const OPT_OUT_FIELDS = [
  {
    name: "numbers",
    icon: "users",
    place: "action",
    messageKinds: ["add", "remove", "check"],
    type: "recipients",
    ...fromMessage("to"),
  },
  {
    name: "rows",
    icon: "table",
    place: "action",
    messageKinds: ["import"],
    type: "recipients",
    ...fromMessage("payload"),
  },
  {
    name: "column",
    icon: "columns",
    place: "action",
    messageKinds: ["import"],
    type: "text",
    required: true,
    initial: { source: "str", value: "number" },
  },
  {
    name: "scope",
    icon: "ban",
    place: "action",
    messageKinds: ["add", "import"],
    type: "choice",
    required: true,
    initial: { source: "choice", value: "all" },
    choices: OPT_OUT_SCOPES,
  },
  {
    name: "category",
    icon: "tag",
    place: "action",
    messageKinds: ["check"],
    type: "choice",
    required: true,
    initial: { source: "choice", value: "advertisement" },
    choices: OPT_OUT_CATEGORIES,
  },
  {
    name: "source",
    icon: "user-o",
    place: "action",
    messageKinds: ["add"],
    type: "choice",
    required: true,
    initial: { source: "choice", value: "flow" },
    choices: OPT_OUT_SOURCES,
  },
  {
    name: "pageSize",
    icon: "files-o",
    place: "action",
    messageKinds: ["list"],
    type: "integer",
    required: true,
    initial: { source: "num", value: String(OPT_OUT_PAGE.initial) },
  },
] as const satisfies readonly FieldSpec[];
