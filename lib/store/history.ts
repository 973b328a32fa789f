import { type Outcome, OUTCOMES } from "../shared/outcomes";
import type { Engine, Row, Value } from "./engine/engine";
import { type Statement, statement } from "./schema/statement";

/** What is searched for; what is left out does not matter. All of it has to fit. */
export interface HistoryFilter {
  readonly account?: string;
  /** Digits of the recipient. */
  readonly number?: string;
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
export type HistoryCursor = readonly [takenAt: number, job: number, part: number, place: number];

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

/** Condition of each filter; `?` stands for its parameter. */
const CONDITIONS: Readonly<Record<keyof HistoryFilter, string>> = {
  account: "j.account = ?",
  number: "c.number = ?",
  clientMessageId: "r.client_message_id = ?",
  transferId: "r.transfer_id = ?",
  node: "j.node = ?",
  outcome: "r.outcome = ?",
  from: "j.taken_at >= ?",
  to: "j.taken_at < ?",
};
const KEYS = Object.keys(CONDITIONS) as (keyof HistoryFilter)[];

const COLUMNS = `j.id AS job, r.id AS request, r.part, c.place, j.account, j.node, j.channel, r.operation, c.number,
  r.client_message_id, r.transfer_id, r.state, r.due, r.left_at, r.attempts, r.outcome, r.settled_by, r.answer, j.taken_at, r.settled_at,
  r.emitted_at, c.delivery, c.delivery_at`;

/** Lets the database use the index of outcomes that are failures. */
const FAILURE = "r.outcome <> 'sent' AND r.outcome <> 'queued'";

/** Tables in the order in which they are joined: first the one with the narrowest filter. */
const fromText = (keys: readonly (keyof HistoryFilter)[], failure: boolean): string => {
  if (keys.includes("number")) {
    return "recipients c CROSS JOIN requests r CROSS JOIN jobs j";
  }
  const byRequest = failure || keys.includes("clientMessageId") || keys.includes("transferId");
  return byRequest
    ? "requests r CROSS JOIN jobs j CROSS JOIN recipients c"
    : "jobs j CROSS JOIN requests r CROSS JOIN recipients c";
};

/**
 * A statement for each set of filters. The newest messages come first, the parts and recipients of each in their order. Without
 * a narrow filter the database walks down the index of times.
 */
function searchStatement(
  keys: readonly (keyof HistoryFilter)[],
  failure: boolean,
  goesOn: boolean,
): Statement {
  const conditions = keys.map((key, at) => CONDITIONS[key].replace("?", `?${at + 2}`));
  const at = keys.length + 2;
  if (goesOn) {
    const [time, job, part, place] = [at, at + 1, at + 2, at + 3].map((each) => `?${each}`);
    conditions.push(`j.taken_at <= ${time} AND (j.taken_at < ${time} OR j.id < ${job}
      OR (j.id = ${job} AND (r.part > ${part} OR (r.part = ${part} AND c.place > ${place}))))`);
  }
  const where = ["r.job = j.id", "c.request = r.id", ...(failure ? [FAILURE] : []), ...conditions].join(
    " AND ",
  );
  const kind = `${failure ? "_failure" : ""}${goesOn ? "_on" : ""}`;
  const name = `history_${keys.map((key) => KEYS.indexOf(key)).join("")}${kind}`;
  return statement(
    name,
    () => `SELECT ${COLUMNS} FROM ${fromText(keys, failure)} WHERE ${where}
      ORDER BY j.taken_at DESC, j.id DESC, r.part, c.place LIMIT ?1`,
  );
}

/** How many of the first ?1 that a search would find have which outcome. In any order, so that nothing is sorted. */
function tallyStatement(keys: readonly (keyof HistoryFilter)[], failure: boolean): Statement {
  const conditions = keys.map((key, at) => CONDITIONS[key].replace("?", `?${at + 2}`));
  const where = ["r.job = j.id", "c.request = r.id", ...(failure ? [FAILURE] : []), ...conditions].join(
    " AND ",
  );
  return statement(
    `history_tally_${keys.map((key) => KEYS.indexOf(key)).join("")}${failure ? "_failure" : ""}`,
    () => `SELECT f.outcome, count(*) AS count FROM (
        SELECT r.outcome FROM ${fromText(keys, failure)} WHERE ${where} LIMIT ?1) f
      GROUP BY f.outcome`,
  );
}

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
    WHERE number = ?1 AND account = ?2 AND kind = 'inbound' AND received_at >= ?3 ORDER BY id LIMIT ?4`,
);

/** A message of a person after a message to that person, and before the next one. */
const REPLIED = statement(
  "history_replied",
  () => `SELECT 1 AS replied FROM events v
    WHERE v.number = ?1 AND v.account = ?2 AND v.kind = 'inbound' AND v.received_at >= ?3 AND v.received_at < coalesce(
      (SELECT j.taken_at FROM recipients c CROSS JOIN requests r CROSS JOIN jobs j
        WHERE c.number = ?1 AND c.request > ?4 AND r.id = c.request AND j.id = r.job AND j.account = ?2 AND j.taken_at > ?3
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

const statements = new Map<string, Statement>();

/** Reads what became of messages. Every answer is a page, for there may be millions. */
export class History {
  constructor(private readonly engine: Engine) {}

  /**
   * @param after cursor of the last entry of the page before; null for the first page
   * @throws StoreError
   */
  async search(
    filter: HistoryFilter,
    after: HistoryCursor | null,
    most: number,
  ): Promise<readonly HistoryEntry[]> {
    const { keys, failure } = readFilter(filter);
    const name = `${keys.join()} ${failure} ${after !== null}`;
    let found = statements.get(name);
    if (found === undefined) {
      found = searchStatement(keys, failure, after !== null);
      statements.set(name, found);
    }
    const values: Value[] = [most, ...keys.map((key) => filter[key] ?? null), ...(after ?? [])];
    const [rows = []] = await this.engine.run([{ statement: found, values }]);
    return rows.map(toEntry);
  }

  /**
   * Counts what a search finds, by outcome; null stands for what is still on its way.
   * @param most where there are more, only so many are counted
   * @throws StoreError
   */
  async tally(filter: HistoryFilter, most: number): Promise<ReadonlyMap<Outcome | null, number>> {
    const { keys, failure } = readFilter(filter);
    const name = `tally ${keys.join()} ${failure}`;
    let found = statements.get(name);
    if (found === undefined) {
      found = tallyStatement(keys, failure);
      statements.set(name, found);
    }
    const values: Value[] = [most, ...keys.map((key) => filter[key] ?? null)];
    const [rows = []] = await this.engine.run([{ statement: found, values }]);
    return new Map(rows.map(({ outcome, count }) => [textOf(outcome) as Outcome | null, Number(count)]));
  }

  /** One recipient of one request; null where it is not there or belongs to another account. @throws StoreError */
  async find(account: string, request: number, place: number): Promise<HistoryEntry | null> {
    const [[row] = []] = await this.engine.run([{ statement: FIND, values: [request, place, account] }]);
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
      const [next = [], [end] = []] = await this.engine.run([
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
        const [rest = []] = await this.engine.run([{ statement: COUNT_REST, values: [job, part, most] }]);
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
    const [rows = []] = await this.engine.run([{ statement: EVENTS, values: [request, most] }]);
    return rows.map(toEvent);
  }

  /**
   * Events of one recipient of a request, by their time.
   * @param place of the recipient in the request
   * @throws StoreError
   */
  async recipientEvents(request: number, place: number, most: number): Promise<readonly HistoryEvent[]> {
    const [rows = []] = await this.engine.run([
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
    const found = asked.length === 0 ? [] : await this.engine.run(asked);
    return entries.map((_entry, at) => (found[at]?.length ?? 0) > 0);
  }

  /** Inbound messages of a number since a time, in epoch ms. @throws StoreError */
  async replies(
    account: string,
    number: string,
    since: number,
    most: number,
  ): Promise<readonly HistoryEvent[]> {
    const [rows = []] = await this.engine.run([
      { statement: REPLIES, values: [number, account, since, most] },
    ]);
    return rows.map(toEvent);
  }
}

/** Filters in their order, and whether they fit failures alone. */
function readFilter(filter: HistoryFilter): { keys: readonly (keyof HistoryFilter)[]; failure: boolean } {
  const { outcome } = filter;
  return {
    keys: KEYS.filter((key) => filter[key] !== undefined),
    failure: outcome !== undefined && OUTCOMES[outcome].failure,
  };
}

const textOf = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);
const timeOf = (value: Value | undefined): number | null => (value == null ? null : Number(value));

function toEntry(row: Row): HistoryEntry {
  const [takenAt, job, part, place] = [row.taken_at, row.job, row.part, row.place].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return {
    job,
    request: Number(row.request),
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
    cursor: [takenAt, job, part, place],
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
