import { type Outcome, type ShownOutcome, SKIPS } from "../../shared/outcomes";
import type { Call, Engine, Row, Value } from "../engine/engine";
import { call } from "../engine/query";
import { statement } from "../schema/statement";
import { isPersonLike, type PersonPatterns, personPatterns } from "./person-like";

/** What is searched for; what is left out does not matter. All of it has to fit. */
export interface HistoryFilter {
  readonly account?: string;
  /** Digits of the recipient. */
  readonly number?: string;
  /** Last digits of the recipient. */
  readonly numberEnd?: string;
  /** Part of the name that the row of a list had, in capital or small letters. */
  readonly name?: string;
  readonly clientMessageId?: string;
  readonly transferId?: string;
  readonly node?: string;
  /** As people see it: what a rule kept back is `skipped`, and in no other. */
  readonly outcome?: ShownOutcome;
  /** Epoch ms at which the message was taken: from this one on. */
  readonly from?: number;
  /** Up to, without, this one. */
  readonly to?: number;
  readonly job?: number;
}

/** One recipient of one request. */
export interface HistoryEntry {
  readonly job: number;
  readonly request: number;
  readonly part: number;
  readonly place: number;
  readonly account: string;
  readonly node: string;
  readonly channel: string;
  readonly operation: string;
  readonly number: string;
  /** Who it is for, by `writePerson`; null where no name was given. */
  readonly person: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly state: string;
  /** Epoch ms from which a queued one may leave; null for at once. */
  readonly due: number | null;
  /** Epoch ms at which it was handed to a connection, the last time; null where surely nothing of it left. */
  readonly leftAt: number | null;
  readonly attempts: number;
  readonly outcome: Outcome | null;
  /** What settled it: its `answer`, an `event`, the death of its owner (`orphan`), or a person (`cancel`). */
  readonly settledBy: "answer" | "event" | "orphan" | "cancel" | null;
  readonly answer: string | null;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly settledAt: number | null;
  readonly emittedAt: number | null;
  readonly delivery: string | null;
  readonly deliveryAt: number | null;
  /** Goes on after this entry. */
  readonly cursor: HistoryCursor;
}

/** Takes a search up where a page ended. */
export type HistoryCursor = readonly [
  takenAt: number,
  job: number,
  part: number,
  place: number,
  request: number,
];

/** What a part of a search found. */
export interface HistoryFound {
  readonly entries: readonly HistoryEntry[];
  /** Goes on behind the last row that was looked at; null where there are no more. */
  readonly next: HistoryCursor | null;
  /** Rows that were looked at. */
  readonly looked: number;
}

/** What a search finds, by outcome; null stands for what is still on its way. */
export interface HistoryTallies {
  readonly counts: ReadonlyMap<ShownOutcome | null, number>;
  /** Whether all were counted. */
  readonly complete: boolean;
}

/** The filter as the rows have it. */
interface RowFilter extends Omit<HistoryFilter, "outcome" | "name">, Partial<PersonPatterns> {
  readonly outcome?: Outcome;
  readonly isSkip?: 0 | 1;
}

/** Outcomes of messages that a rule kept back; only of these it has to be asked. */
const OUTCOMES_OF_SKIPS: ReadonlySet<string> = new Set<Outcome>(["rejected", "retry-later"]);

function rowFilterOf({ outcome, name, ...others }: HistoryFilter): RowFilter {
  const rest = name === undefined ? others : { ...others, ...personPatterns(name) };
  if (outcome === undefined) {
    return rest;
  }
  return outcome === "skipped"
    ? { ...rest, isSkip: 1 }
    : { ...rest, outcome, ...(OUTCOMES_OF_SKIPS.has(outcome) && { isSkip: 0 }) };
}

/** Whether an answer is of a message that a rule kept back. A fault of this side stands first in its JSON. */
export const isSkip = (answer: string): string =>
  SKIPS.map((name) => `${answer} LIKE '{"fault":"${name}"%'`).join(" OR ");

/** Outcome of a row as people see it. @param table that has its outcome and its answer */
export const shownOutcomeOf = (table: string): string =>
  `CASE WHEN ${isSkip(`${table}.answer`)} THEN 'skipped' ELSE ${table}.outcome END`;

type FilterKey = Exclude<keyof RowFilter, "typed">;

/** Condition of each filter, with its value as a parameter of its name. */
const CONDITIONS: Readonly<Record<FilterKey, string>> = {
  account: "j.account = $account",
  number: "c.number = $number",
  numberEnd: "c.number LIKE '%' || CAST($numberEnd AS text)",
  person: isPersonLike("c.person"),
  clientMessageId: "r.client_message_id = $clientMessageId",
  transferId: "r.transfer_id = $transferId",
  node: "j.node = $node",
  outcome: "r.outcome = $outcome",
  isSkip: `CASE WHEN ${isSkip("r.answer")} THEN 1 ELSE 0 END = $isSkip`,
  from: "j.taken_at >= $from",
  to: "j.taken_at < $to",
  job: "j.id = $ofJob",
};
const KEYS = Object.keys(CONDITIONS) as FilterKey[];

/** Of a recipient `c` with its request `r` and job `j`. */
const COLUMNS = `j.id AS job, r.id AS request, r.part, c.place, j.account, j.node, j.channel, r.operation, c.number, c.person,
  r.client_message_id, r.transfer_id, r.state, r.due, r.left_at, r.attempts, r.outcome, r.settled_by, r.answer, j.taken_at, r.settled_at,
  r.emitted_at, c.delivery, c.delivery_at`;

/** An entry of what a query finds. @param found ends with FROM and all that follows it, without the columns */
export const entriesOf = (found: (columns: string) => string): string =>
  `SELECT w.job, w.request, w.part, w.place, w.account, w.node, w.channel, w.operation, w.number, w.person,
    w.client_message_id AS "clientMessageId", w.transfer_id AS "transferId", w.state, w.due, w.left_at AS "leftAt", w.attempts,
    w.outcome, w.settled_by AS "settledBy", w.answer, w.taken_at AS "takenAt", w.settled_at AS "settledAt",
    w.emitted_at AS "emittedAt", w.delivery, w.delivery_at AS "deliveryAt" FROM (${found(COLUMNS)}) w`;

/** A way through the messages, newest first, in which an index has both the filter that it begins with and the order. */
interface Walk {
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
function walkOf({ number, clientMessageId, transferId, account, outcome, node, job }: RowFilter): Walk {
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

type Values = Readonly<Record<string, Value | undefined>>;

/** Makes a statement whose parameters have names: they get numbers in the order in which they come first. @returns its call */
function named(name: string, text: string): (values: Values) => Call {
  const names = [...new Set(text.match(/\$\w+/g) ?? [])];
  const made = statement(
    name,
    text.replace(/\$\w+/g, (each) => `?${names.indexOf(each) + 1}`),
  );
  return (values) => call(made, ...names.map((each) => values[each.slice(1)] ?? null));
}

interface Look {
  /** `$most` rows that fit, of the first `$length` on the way. */
  readonly rows: (values: Values) => Call;
  /** The row on the way that follows the first `$skipped`. */
  readonly end: (values: Values) => Call;
  /** How many of the first `$length` on the way fit, by outcome, of the first `$most` of them. */
  readonly tally: (values: Values) => Call;
}

const looks = new Map<string, Look>();

function lookOf(walk: Walk, filter: RowFilter, goesOn: boolean): Look {
  const keys = KEYS.filter((key) => filter[key] !== undefined);
  const filters = keys.map((key) => KEYS.indexOf(key)).join("");
  const name = [walk.name, walk.onward?.name, filters, goesOn ? "on" : ""].join("_");
  const found = looks.get(name) ?? makeLook(walk, keys, goesOn, name);
  looks.set(name, found);
  return found;
}

function makeLook(walk: Walk, keys: readonly FilterKey[], goesOn: boolean, name: string): Look {
  const narrow = keys.filter((key) => walk.keys.includes(key)).map((key) => CONDITIONS[key]);
  const all = ["r.job = j.id", "c.request = r.id", ...walk.and, ...narrow, ...(goesOn ? [walk.after] : [])];
  const way = (columns: string): string =>
    `SELECT ${columns} FROM ${walk.from} WHERE ${all.join(" AND ")} ORDER BY ${walk.order}`;
  // Of the rows on the way the columns have no tables.
  const others = keys
    .filter((key) => !walk.keys.includes(key))
    .map((key) => CONDITIONS[key].replace(/\b[jrc]\./g, "w."));
  const fits = ["1 = 1", ...others].join(" AND ");
  const order = walk.order
    .replace("r.id", "w.request")
    .replace("j.id", "w.job")
    .replace(/\b[jrc]\./g, "w.");
  const compared =
    "r.outcome, j.account, j.node, j.taken_at, c.number, c.person, r.client_message_id, r.transfer_id, r.answer";
  return {
    rows: named(
      `history_${name}`,
      `${entriesOf((columns) => `${way(columns)} LIMIT $length`)} WHERE ${fits} ORDER BY ${order} LIMIT $most`,
    ),
    end: named(
      `history_end_${name}`,
      `${way('j.taken_at AS "takenAt", j.id AS job, r.part, c.place, r.id AS request')} LIMIT 1 OFFSET $skipped`,
    ),
    tally: named(
      `history_tally_${name}`,
      `SELECT f.outcome, count(*) AS count FROM (SELECT ${shownOutcomeOf("w")} AS outcome FROM (${way(compared)} LIMIT $length) w
        WHERE ${fits} LIMIT $most) f GROUP BY f.outcome`,
    ),
  };
}

/** A job of which a page has had a part comes first when it goes on. */
const goingOn = (walk: Walk): Walk => (walk === JOBS ? REST_OF_JOBS : walk === NODE ? REST_OF_NODE : walk);

/**
 * Rows on the way that one statement looks at: at first, and at most. Mostly the first ones fill the page; each of them may lie
 * somewhere else on the disk.
 */
const [FIRST_LOOK, LONGEST_LOOK] = [50, 4_000];
/** How many times as many the next statement looks at. */
const LONGER = 4;

/** As `History.look`. @throws StoreError */
export async function searchHistory(
  engine: Engine,
  filter: HistoryFilter,
  after: HistoryCursor | null,
  most: number,
  budget: number,
): Promise<HistoryFound> {
  const entries: HistoryEntry[] = [];
  const asked = rowFilterOf(filter);
  const begin = walkOf(asked);
  let walk: Walk | null = after === null ? begin : goingOn(begin);
  let [cursor, looked, length] = [after, 0, Math.min(Math.max(FIRST_LOOK, most), budget)];
  while (walk !== null) {
    const left = most - entries.length;
    const look = lookOf(walk, asked, cursor !== null);
    const [time, job, part, place, request] = cursor ?? [];
    const at = { time, job, part, place, request };
    const values = { ...asked, ofJob: asked.job, most: left, length, skipped: length - 1, ...at };
    const [rows = [], [last] = []] = await engine.read([look.rows(values), look.end(values)]);
    entries.push(...rows.map(toEntry));
    if (rows.length === left) {
      return { entries, next: entries.at(-1)?.cursor ?? null, looked: looked + length };
    }
    if (last === undefined) {
      walk = walk.onward;
      continue;
    }
    // There are more on the way behind the last row that was looked at.
    cursor = cursorOf(last);
    looked += length;
    if (looked >= budget) {
      return { entries, next: cursor, looked };
    }
    walk = goingOn(walk);
    length = Math.min(Math.max(most, Math.min(LONGER * length, LONGEST_LOOK)), budget - looked);
  }
  return { entries, next: null, looked };
}

/** As `History.tally`. @throws StoreError */
export async function tallyHistory(
  engine: Engine,
  filter: HistoryFilter,
  most: number,
): Promise<HistoryTallies> {
  const asked = rowFilterOf(filter);
  const look = lookOf(walkOf(asked), asked, false);
  const values = { ...asked, ofJob: asked.job, most, length: most, skipped: most - 1 };
  const [rows = [], end = []] = await engine.read([look.tally(values), look.end(values)]);
  const counts = new Map(rows.map(({ outcome, count }) => [outcome as ShownOutcome | null, Number(count)]));
  const all = [...counts.values()].reduce((sum, each) => sum + each, 0);
  return { counts, complete: end.length === 0 && all < most };
}

type Place = Pick<HistoryEntry, "takenAt" | "job" | "part" | "place" | "request">;

function cursorOf(row: Row): HistoryCursor {
  const { takenAt, job, part, place, request } = row as unknown as Place;
  return [takenAt, job, part, place, request];
}

/** @param row of `entriesOf` */
export const toEntry = (row: Row): HistoryEntry => ({
  ...(row as unknown as Omit<HistoryEntry, "cursor">),
  cursor: cursorOf(row),
});
