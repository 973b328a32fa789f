import { Batches } from "./engine/batches";
import type { Clock } from "./engine/clock";
import type { Call, Engine, Short } from "./engine/engine";
import { blocked } from "./rates";
import { type ClaimGuard, guardCalls, type HeldNumber, NO_GUARD, readHeld } from "./guards/guard-calls";
import { nextClaim } from "./guards/claimed";
import { type RequestRules, RULE_COLUMNS, ruleEntry } from "./guards/request-rules";
import type { Dialect } from "./schema/dialect";
import { isStill } from "./schema/is-still";
import { statement } from "./schema/statement";
import { sliced } from "./engine/sliced";
import { queueTopic } from "./topics";

/** A message of the flow, as it is taken. */
export interface NewJob {
  /** Made by the caller, unique for ever: the same job taken twice, after an error for example, is taken once. */
  readonly key: string;
  readonly account: string;
  /** Id of the node whose outputs its results leave from. */
  readonly node: string;
  /** Instance that has the live message. */
  readonly taker: string;
  readonly channel: string;
  /** The message as JSON, to restore it after a restart; null where it cannot be restored. */
  readonly snapshot: string | null;
}

/** One request to the service. Parts of a job count from 0 and are unique in it. */
export interface NewRequest {
  readonly part: number;
  readonly operation: string;
  /** Higher ones leave first; equal ones in the order in which they came. Usually 0. */
  readonly priority: number;
  readonly clientMessageId: string | null;
  /** Its fields as JSON, without the recipients. Deleted when the request is settled, unless texts are kept. */
  readonly content: string;
  /** Digits of each number, in the order in which they are sent. */
  readonly recipients: readonly string[];
  /** Without them it leaves as soon as it can, to everybody. */
  readonly rules?: RequestRules | undefined;
}

/** A request that was taken and claimed in one. */
export interface LeavingRequest {
  readonly id: number;
  readonly job: number;
  /** Recipients that it must not be sent to now. */
  readonly held: readonly HeldNumber[];
}

/** A request that is in the store. */
export interface StoredRequest {
  readonly id: number;
  readonly part: number;
}

// Entries: key, account, node, taker, channel.
const ADD_JOBS = statement(
  "jobs_add",
  (d) => `INSERT INTO jobs (job_key, account, node, taker, channel, taken_at, sealed)
    SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, CAST(?2 AS bigint), CAST(?3 AS integer)
    FROM ${d.each("?1", "e")} WHERE true ON CONFLICT (job_key) DO NOTHING`,
);

/**
 * Whether a request of a job `j` leaves at once. As with a claim, a dead instance sends nothing, nor does a paused account, and
 * nothing leaves for a service that is blocked. ?7 owner, ?8 origin of the service.
 */
const leaves = (d: Dialect): string => `CAST(?7 AS text) IS NOT NULL
      AND EXISTS (SELECT 1 FROM instances i WHERE i.id = ?7 AND i.dead_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM paused_accounts p WHERE p.account = j.account)
      AND NOT ${blocked(d, "?8")}`;

/** Entries of a list with their jobs `j`. */
const jobOf = (d: Dialect): string =>
  `${d.each("?1", "e")} ${d.lookUp("jobs", "j", "j.job_key = e.value ->> 0")}`;
/** The same with their requests `r`. */
const requestOf = (d: Dialect): string =>
  `${jobOf(d)} ${d.lookUp("requests", "r", "r.job = j.id AND r.part = CAST(e.value ->> 1 AS integer)")}`;

// Entries: key, snapshot. A job that is taken again has its requests, and may be done.
const ADD_SNAPSHOTS = statement(
  "jobs_add_snapshots",
  (d) => `INSERT INTO snapshots (job, snapshot)
    SELECT j.id, e.value ->> 1 FROM ${jobOf(d)}
    WHERE (SELECT r.id FROM requests r WHERE r.job = j.id LIMIT 1) IS NULL ON CONFLICT (job) DO NOTHING`,
);

// Entries: key of the job, part, operation, priority, client message id, content, numbers, rules. Where they are to leave at once, ?4 is the
// number of the claim, ?5 and ?6 are the begin of hour and day.
// MATERIALIZED: whether it leaves is found out once for each, not once for each column.
const addRequests = (d: Dialect, further = "", columns = "", values = ""): string => `INSERT INTO requests
      (job, part, account, operation, state, owner, left_at, claim, spent_hour, spent_day, priority, attempts,
        client_message_id, content${columns})
    WITH n AS MATERIALIZED (
      SELECT j.id, j.account, e.value ->> 1 AS part, e.value ->> 2 AS operation, e.value ->> 3 AS priority,
        e.value ->> 4 AS client_id, e.value ->> 5 AS content, ${d.place("e")} AS place, e.value -> 7 AS rules,
        CASE WHEN ${leaves(d)} ${further} THEN CAST(?7 AS text) END AS owner
      FROM ${jobOf(d)})
    SELECT n.id, CAST(n.part AS integer), n.account, n.operation,
      CASE WHEN n.owner IS NULL THEN CAST(?2 AS text) ELSE 'leaving' END, n.owner,
      CASE WHEN n.owner IS NOT NULL THEN CAST(?3 AS bigint) END, CASE WHEN n.owner IS NOT NULL THEN CAST(?4 AS bigint) END,
      CASE WHEN n.owner IS NOT NULL THEN CAST(?5 AS bigint) END, CASE WHEN n.owner IS NOT NULL THEN CAST(?6 AS bigint) END,
      CAST(n.priority AS integer), 0, n.client_id, n.content${values}
    FROM n WHERE true ORDER BY n.place ON CONFLICT (job, part) DO NOTHING
    RETURNING id, job, part, state, (SELECT k.job_key FROM jobs k WHERE k.id = requests.job) AS job_key`;

const ADD_REQUESTS = statement("jobs_add_requests", (d) => addRequests(d));

/** Columns that are never null. */
const INITIAL = { postponed: 0, also_opted_out: 0, cost: 1 } as const;

const ADD_REQUESTS_WITH_RULES = statement("jobs_add_requests_with_rules", (d) =>
  addRequests(
    d,
    "AND e.value -> 7 ->> 0 IS NULL",
    RULE_COLUMNS.map(([name]) => `, ${name}`).join(""),
    RULE_COLUMNS.map(([name, type], place) => {
      const value = `CAST(n.rules ->> ${place} AS ${type})`;
      // Requests without rules may be in the same list.
      return name in INITIAL
        ? `, coalesce(${value}, ${INITIAL[name as keyof typeof INITIAL]})`
        : `, ${value}`;
    }).join(""),
  ),
);

const ADD_RECIPIENTS = statement(
  "jobs_add_recipients",
  (d) => `INSERT INTO recipients (request, place, number, delivery_rank)
    SELECT r.id, ${d.place("n")}, ${d.text("n")}, 0
    FROM ${requestOf(d)} CROSS JOIN ${d.each("e.value -> 6", "n")} WHERE true
    ON CONFLICT (request, place) DO NOTHING`,
);

const FIND_REQUESTS = statement(
  "jobs_find_requests",
  (d) => `SELECT r.id, r.part, j.job_key FROM ${requestOf(d)}`,
);

/** Taker of a message that is being removed. */
const NOBODY = "''";

const SEAL = statement(
  "jobs_seal",
  () => `UPDATE jobs SET sealed = 1 WHERE job_key = ?1 AND sealed = 0 AND taker <> ${NOBODY}`,
);

const SEALED = statement("jobs_sealed", () => "SELECT id FROM jobs WHERE job_key = ?1 AND sealed = 1");

/** From then on it cannot be sealed: a part of it may be gone. */
const GIVE_UP = statement(
  "jobs_give_up",
  () => `UPDATE jobs SET taker = ${NOBODY} WHERE job_key = ?1 AND sealed = 0`,
);

const QUEUE_FILLED = statement(
  "jobs_queue_filled",
  (d) =>
    `UPDATE requests SET state = 'queued' WHERE id ${d.among(`
      SELECT r.id FROM requests r WHERE r.state = 'filling'
        AND r.job = (SELECT j.id FROM jobs j WHERE j.job_key = ?1 AND j.sealed = 1)
      ORDER BY r.part LIMIT ?2`)} AND ${isStill("filling")} RETURNING id`,
);

const DROP_RECIPIENTS = statement(
  "jobs_drop_recipients",
  () => `DELETE FROM recipients WHERE (request, place) IN (
      SELECT c.request, c.place FROM jobs j CROSS JOIN requests r CROSS JOIN recipients c
      WHERE j.job_key = ?1 AND j.sealed = 0 AND r.job = j.id AND c.request = r.id LIMIT ?2) RETURNING place`,
);

const DROP_REQUESTS = statement(
  "jobs_drop_requests",
  () => `DELETE FROM requests WHERE id IN (
      SELECT r.id FROM jobs j CROSS JOIN requests r WHERE j.job_key = ?1 AND j.sealed = 0 AND r.job = j.id
        AND NOT EXISTS (SELECT 1 FROM recipients c WHERE c.request = r.id) LIMIT ?2) RETURNING id`,
);

const IS_EMPTY = "NOT EXISTS (SELECT 1 FROM requests r WHERE r.job = jobs.id)";

const DROP_SNAPSHOT = statement(
  "jobs_drop_snapshot",
  () =>
    `DELETE FROM snapshots WHERE job = (SELECT jobs.id FROM jobs WHERE job_key = ?1 AND sealed = 0 AND ${IS_EMPTY})`,
);

const DROP_JOB = statement(
  "jobs_drop",
  () => `DELETE FROM jobs WHERE job_key = ?1 AND sealed = 0 AND ${IS_EMPTY}`,
);

const KNOWN = statement(
  "jobs_known",
  (d) => `SELECT job_key, taker FROM jobs WHERE job_key IN (SELECT ${d.text("e")} FROM ${d.each("?1", "e")})`,
);

interface Page {
  readonly patient: boolean;
  readonly job: NewJob;
  readonly requests: readonly NewRequest[];
}

interface Departure {
  readonly job: NewJob;
  readonly request: NewRequest;
  readonly owner: string;
  readonly origin: string;
  readonly guard: ClaimGuard;
}

const jobEntry = ({ key, account, node, taker, channel }: NewJob) => [key, account, node, taker, channel];

/** Values of an entry without rules. */
const PLAIN = 7;

const requestEntry = (
  key: string,
  { part, operation, priority, clientMessageId, content, recipients, rules }: NewRequest,
  now: number,
) => {
  const entry = [key, part, operation, priority, clientMessageId, content, recipients];
  return rules === undefined ? entry : [...entry, ruleEntry(rules, now)];
};

/**
 * Takes messages into the store. A message is taken when all of its requests are there: `take` does that at once; `begin`,
 * `add` and `seal` do it page by page for long lists, of which nothing leaves before `seal`. Every call may be repeated
 * after an error.
 */
export class Jobs {
  readonly #takes: Batches<Page, readonly StoredRequest[]>;
  readonly #departures: Batches<Departure, LeavingRequest | null>;

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {
    this.#takes = new Batches((pages) => this.#takeAll(pages));
    this.#departures = new Batches((all) => this.#takeLeavingAll(all));
  }

  /**
   * Takes a message whole. Its requests may leave as soon as this resolves.
   * @param patient whether it may take some ms, to share its commit with others
   * @returns its requests by part
   * @throws StoreError
   */
  take(job: NewJob, requests: readonly NewRequest[], patient = false): Promise<readonly StoredRequest[]> {
    return this.#takes.add({ job, requests, patient });
  }

  /**
   * Takes a message of one request that its owner sends at once: it is marked as leaving with the same commit. Only while nothing that
   * came before it waits.
   * @param origin of the service, as for `Requests.claim`
   * @returns null where it is queued like others, because it waits for its time, the account is paused, the owner is not alive, or the service is blocked
   * @throws StoreError. Where it is uncertain, the request may be leaving without anybody's knowledge: see `Requests.releaseOthers`
   */
  takeLeaving(
    job: NewJob,
    request: NewRequest,
    owner: string,
    origin = "",
    guard = NO_GUARD,
  ): Promise<LeavingRequest | null> {
    return this.#departures.add({ job, request, owner, origin, guard });
  }

  /** Begins a message of several pages. @throws StoreError */
  async begin(job: NewJob): Promise<void> {
    await this.engine.run(this.#addJobs([job], 0));
  }

  /** Adds a page of about a thousand recipients to a message that was begun. @throws StoreError */
  async add(key: string, requests: readonly NewRequest[]): Promise<readonly StoredRequest[]> {
    const entries = requests.map((each) => requestEntry(key, each, this.clock.now()));
    const found = await this.#store(entries, [], "filling", []);
    return storedOf(found, key, requests);
  }

  /**
   * The message is complete: from the first commit of this call on it is taken, and its requests may leave.
   * @returns false where it was removed, because others have taken this process for dead: nothing of it leaves
   * @throws StoreError
   */
  async seal(key: string, account: string): Promise<boolean> {
    const [, sealed = []] = await this.engine.run([
      { statement: SEAL, values: [key] },
      { statement: SEALED, values: [key] },
    ]);
    await this.queueFilled(key, account);
    return sealed.length > 0;
  }

  /** Queues what a sealed job still has to be queued: `seal` does so, and recovery where a restart came between. */
  queueFilled(key: string, account: string): Promise<number> {
    return sliced(async (most) => {
      const [queued = []] = await this.engine.run(
        [{ statement: QUEUE_FILLED, values: [key, most] }],
        [queueTopic(account)],
      );
      return queued.length;
    });
  }

  /** Removes a message that was begun and not sealed. Nothing of it has left. @throws StoreError */
  async abandon(key: string): Promise<void> {
    await sliced(async (most) => {
      const [, recipients = [], requests = []] = await this.engine.run([
        { statement: GIVE_UP, values: [key] },
        { statement: DROP_RECIPIENTS, values: [key, most] },
        { statement: DROP_REQUESTS, values: [key, most] },
        { statement: DROP_SNAPSHOT, values: [key] },
        { statement: DROP_JOB, values: [key] },
      ]);
      return Math.max(recipients.length, requests.length);
    });
  }

  /** Those of the keys that the database has, with the instance that emits their results. @throws StoreError */
  async known(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const [rows = []] = await this.engine.run([{ statement: KNOWN, values: [JSON.stringify(keys)] }]);
    return new Map(rows.map(({ job_key, taker }) => [String(job_key), String(taker)]));
  }

  async #takeAll(pages: readonly Page[]): Promise<readonly (readonly StoredRequest[])[]> {
    const entries = pages.flatMap(({ job, requests }) =>
      requests.map((each) => requestEntry(job.key, each, this.clock.now())),
    );
    const jobs = pages.map(({ job }) => job);
    const topics = [...new Set(jobs.map(({ account }) => queueTopic(account)))];
    const short = pages.every(({ patient }) => patient) ? "patient" : "own";
    const found = await this.#store(entries, this.#addJobs(jobs, 1), "queued", topics, short);
    return pages.map(({ job, requests }) => storedOf(found, job.key, requests));
  }

  async #takeLeavingAll(all: readonly Departure[]): Promise<readonly (LeavingRequest | null)[]> {
    const now = this.clock.now();
    const list = JSON.stringify(all.map(({ job, request }) => requestEntry(job.key, request, now)));
    const hasRules = all.some(({ request }) => request.rules !== undefined);
    const mayHaveKeys = hasRules && all.some(({ request }) => request.rules?.once != null);
    const claim = nextClaim();
    // All of them are of one account and one process.
    const [
      {
        job: { account },
        owner,
        origin,
        guard,
      },
    ] = all as readonly [Departure, ...Departure[]];
    const { limits } = guard;
    const periods = [limits?.hourStarts ?? null, limits?.dayStarts ?? null];
    const jobs = this.#addJobs(
      all.map(({ job }) => job),
      1,
    );
    const results = await this.engine.run(
      [
        ...jobs,
        {
          statement: hasRules ? ADD_REQUESTS_WITH_RULES : ADD_REQUESTS,
          values: [list, "queued", now, claim, ...periods, owner, origin],
        },
        { statement: ADD_RECIPIENTS, values: [list] },
        ...guardCalls(account, owner, claim, now, limits, mayHaveKeys),
      ],
      [],
      limits !== null || mayHaveKeys ? "contended" : "own",
    );
    const [rows = [], , ...found] = results.slice(jobs.length);
    const requests = new Map(all.map(({ job, request }) => [job.key, request]));
    const leaving = rows
      .filter(({ state }) => state === "leaving")
      .map(({ job_key, id, job }) => {
        const { recipients = [], rules } = requests.get(String(job_key)) ?? {};
        return { key: job_key, id: Number(id), job: Number(job), recipients, cost: rules?.cost ?? 1 };
      });
    const held = readHeld(found, leaving, mayHaveKeys, guard);
    const byKey = new Map(leaving.map(({ key, id, job }) => [key, { id, job, held: held.get(id) ?? [] }]));
    return all.map(({ job }) => byKey.get(job.key) ?? null);
  }

  #addJobs(jobs: readonly NewJob[], sealed: 0 | 1): readonly Call[] {
    const snapshots = jobs.flatMap(({ key, snapshot }) => (snapshot === null ? [] : [[key, snapshot]]));
    return [
      { statement: ADD_JOBS, values: [JSON.stringify(jobs.map(jobEntry)), this.clock.now(), sealed] },
      ...(snapshots.length === 0 ? [] : [{ statement: ADD_SNAPSHOTS, values: [JSON.stringify(snapshots)] }]),
    ];
  }

  /** @returns ids of the requests, those that were there before included, by key of the job and part */
  async #store(
    entries: readonly (readonly unknown[])[],
    first: readonly Call[],
    state: "queued" | "filling",
    wake: readonly string[],
    short?: Short,
  ): Promise<ReadonlyMap<string, number>> {
    const list = JSON.stringify(entries);
    const calls: readonly Call[] = [
      ...first,
      {
        statement: entries.some((each) => each.length > PLAIN) ? ADD_REQUESTS_WITH_RULES : ADD_REQUESTS,
        values: [list, state, this.clock.now(), null, null, null, null, ""],
      },
      { statement: ADD_RECIPIENTS, values: [list] },
    ];
    let rows = (await this.engine.run(calls, wake, short)).at(-2) ?? [];
    if (rows.length < entries.length) {
      // Some were there before.
      [rows = []] = await this.engine.run([{ statement: FIND_REQUESTS, values: [list] }]);
    }
    return new Map(rows.map((row) => [`${row.job_key} ${row.part}`, Number(row.id)]));
  }
}

const storedOf = (
  found: ReadonlyMap<string, number>,
  key: string,
  requests: readonly NewRequest[],
): readonly StoredRequest[] =>
  requests.map(({ part }) => ({ id: found.get(`${key} ${part}`) ?? 0, part })).filter(({ id }) => id > 0);
