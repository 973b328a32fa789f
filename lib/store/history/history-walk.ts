import { isPerson } from "../schema/person";
import { lookUp, lookUpIfAny, type Sql, sql } from "../schema/sql";
import type { RecipientOf } from "./history-entry";
import type { FilterKey, RowFilter } from "./history-filter";

/** Messages `m` with their recipients `c` that a query goes through. */
interface Arm {
  readonly recipient: RecipientOf;
  readonly from: Sql;
  readonly where: string;
}

/** A way through the messages in which an index has both the filter that it begins with and the order. */
export interface Walk {
  readonly name: string;
  /** Filters that the index answers, with their conditions; the others are compared with each row on the way. */
  readonly keys: Readonly<Partial<Record<FilterKey, string>>>;
  readonly arms: readonly Arm[];
  /** Of the rows of an arm, and of what was found, `w`. */
  readonly order: string;
  readonly orderFound: string;
  /** Rows after a cursor, whose parts are `$time`, `$request` and `$place`. */
  readonly after: string;
  /** The walk that comes after this one. */
  readonly onward: Walk | null;
}

const OUTBOX = lookUpIfAny("outbox", "o", "o.id = m.id");
const anyArm = (where = ""): Arm => ({
  recipient: "any",
  from: sql`messages m ${lookUpIfAny("recipients", "c", "m.recipient IS NULL AND c.request = m.id")} ${OUTBOX}`,
  where: `(m.recipient IS NOT NULL OR c.request IS NOT NULL)${where}`,
});

const BY_TIME = {
  order: "m.accepted_at DESC, m.id DESC, c.idx",
  orderFound: "w.accepted_at DESC, w.request DESC, w.place",
  after: "(m.accepted_at, m.id) <= ($time, $request) AND (m.id <> $request OR c.idx > $place)",
  onward: null,
} as const;
const BY_ID = {
  order: "m.id DESC, c.idx",
  orderFound: "w.request DESC, w.place",
  after: "m.id <= $request AND (m.id < $request OR c.idx > $place)",
  onward: null,
} as const;
const BY_PART = {
  order: "m.id, c.idx",
  orderFound: "w.request, w.place",
  after: "m.id >= $request AND (m.id > $request OR c.idx > $place)",
} as const;

const ALL: Walk = {
  ...BY_TIME,
  name: "all",
  keys: { account: "m.account = $account", from: "m.accepted_at >= $from", to: "m.accepted_at < $to" },
  arms: [anyArm()],
};
const PARTS: Walk = {
  ...BY_PART,
  name: "parts",
  keys: { job: "m.job = $ofJob" },
  arms: [anyArm(" AND m.job <> m.id")],
  onward: null,
};
/** First the request with the id of its message, then the others of a list. */
const JOB: Walk = {
  ...BY_PART,
  name: "job",
  keys: { job: "m.id = $ofJob" },
  arms: [anyArm(" AND m.job = m.id")],
  onward: PARTS,
};
const NUMBER: Walk = {
  ...BY_ID,
  name: "number",
  keys: {},
  arms: [
    { recipient: "row", from: sql`messages m ${OUTBOX}`, where: isPerson("m.recipient", "$number") },
    {
      recipient: "list",
      from: sql`recipients c ${lookUp("messages", "m", "m.id = c.request")} ${OUTBOX}`,
      where: isPerson("c.recipient", "$number"),
    },
  ],
  order: "request DESC, place DESC",
  orderFound: "w.request DESC, w.place DESC",
  after: "(c.request, c.idx) < ($request, $place)",
};
const CLIENT_ID: Walk = {
  ...BY_ID,
  name: "client",
  keys: { clientMessageId: "m.client_id = $clientMessageId" },
  arms: [anyArm()],
};
const TRANSFER: Walk = {
  ...BY_ID,
  name: "transfer",
  keys: { transferId: "m.transfer_id = $transferId" },
  arms: [anyArm()],
};
/** Outcomes that are rare, for which there is an index. */
const OUTCOME: Walk = {
  ...BY_ID,
  name: "outcome",
  keys: { account: "m.account = $account", outcome: "m.outcome = $outcome" },
  arms: [anyArm(" AND m.outcome <> 'sent'")],
};

/** The narrowest way for a search. */
export function walkOf({ number, clientMessageId, transferId, account, outcome, job }: RowFilter): Walk {
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
  return account !== undefined && outcome !== undefined && outcome !== "sent" ? OUTCOME : ALL;
}
