import { FORGET_ACCOUNT_DAYS } from "./events/day-counts";
import { randomUUID } from "node:crypto";
import { NOT_LEFT } from "./jobs/cancel-requests";
import type { Row, Value } from "./engine/engine";
import { call, rowsOf, textOrNull } from "./engine/query";
import { Repository } from "./engine/repository";
import { RULE_COLUMNS } from "./guards/request-rules";
import { NO_NODE } from "./schema/stored-values";
import { openPages } from "./jobs/open-pages";
import { checked, isStill, numbersOf, SNAPSHOT } from "./schema/expressions";
import { among, chosen, each, idOf, jobsOf, placeOf, sql, textsOf } from "./schema/sql";
import { statement } from "./schema/statement";

/** Requests of one move: each is one operation in either store. */
const MOST = 100;

/** End of the name of a move whose requests a person has paused. */
const PAUSED = "/held";

/** What of a request comes along as it is. */
const COLUMNS = [
  ["operation", "text"],
  ["priority", "integer"],
  ["attempts", "integer"],
  ["client_message_id", "text"],
  ["content", "text"],
  ...RULE_COLUMNS,
] as const;
const COLUMN_NAMES = COLUMNS.map(([name]) => name);

/** A message of which requests are brought to another store. */
export interface MovedJob {
  readonly key: string;
  readonly node: string;
  readonly channel: string;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly snapshot: string | null;
  /** The highest of its parts that is done, and stays; null where none is. */
  readonly done: number | null;
}

export interface MovedRequest {
  readonly key: string;
  readonly part: number;
  readonly content: string | null;
  /** Values of all columns, `content` among them. */
  readonly columns: Readonly<Record<string, Value>>;
  /** Places of its recipients with their digits, and who they are. */
  readonly recipients: readonly (readonly [place: number, number: string, person: string | null])[];
}

/** Requests that go from one store to another together. */
export interface Move {
  readonly id: string;
  readonly jobs: readonly MovedJob[];
  readonly requests: readonly MovedRequest[];
  /** Rows of the lists that hold messages back, for the people and keys of these requests. */
  readonly optOuts: readonly (readonly Value[])[];
  readonly onceKeys: readonly (readonly Value[])[];
}

const NAME = statement("moves_name_place")`
    INSERT INTO places (one, id) VALUES (1, ?1) ON CONFLICT (one) DO NOTHING`;
const PLACE = statement("moves_place")`SELECT id FROM places WHERE one = 1`;

/** Whether a process that is alive, other than ?3, runs nodes of the account ?1: then it sends what waits. */
const RUN_ELSEWHERE = `EXISTS (SELECT 1 FROM instance_nodes n JOIN instances i ON i.id = n.instance
  WHERE n.account = ?1 AND n.instance <> ?3 AND i.dead_at IS NULL)`;

// Messages of which something is under way wait until that is settled: only then it is known which parts are done. ?2 ids of jobs.
const MOVABLE = statement("moves_movable")`
    SELECT j.id FROM ${jobsOf("?2")}
    WHERE j.account = ?1 AND j.sealed = 1 AND NOT EXISTS (
      SELECT 1 FROM requests o WHERE o.job = j.id AND o.state <> 'emitted' AND o.state IN ('leaving', 'filling'))
    ORDER BY j.id`;

// ?2 how many at most, ?4 ids of jobs, ?5 name of the move, ?6 whether those that are paused.
const MARK = statement("moves_mark")`
    UPDATE requests SET state = 'moving', owner = ?5 WHERE id ${chosen(
      sql`SELECT r.id FROM ${each("?4")} CROSS JOIN requests r
      WHERE r.job = ${idOf()} AND ${NOT_LEFT}
        AND CASE r.state WHEN 'held' THEN 1 ELSE 0 END = CAST(?6 AS integer)
        AND NOT ${RUN_ELSEWHERE}
      ORDER BY r.job, r.part LIMIT ?2`,
      "r",
    )} AND ${isStill("queued", "held", "parked")} RETURNING id`;

const UNDER_WAY = statement("moves_under_way")`
    SELECT owner, count(*) AS requests FROM requests WHERE account = ?1 AND state = 'moving'
    GROUP BY owner ORDER BY min(id)`;

/** The requests `r` of a move. ?1 account, ?2 its name. */
const OF_MOVE = "r.account = ?1 AND r.state = 'moving' AND r.owner = ?2";

const READ = statement("moves_read")`
    SELECT r.job, r.part, ${COLUMN_NAMES.map((name) => `r.${name}`).join(", ")},
      ${numbersOf("r.id")} AS numbers,
      ${numbersOf("r.id", "c.place")} AS places,
      ${numbersOf("r.id", "c.person")} AS people
    FROM requests r WHERE ${OF_MOVE} ORDER BY r.id`;

const READ_JOBS = statement("moves_read_jobs")`
    SELECT j.id, j.job_key AS key, j.node, j.channel, j.taken_at AS "takenAt", ${SNAPSHOT},
      (SELECT max(o.part) FROM requests o WHERE o.job = j.id AND o.state IN ('settled', 'emitted')) AS done
    FROM ${jobsOf("?1")} ORDER BY j.id`;

const READ_OPT_OUTS = statement("moves_read_opt_outs")`
    SELECT DISTINCT o.number, o.scope, o.at, o.source
    FROM requests r CROSS JOIN recipients c CROSS JOIN opt_outs o
    WHERE ${OF_MOVE} AND c.request = r.id AND o.account = r.account AND o.number = c.number`;

const READ_KEYS = statement("moves_read_keys")`
    SELECT DISTINCT k.once_key, k.number, k.hash, k.at, k.until,
      coalesce((SELECT f.outcome FROM requests f WHERE f.id = k.request), k.outcome) AS outcome
    FROM requests r CROSS JOIN recipients c CROSS JOIN once_keys k
    WHERE ${OF_MOVE} AND c.request = r.id AND k.number = c.number AND k.account = r.account
      AND k.once_key = (r.once_key || '') AND k.until > ?3 AND k.request <> r.id`;

const ARRIVE = statement("moves_arrive")`
    INSERT INTO arrivals (id, at, done) VALUES (?1, ?2, 0) ON CONFLICT (id) DO NOTHING`;
const ARRIVED = statement("moves_arrived")`UPDATE arrivals SET done = 1 WHERE id = ?1 AND done = 0`;

/** Whether the move ?2 has not arrived before: what has arrived may have left and be deleted by now. */
const IS_NEW = "EXISTS (SELECT 1 FROM arrivals a WHERE a.id = ?2 AND a.done = 0)";

// Entries: key, node, channel, time, snapshot. ?3 account, ?4 result owner.
const ADD_JOBS = statement("moves_add_jobs")`
    INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT e.value ->> 0, CAST(?3 AS text), e.value ->> 1, CAST(?4 AS text), e.value ->> 2, CAST(e.value ->> 3 AS bigint), 1
    FROM ${each("?1")} WHERE ${IS_NEW} ORDER BY ${placeOf()} ON CONFLICT (job_key) DO NOTHING`;

/** The entries with their jobs. */
const withJobs = sql`${each("?1")} CROSS JOIN jobs j WHERE j.job_key = e.value ->> 0 AND ${checked("j.account")} = ?3 AND ${IS_NEW}`;

const ADD_SNAPSHOTS = statement("moves_add_snapshots")`
    INSERT INTO snapshots (job, snapshot)
    SELECT j.id, e.value ->> 4 FROM ${withJobs} AND e.value ->> 4 IS NOT NULL ON CONFLICT (job) DO NOTHING`;

// The parts that stay count: those that are split off later get numbers above them, and the results of the others are a group of their own.
const ADD_DONE = statement("moves_add_done")`
    INSERT INTO requests (job, part, account, operation, state, priority, attempts)
    SELECT j.id, CAST(e.value ->> 5 AS integer), j.account, '', 'emitted', 0, 0
    FROM ${withJobs} AND e.value ->> 5 IS NOT NULL ON CONFLICT (job, part) DO NOTHING`;

// Entries: key, part, state, recipients, then the columns. Nothing leaves before it is known whether its node is there. What is on its
// way from here to where it
// comes from is back.
const ADD_REQUESTS = statement("moves_add_requests")`
    INSERT INTO requests (job, part, account, state, ${COLUMN_NAMES.join(", ")})
    SELECT j.id, CAST(e.value ->> 1 AS integer), j.account,
      CASE WHEN e.value ->> 2 = 'parked' AND j.node = '${NO_NODE}' THEN 'queued' ELSE e.value ->> 2 END,
      ${COLUMNS.map(([, type], at) => `CAST(e.value ->> ${at + 4} AS ${type})`).join(", ")}
    FROM ${withJobs} ORDER BY ${placeOf()}
    ON CONFLICT (job, part) DO UPDATE SET state = excluded.state, owner = NULL
      WHERE requests.state = 'moving'`;

const ADD_RECIPIENTS = statement("moves_add_recipients")`
    INSERT INTO recipients (request, place, number, person, delivery_rank)
    SELECT r.id, CAST(n.value ->> 0 AS integer), n.value ->> 1, n.value ->> 2, 0
    FROM ${each("?1")} CROSS JOIN jobs j CROSS JOIN requests r CROSS JOIN ${each("e.value -> 3", "n")}
    WHERE j.job_key = e.value ->> 0 AND ${checked("j.account")} = ?3 AND r.job = j.id AND r.part = CAST(e.value ->> 1 AS integer) AND ${IS_NEW}
    ON CONFLICT (request, place) DO NOTHING`;

// Entries: number, scope, time, source.
const ADD_OPT_OUTS = statement("moves_add_opt_outs")`
    INSERT INTO opt_outs (account, number, scope, at, source)
    SELECT CAST(?3 AS text), e.value ->> 0, e.value ->> 1, CAST(e.value ->> 2 AS bigint), e.value ->> 3
    FROM ${each("?1")} WHERE ${IS_NEW} ORDER BY e.value ->> 0
    ON CONFLICT (account, number) DO UPDATE SET scope = excluded.scope, at = excluded.at, source = excluded.source
      WHERE opt_outs.scope <> 'all' AND excluded.scope = 'all'`;

// Entries: key, number, hash, begin, end, outcome. No request here holds them. ?4 now.
const ADD_KEYS = statement("moves_add_keys")`
    INSERT INTO once_keys (account, once_key, number, request, hash, at, until, outcome)
    SELECT CAST(?3 AS text), e.value ->> 0, e.value ->> 1, 0, e.value ->> 2, CAST(e.value ->> 3 AS bigint),
      CAST(e.value ->> 4 AS bigint), e.value ->> 5
    FROM ${each("?1")} WHERE ${IS_NEW} ORDER BY e.value ->> 0, e.value ->> 1
    ON CONFLICT (account, once_key, number) DO UPDATE SET
        request = excluded.request, hash = excluded.hash, at = excluded.at, until = excluded.until, outcome = excluded.outcome
      WHERE once_keys.until <= ?4`;

const REMOVE_RECIPIENTS = statement("moves_remove_recipients")`
    DELETE FROM recipients WHERE request IN (SELECT r.id FROM requests r WHERE ${OF_MOVE})`;
const REMOVE_REQUESTS = statement("moves_remove_requests")`
    DELETE FROM requests WHERE id IN (SELECT r.id FROM requests r WHERE ${OF_MOVE}) AND state = 'moving' AND owner = ?2
    RETURNING id`;
/** Messages of an account of which nothing stays. ?1 their keys, ?2 account. */
const isGone = sql`jobs.job_key IN (${textsOf("?1")}) AND jobs.account = ?2
    AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.job = jobs.id)`;
const REMOVE_SNAPSHOTS = statement("moves_remove_snapshots")`
    DELETE FROM snapshots WHERE job ${among(sql`SELECT jobs.id FROM jobs WHERE ${isGone}`)}`;
const REMOVE_JOBS = statement("moves_remove_jobs")`DELETE FROM jobs WHERE ${isGone}`;

/**
 * Brings requests that have not left from one store to another. A move has three steps, each of them one operation: here they are marked
 * (`mark`), there they are added once, whoever asks how often (`arrive`), and here they are removed (`remove`). What is marked is claimed by
 * nobody, and only goes on to the place that it was marked for: after an interruption whoever has both stores does the rest. Every
 * call may throw StoreError.
 */
export class Moves extends Repository {
  /** The id of this place. */
  async place(): Promise<string> {
    const [, [row] = []] = await this.engine.run([call(NAME, randomUUID()), call(PLACE)]);
    return String(row?.id);
  }

  /**
   * Marks everything of an account that has not left. What other processes send, and messages of which something is under way, stay.
   * @param instance this process, as the store knows it
   * @param place id of the place that it goes to
   */
  async mark(account: string, instance: string, place: string): Promise<void> {
    await openPages(this.engine, async (open) => {
      const found = await rowsOf(this.engine, MOVABLE, account, open);
      const jobs = JSON.stringify(found.map(({ id }) => Number(id)));
      for (const end of ["", PAUSED]) {
        for (let marked = MOST; marked === MOST; ) {
          const id = `${place}/${randomUUID()}${end}`;
          const paused = end === PAUSED ? 1 : 0;
          const rows = await rowsOf(this.engine, MARK, account, MOST, instance, jobs, id, paused);
          marked = rows.length;
        }
      }
    });
  }

  /**
   * The moves of an account that are under way from here, in the order of their requests.
   * @param place id of the place that they go to
   * @returns names with numbers of requests; `elsewhere` counts requests that go to other places
   */
  async underWay(
    account: string,
    place: string,
  ): Promise<{ readonly moves: readonly string[]; readonly requests: number; readonly elsewhere: number }> {
    const rows = await rowsOf(this.engine, UNDER_WAY, account);
    const count = (some: readonly Row[]): number =>
      some.reduce((sum, { requests }) => sum + Number(requests), 0);
    const here = rows.filter(({ owner }) => String(owner).startsWith(`${place}/`));
    return {
      moves: here.map(({ owner }) => String(owner)),
      requests: count(here),
      elsewhere: count(rows) - count(here),
    };
  }

  /** What goes with a move. */
  async read(account: string, id: string): Promise<Move> {
    const [rows = [], optOuts = [], onceKeys = []] = await this.engine.run([
      call(READ, account, id),
      call(READ_OPT_OUTS, account, id),
      call(READ_KEYS, account, id, this.clock.now()),
    ]);
    const ids = [...new Set(rows.map(({ job }) => Number(job)))];
    type Found = MovedJob & { readonly id: number };
    const found = await rowsOf<Found>(this.engine, READ_JOBS, JSON.stringify(ids));
    const keys = new Map(found.map((job) => [job.id, job.key]));
    return {
      id,
      jobs: found,
      requests: rows.map((row) => toRequest(keys.get(Number(row.job)) ?? "", row)),
      optOuts: optOuts.map((row) => valuesOf(row, ["number", "scope", "at", "source"])),
      onceKeys: onceKeys.map((row) =>
        valuesOf(row, ["once_key", "number", "hash", "at", "until", "outcome"]),
      ),
    };
  }

  /**
   * Adds what goes with a move, unless it was added before. It waits until it is known whether its nodes exist: see `QueueControl.park`.
   * @param resultOwner instance that emits its results
   */
  async arrive(account: string, resultOwner: string, move: Move): Promise<void> {
    const { id, jobs, requests } = move;
    const now = this.clock.now();
    const state = id.endsWith(PAUSED) ? "held" : "parked";
    const jobEntries = JSON.stringify(
      jobs.map((job) => [job.key, job.node, job.channel, job.takenAt, job.snapshot, job.done]),
    );
    const entries = JSON.stringify(
      requests.map(({ key, part, recipients, columns, content }) => {
        const values = valuesOf({ ...columns, content }, COLUMN_NAMES);
        return [key, part, state, recipients, ...values];
      }),
    );
    await this.engine.run([
      call(ARRIVE, id, now),
      call(ADD_JOBS, jobEntries, id, account, resultOwner),
      call(ADD_SNAPSHOTS, jobEntries, id, account),
      call(ADD_DONE, jobEntries, id, account),
      call(ADD_REQUESTS, entries, id, account),
      call(ADD_RECIPIENTS, entries, id, account),
      call(ADD_OPT_OUTS, JSON.stringify(move.optOuts), id, account),
      call(ADD_KEYS, JSON.stringify(move.onceKeys), id, account, now),
      call(FORGET_ACCOUNT_DAYS, account),
      call(ARRIVED, id),
    ]);
  }

  /** Removes what has arrived. @returns number of requests */
  async remove(account: string, { id, jobs }: Move): Promise<number> {
    const keys = JSON.stringify(jobs.map(({ key }) => key));
    const [, removed = []] = await this.engine.run([
      call(REMOVE_RECIPIENTS, account, id),
      call(REMOVE_REQUESTS, account, id),
      call(REMOVE_SNAPSHOTS, keys, account),
      call(REMOVE_JOBS, keys, account),
    ]);
    return removed.length;
  }
}

const valuesOf = (row: Row, names: readonly string[]): readonly Value[] =>
  names.map((name) => row[name] ?? null);

function toRequest(key: string, row: Row): MovedRequest {
  const numbers = JSON.parse(String(row.numbers ?? "[]")) as string[];
  const places = JSON.parse(String(row.places ?? "[]")) as number[];
  const people = JSON.parse(String(row.people ?? "[]")) as (string | null)[];
  return {
    key,
    part: Number(row.part),
    content: textOrNull(row.content),
    columns: Object.fromEntries(COLUMN_NAMES.map((name) => [name, row[name] ?? null])),
    recipients: places.map((place, at) => [place, numbers[at] ?? "", people[at] ?? null]),
  };
}
