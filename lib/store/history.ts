import type { Outcome } from "../shared/outcomes";
import type { Call, Engine, Row, Value } from "./engine/engine";
import { type Statement, statement } from "./schema/statement";
import { Turns } from "../shared/async/turns";

/** What is searched for; what is left out does not matter. All of it has to fit. */
export interface HistoryFilter {
  readonly account?: string;
  /** Digits of the recipient. */
  readonly number?: string;
  /** Last digits of the recipient. */
  readonly numberEnd?: string;
  readonly clientMessageId?: string;
  readonly transferId?: string;
  readonly node?: string;
  readonly outcome?: Outcome;
  /** Epoch ms at which the message was taken: from this one on. */
  readonly from?: number;
  /** Up to, without, this one. */
  readonly to?: number;
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

/** Recipients that have the same outcome and the same status so far. */
export interface HistoryCount {
  readonly channel: string;
  /** null for what is still on its way. */
  readonly outcome: Outcome | null;
  readonly delivery: string | null;
  readonly count: number;
}

/** What is counted. */
export interface HistoryPeriod {
  readonly account: string;
  /** Epoch ms at which the messages were taken: from this one on, and up to, without, this one. */
  readonly from: number;
  readonly to: number;
  readonly node?: string;
}

/** An event in the timeline of a message. */
export interface HistoryEvent {
  readonly kind: "report" | "status" | "inbound";
  readonly number: string | null;
  readonly status: string | null;
  /** Epoch ms by the event itself, and when it was received. */
  readonly at: number;
  readonly receivedAt: number;
  readonly body: string | null;
}

/** Condition of each filter, with its value as a parameter of its name. */
const CONDITIONS: Readonly<Record<keyof HistoryFilter, string>> = {
  account: "j.account = $account",
  number: "c.number = $number",
  numberEnd: "c.number LIKE '%' || CAST($numberEnd AS text)",
  clientMessageId: "r.client_message_id = $clientMessageId",
  transferId: "r.transfer_id = $transferId",
  node: "j.node = $node",
  outcome: "r.outcome = $outcome",
  from: "j.taken_at >= $from",
  to: "j.taken_at < $to",
};
const KEYS = Object.keys(CONDITIONS) as (keyof HistoryFilter)[];

const COLUMNS = `j.id AS job, r.id AS request, r.part, c.place, j.account, j.node, j.channel, r.operation, c.number,
  r.client_message_id, r.transfer_id, r.state, r.due, r.left_at, r.attempts, r.outcome, r.settled_by, r.answer, j.taken_at, r.settled_at,
  r.emitted_at, c.delivery, c.delivery_at`;

/** A way through the messages, newest first, in which an index has both the filter that it begins with and the order. */
interface Walk {
  readonly name: string;
  /** Filters that the index answers; the others are compared with each row on the way. */
  readonly keys: readonly (keyof HistoryFilter)[];
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
/** The rest of a job, which may be a list of a hundred thousand. */
const restOf = (onward: Walk): Walk => ({
  ...BY_JOB,
  name: "rest",
  keys: [],
  and: [],
  order: "r.part, c.place",
  after: "j.id = $job AND r.part >= $part AND (r.part > $part OR c.place > $place)",
  onward,
});
const [REST_OF_JOBS, REST_OF_NODE] = [restOf(JOBS), restOf(NODE)];
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
function walkOf({ number, clientMessageId, transferId, account, outcome, node }: HistoryFilter): Walk {
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

/** A statement whose parameters have names. */
interface Named {
  readonly statement: Statement;
  readonly names: readonly string[];
}

/** Gives the parameters numbers, in the order in which they come first. */
function named(name: string, text: string): Named {
  const names = [...new Set(text.match(/\$\w+/g) ?? [])];
  const numbered = text.replace(/\$\w+/g, (each) => `?${names.indexOf(each) + 1}`);
  return { statement: statement(name, () => numbered), names: names.map((each) => each.slice(1)) };
}

const callOf = (
  { statement: each, names }: Named,
  values: Readonly<Record<string, Value | undefined>>,
): Call => ({
  statement: each,
  values: names.map((name) => values[name] ?? null),
});

interface Look {
  /** `$most` rows that fit, of the first `$length` on the way. */
  readonly rows: Named;
  /** The row on the way that follows the first `$skipped`. */
  readonly end: Named;
  /** How many of the first `$length` on the way fit, by outcome, of the first `$most` of them. */
  readonly tally: Named;
}

const looks = new Map<string, Look>();

function lookOf(walk: Walk, filter: HistoryFilter, goesOn: boolean): Look {
  const keys = KEYS.filter((key) => filter[key] !== undefined);
  const name = [
    walk.name,
    walk.onward?.name,
    keys.map((key) => KEYS.indexOf(key)).join(""),
    goesOn ? "on" : "",
  ].join("_");
  const found = looks.get(name) ?? makeLook(walk, keys, goesOn, name);
  looks.set(name, found);
  return found;
}

function makeLook(walk: Walk, keys: readonly (keyof HistoryFilter)[], goesOn: boolean, name: string): Look {
  const narrow = keys.filter((key) => walk.keys.includes(key)).map((key) => CONDITIONS[key]);
  const way = (columns: string): string =>
    `SELECT ${columns} FROM ${walk.from} WHERE ${["r.job = j.id", "c.request = r.id", ...walk.and, ...narrow, ...(goesOn ? [walk.after] : [])].join(" AND ")} ORDER BY ${walk.order}`;
  // Of the rows on the way the columns have no tables.
  const others = keys
    .filter((key) => !walk.keys.includes(key))
    .map((key) => CONDITIONS[key].replace(/^\w\./, "w."));
  const fits = ["1 = 1", ...others].join(" AND ");
  const order = walk.order
    .replace("r.id", "w.request")
    .replace("j.id", "w.job")
    .replace(/\b[jrc]\./g, "w.");
  const compared = "r.outcome, j.account, j.node, j.taken_at, c.number, r.client_message_id, r.transfer_id";
  return {
    rows: named(
      `history_${name}`,
      `SELECT w.* FROM (${way(COLUMNS)} LIMIT $length) w WHERE ${fits} ORDER BY ${order} LIMIT $most`,
    ),
    end: named(
      `history_end_${name}`,
      `${way("j.taken_at, j.id AS job, r.part, c.place, r.id AS request")} LIMIT 1 OFFSET $skipped`,
    ),
    tally: named(
      `history_tally_${name}`,
      `SELECT f.outcome, count(*) AS count FROM (SELECT w.outcome FROM (${way(compared)} LIMIT $length) w
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

const FIND = statement(
  "history_find",
  () => `SELECT ${COLUMNS} FROM requests r CROSS JOIN jobs j CROSS JOIN recipients c
    WHERE r.id = ?1 AND j.id = r.job AND j.account = ?3 AND c.request = r.id AND c.place = ?2`,
);

const EVENTS = statement(
  "history_events",
  () => `SELECT kind, number, status, at, received_at, body FROM events
    WHERE request = ?1 ORDER BY at, id LIMIT ?2`,
);

// Events of one recipient: of its number, and where it is the only one, of any number or none.
const EVENTS_OF_RECIPIENT = statement(
  "history_events_of_recipient",
  () => `SELECT v.kind, v.number, v.status, v.at, v.received_at, v.body FROM events v
    WHERE v.request = ?1 AND (
      v.number = (SELECT c.number FROM recipients c WHERE c.request = ?1 AND c.place = ?2)
      OR NOT EXISTS (SELECT 1 FROM recipients o WHERE o.request = ?1 AND o.place <> ?2))
    ORDER BY v.at, v.id LIMIT ?3`,
);

const REPLIES = statement(
  "history_replies",
  () => `SELECT kind, number, status, at, received_at, body FROM events
    WHERE number = ?1 AND account = ?2 AND kind = 'inbound' AND received_at >= ?3 ORDER BY received_at, id LIMIT ?4`,
);

/** A message of a person after a message to that person, and before the next one. */
const REPLIED = statement(
  "history_replied",
  () => `SELECT 1 AS replied FROM events v
    WHERE v.number = ?1 AND v.account = ?2 AND v.kind = 'inbound' AND v.received_at >= ?3 AND v.received_at < coalesce(
      (SELECT j.taken_at FROM (SELECT request FROM recipients WHERE number = ?1 AND request > ?4 ORDER BY request LIMIT 500) c
          CROSS JOIN requests r CROSS JOIN jobs j
        WHERE r.id = c.request AND j.id = r.job AND j.account = ?2 AND j.taken_at > ?3
        ORDER BY c.request LIMIT 1), 9007199254740991)
    LIMIT 1`,
);

/** Recipients that one page of a count aims at: the database does nothing else meanwhile. */
const COUNT_PAGE = 10_000;
/** Requests of the first page, which may have a thousand recipients each, and of any page. */
const [FIRST_COUNTED, MOST_COUNTED] = [10, 100];

/** Counts the requests of a page. One whose recipients were deleted counts 0, but the page has passed it. */
const countText = (requests: string): string => `SELECT p.channel, p.outcome, c.delivery,
    count(c.request) AS count, max(p.part) AS part
  FROM (${requests}) p LEFT JOIN recipients c ON c.request = p.request
  GROUP BY p.channel, p.outcome, c.delivery`;

/** Requests of the jobs of a period after a job, oldest first. */
const NEXT_COUNTED = `SELECT j.taken_at, j.id AS job, r.part, r.id AS request, j.channel, r.outcome
  FROM jobs j CROSS JOIN requests r
  WHERE r.job = j.id AND j.account = ?1 AND j.taken_at >= ?2 AND j.taken_at < ?3 AND (j.taken_at, j.id) > (?2, ?5)
    AND (CAST(?4 AS text) IS NULL OR j.node = ?4)
  ORDER BY j.taken_at, j.id, r.part LIMIT ?6`;

const COUNT_NEXT = statement("history_count_next", () => countText(NEXT_COUNTED));
const COUNT_END = statement(
  "history_count_end",
  () => `SELECT p.taken_at, p.job, p.part FROM (${NEXT_COUNTED}) p
    ORDER BY p.taken_at DESC, p.job DESC, p.part DESC LIMIT 1`,
);

/** Further requests of a job of which a page has had some. */
const COUNT_REST = statement("history_count_rest", () =>
  countText(`SELECT r.part, r.id AS request, j.channel, r.outcome FROM jobs j CROSS JOIN requests r
    WHERE j.id = ?1 AND r.job = j.id AND r.part > ?2 ORDER BY r.part LIMIT ?3`),
);

/** Searches of one account that wait for each other, the one under way included. */
const MOST_SEARCHES = 20;

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
  readonly counts: ReadonlyMap<Outcome | null, number>;
  /** Whether all were counted. */
  readonly complete: boolean;
}

/**
 * Reads what became of messages. Every answer is a page, for there may be millions. All of it is read beside the thread or connection that
 * commits.
 */
export class History {
  /** Searches for people, who take turns. */
  readonly turns = new Turns(MOST_SEARCHES);

  constructor(private readonly engine: Engine) {}

  /**
   * Searches until a page is full, the newest messages first; in those with an id, number or outcome that is not `sent`, the newest
   * requests. It may look at all messages for it.
   * @param after cursor of the last entry of the page before; null for the first page
   * @throws StoreError
   */
  async search(
    filter: HistoryFilter,
    after: HistoryCursor | null,
    most: number,
  ): Promise<readonly HistoryEntry[]> {
    return (await this.look(filter, after, most, Number.POSITIVE_INFINITY)).entries;
  }

  /**
   * Searches until a page is full, or a number of messages was looked at.
   * @param after `next` of the page before; null for the first page
   * @param budget messages to look at, at least about that
   * @throws StoreError
   */
  async look(
    filter: HistoryFilter,
    after: HistoryCursor | null,
    most: number,
    budget: number,
  ): Promise<HistoryFound> {
    const entries: HistoryEntry[] = [];
    const begin = walkOf(filter);
    let walk: Walk | null = after === null ? begin : goingOn(begin);
    let [cursor, looked, length] = [after, 0, Math.min(Math.max(FIRST_LOOK, most), budget)];
    while (walk !== null) {
      const left = most - entries.length;
      const { rows, end } = await this.#look(walk, filter, cursor, left, length);
      entries.push(...rows);
      const last: HistoryCursor | null = rows.at(-1)?.cursor ?? null;
      if (rows.length === left) {
        return { entries, next: last, looked: looked + length };
      }
      looked += end === null ? 0 : length;
      if (end === null) {
        walk = walk.onward;
      } else if (looked >= budget) {
        return { entries, next: end, looked };
      } else {
        cursor = end;
        walk = goingOn(walk);
        length = Math.min(Math.max(most, Math.min(LONGER * length, LONGEST_LOOK)), budget - looked);
      }
    }
    return { entries, next: null, looked };
  }

  /**
   * Counts what a search finds, by outcome.
   * @param most where there are more, only so many are counted, and looked at
   * @throws StoreError
   */
  async tally(filter: HistoryFilter, most: number): Promise<HistoryTallies> {
    const length = most;
    const look = lookOf(walkOf(filter), filter, false);
    const values = { ...filter, most, length, skipped: length - 1 };
    const [rows = [], end = []] = await this.engine.read([
      callOf(look.tally, values),
      callOf(look.end, values),
    ]);
    const counts = new Map(
      rows.map(({ outcome, count }) => [textOf(outcome) as Outcome | null, Number(count)]),
    );
    const all = [...counts.values()].reduce((sum, each) => sum + each, 0);
    return { counts, complete: end.length === 0 && all < most };
  }

  /** @returns rows that fit, and the cursor of the last row that was looked at where there are more behind it */
  async #look(
    walk: Walk,
    filter: HistoryFilter,
    after: HistoryCursor | null,
    most: number,
    length: number,
  ): Promise<{ readonly rows: readonly HistoryEntry[]; readonly end: HistoryCursor | null }> {
    const look = lookOf(walk, filter, after !== null);
    const [time, job, part, place, request] = after ?? [];
    const values = { ...filter, most, length, skipped: length - 1, time, job, part, place, request };
    const [rows = [], [end] = []] = await this.engine.read([
      callOf(look.rows, values),
      callOf(look.end, values),
    ]);
    return { rows: rows.map(toEntry), end: end === undefined ? null : cursorOf(end) };
  }

  /** One recipient of one request; null where it is not there or belongs to another account. @throws StoreError */
  async find(account: string, request: number, place: number): Promise<HistoryEntry | null> {
    const [[row] = []] = await this.engine.read([{ statement: FIND, values: [request, place, account] }]);
    return row === undefined ? null : toEntry(row);
  }

  /**
   * Counts the recipients of a period by channel, outcome and delivery. The database counts page by page, so that messages are
   * sent meanwhile; what happens to a message that is counted already does not show.
   * @throws StoreError
   */
  async count({ account, from, to, node }: HistoryPeriod): Promise<readonly HistoryCount[]> {
    const counts = new Map<string, HistoryCount>();
    let most = FIRST_COUNTED;
    const add = (rows: readonly Row[]): void => {
      let added = 0;
      for (const counted of rows.map(toCount).filter(({ count }) => count > 0)) {
        const key = JSON.stringify([counted.channel, counted.outcome, counted.delivery]);
        counts.set(key, { ...counted, count: counted.count + (counts.get(key)?.count ?? 0) });
        added += counted.count;
      }
      const fitting = Math.floor((most * COUNT_PAGE) / Math.max(added, 1));
      most = Math.max(1, Math.min(fitting, 2 * most, MOST_COUNTED));
    };
    let [time, job] = [from, -1];
    for (;;) {
      const values: Value[] = [account, time, to, node ?? null, job, most];
      const [next = [], [end] = []] = await this.engine.read([
        { statement: COUNT_NEXT, values },
        { statement: COUNT_END, values },
      ]);
      add(next);
      if (end === undefined) {
        return [...counts.values()];
      }
      [time, job] = [Number(end.taken_at), Number(end.job)];
      // The page may have ended within a job.
      for (let part = Number(end.part); ; ) {
        const [rest = []] = await this.engine.read([{ statement: COUNT_REST, values: [job, part, most] }]);
        if (rest.length === 0) {
          break;
        }
        add(rest);
        part = Math.max(...rest.map((row) => Number(row.part)));
      }
    }
  }

  /** Events of a request, by their time. @throws StoreError */
  async events(request: number, most: number): Promise<readonly HistoryEvent[]> {
    const [rows = []] = await this.engine.read([{ statement: EVENTS, values: [request, most] }]);
    return rows.map(toEvent);
  }

  /**
   * Events of one recipient of a request, by their time.
   * @param place of the recipient in the request
   * @throws StoreError
   */
  async recipientEvents(request: number, place: number, most: number): Promise<readonly HistoryEvent[]> {
    const [rows = []] = await this.engine.read([
      { statement: EVENTS_OF_RECIPIENT, values: [request, place, most] },
    ]);
    return rows.map(toEvent);
  }

  /** Of each message whether its recipient wrote after it, and before the next message to that number. @throws StoreError */
  async replied(entries: readonly HistoryEntry[]): Promise<readonly boolean[]> {
    const asked = entries.map(({ number, account, takenAt, request }) => ({
      statement: REPLIED,
      values: [number, account, takenAt, request],
    }));
    const found = asked.length === 0 ? [] : await this.engine.read(asked);
    return entries.map((_entry, at) => (found[at]?.length ?? 0) > 0);
  }

  /** Inbound messages of a number since a time, in epoch ms. @throws StoreError */
  async replies(
    account: string,
    number: string,
    since: number,
    most: number,
  ): Promise<readonly HistoryEvent[]> {
    const [rows = []] = await this.engine.read([
      { statement: REPLIES, values: [number, account, since, most] },
    ]);
    return rows.map(toEvent);
  }
}

const textOf = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);
const timeOf = (value: Value | undefined): number | null => (value == null ? null : Number(value));

const cursorOf = (row: Row): HistoryCursor =>
  [row.taken_at, row.job, row.part, row.place, row.request].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];

function toEntry(row: Row): HistoryEntry {
  const cursor = cursorOf(row);
  const [takenAt, job, part, place, request] = cursor;
  return {
    job,
    request,
    part,
    place,
    account: String(row.account),
    node: String(row.node),
    channel: String(row.channel),
    operation: String(row.operation),
    number: String(row.number),
    clientMessageId: textOf(row.client_message_id),
    transferId: textOf(row.transfer_id),
    state: String(row.state),
    due: timeOf(row.due),
    leftAt: timeOf(row.left_at),
    attempts: Number(row.attempts),
    outcome: textOf(row.outcome) as Outcome | null,
    settledBy: textOf(row.settled_by) as HistoryEntry["settledBy"],
    answer: textOf(row.answer),
    takenAt,
    settledAt: timeOf(row.settled_at),
    emittedAt: timeOf(row.emitted_at),
    delivery: textOf(row.delivery),
    deliveryAt: timeOf(row.delivery_at),
    cursor,
  };
}

const toCount = (row: Row): HistoryCount => ({
  channel: String(row.channel),
  outcome: textOf(row.outcome) as Outcome | null,
  delivery: textOf(row.delivery),
  count: Number(row.count),
});

const toEvent = (row: Row): HistoryEvent => ({
  kind: String(row.kind) as HistoryEvent["kind"],
  number: textOf(row.number),
  status: textOf(row.status),
  at: Number(row.at),
  receivedAt: Number(row.received_at),
  body: textOf(row.body),
});
