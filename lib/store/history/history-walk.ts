import type { FilterKey, RowFilter } from "./history-filter";

/** A way through the messages, newest first, in which an index has both the filter that it begins with and the order. */
export interface Walk {
  readonly name: string;
  /** Filters that the index answers; the others are compared with each row on the way. */
  readonly keys: readonly FilterKey[];
  /** Tables in the order in which they are joined, with what else the index needs to be used. */
  readonly from: string;
  readonly and: readonly string[];
  readonly order: string;
  /** Rows after a cursor, whose parts are `$time`, `$job`, `$part`, `$place` and `$request`. Null for a walk that ends there. */
  readonly after: string;
  /** The walk that comes after this one, from its cursor on. */
  readonly onward: Walk | null;
}

const BY_JOB = {
  from: "jobs j CROSS JOIN requests r CROSS JOIN recipients c",
  keys: ["account", "node", "from", "to"],
  onward: null,
} as const;
const BY_REQUEST = {
  and: [],
  order: "r.id DESC, c.place",
  after: "r.id <= $request AND (r.id < $request OR c.place > $place)",
  onward: null,
} as const;

const TIME_ORDER = "j.taken_at DESC, j.id DESC, r.part, c.place";
const JOBS: Walk = {
  ...BY_JOB,
  name: "jobs",
  and: [],
  order: TIME_ORDER,
  after: "(j.taken_at, j.id) < ($time, $job)",
};
/** A node belongs to one account, mostly: its own index is the narrow one, so that of the account must not be taken. */
const NODE: Walk = { ...JOBS, name: "node", keys: ["node", "from", "to"] };
const AFTER_PART = "r.part >= $part AND (r.part > $part OR c.place > $place)";
/** The rest of a job, which may be a list of a hundred thousand. */
const restOf = (onward: Walk): Walk => ({
  ...BY_JOB,
  name: "rest",
  keys: [],
  and: [],
  order: "r.part, c.place",
  after: `j.id = $job AND ${AFTER_PART}`,
  onward,
});
const [REST_OF_JOBS, REST_OF_NODE] = [restOf(JOBS), restOf(NODE)];
const JOB: Walk = { ...REST_OF_JOBS, name: "job", keys: ["job"], after: AFTER_PART, onward: null };
const NUMBER: Walk = {
  ...BY_REQUEST,
  name: "number",
  keys: ["number"],
  from: "recipients c CROSS JOIN requests r CROSS JOIN jobs j",
  order: "c.request DESC, c.place",
  after: "c.request <= $request AND (c.request < $request OR c.place > $place)",
};
const OF_REQUEST = "requests r CROSS JOIN jobs j CROSS JOIN recipients c";
const CLIENT_ID: Walk = { ...BY_REQUEST, name: "client", keys: ["clientMessageId"], from: OF_REQUEST };
const TRANSFER: Walk = { ...BY_REQUEST, name: "transfer", keys: ["transferId"], from: OF_REQUEST };
/** Outcomes that are rare, for which there is an index. */
const OUTCOME: Walk = {
  ...BY_REQUEST,
  name: "outcome",
  keys: ["outcome"],
  from: OF_REQUEST,
  and: ["r.account = $account", "r.outcome <> 'sent'"],
};

/** The narrowest way for a search. */
export function walkOf({
  number,
  clientMessageId,
  transferId,
  account,
  outcome,
  node,
  job,
}: RowFilter): Walk {
  if (job !== undefined) {
    return JOB;
  }
  if (clientMessageId !== undefined) {
    return CLIENT_ID;
  }
  if (transferId !== undefined) {
    return TRANSFER;
  }
  if (number !== undefined) {
    return NUMBER;
  }
  if (account !== undefined && outcome !== undefined && outcome !== "sent") {
    return OUTCOME;
  }
  return node === undefined ? JOBS : NODE;
}

/** A job of which a page has had a part comes first when it goes on. */
export const goingOn = (walk: Walk): Walk =>
  walk === JOBS ? REST_OF_JOBS : walk === NODE ? REST_OF_NODE : walk;
