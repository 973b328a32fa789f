import type { Engine, Row } from "./engine/engine";
import { call } from "./engine/query";
import { HEARTBEAT_INTERVAL } from "./instances";
import { lookUp, NOW } from "./schema/sql";
import { statement } from "./schema/statement";

/** A process that shares the store, and what of an account it has to do. */
export interface InstanceLoad {
  readonly id: string;
  readonly host: string;
  readonly process: number;
  /** `silent`: it has missed two heartbeats or more; `ended`: it ended or expired. */
  readonly state: "alive" | "silent" | "ended";
  /** Epoch ms by the clock of the database. */
  readonly startedAt: number;
  /** ms since its last heartbeat; of one that has ended, since it did. */
  readonly quietFor: number;
  /** Requests that it is sending now. */
  readonly leaving: number;
  /** Messages that it has taken and that are not done. */
  readonly taken: number;
}

/** The processes of a store. */
export interface InstanceLoads {
  /** Those that run, oldest first, and then those that have ended, newest first. */
  readonly instances: readonly InstanceLoad[];
  /** False where so many messages are open that only the oldest ones were counted: each `taken` may be higher then. */
  readonly complete: boolean;
}

/** ms for which an instance that has ended is listed. */
const LISTED = 60 * 60 * 1000;
/** Instances that are listed at most. */
const MOST_INSTANCES = 50;
/** Open messages, and requests on their way, that are counted at most: the list is read every few seconds. */
const MOST_COUNTED = 2_000;

const INSTANCES = statement("instance_loads_instances")`
    SELECT i.id, i.host, i.process, i.started_at, i.heartbeat_at, i.expired_at, ${NOW} AS now FROM instances i
    WHERE i.expired_at IS NULL OR i.expired_at > ${NOW} - ?1
    ORDER BY CASE WHEN i.expired_at IS NULL THEN 0 ELSE 1 END, i.expired_at DESC, i.started_at, i.id LIMIT ?2`;

const LEAVING = statement("instance_loads_leaving")`
    SELECT l.owner, count(*) AS requests
    FROM (SELECT o.owner FROM outbox o WHERE o.state = 'sending' AND o.account = ?1 LIMIT ?2) l GROUP BY l.owner`;

/** Goes from one open job to the next in the index of the outbox, so that a job of many requests costs no more than others. */
const TAKEN = statement("instance_loads_taken")`
    WITH RECURSIVE open_jobs (job, turn) AS (
      SELECT min(o.job), 1 FROM outbox o
      UNION ALL
      SELECT (SELECT min(o.job) FROM outbox o WHERE o.job > p.job), p.turn + 1
        FROM open_jobs p WHERE p.job IS NOT NULL AND p.turn < CAST(?2 AS integer))
    SELECT f.result_owner AS "resultOwner", count(*) AS jobs, count(CASE WHEN f.account = ?1 THEN 1 END) AS own
      FROM open_jobs p ${lookUp("outbox", "f", "f.id = (SELECT min(o.id) FROM outbox o WHERE o.job = p.job)")}
      GROUP BY f.result_owner`;

/**
 * Lists the processes of a store with their load from one account, by the clock of the database. Costs no more with a long queue.
 * @param most open messages that are counted at most
 * @throws StoreError
 */
export async function readInstanceLoads(
  engine: Engine,
  account: string,
  most = MOST_COUNTED,
): Promise<InstanceLoads> {
  const [instances = [], leaving = [], taken = []] = await engine.run([
    call(INSTANCES, LISTED, MOST_INSTANCES),
    call(LEAVING, account, MOST_COUNTED),
    call(TAKEN, account, most),
  ]);
  const requests = countsOf(leaving, "owner", "requests");
  const jobs = countsOf(taken, "resultOwner", "own");
  const seen = taken.reduce((sum, row) => sum + Number(row.jobs), 0);
  return {
    instances: instances.map((row) => toLoad(row, requests, jobs)),
    complete: seen < most,
  };
}

const countsOf = (rows: readonly Row[], by: string, count: string): ReadonlyMap<string, number> =>
  new Map(rows.map((row) => [String(row[by]), Number(row[count])]));

function toLoad(
  row: Row,
  requests: ReadonlyMap<string, number>,
  jobs: ReadonlyMap<string, number>,
): InstanceLoad {
  const id = String(row.id);
  const hasEnded = row.expired_at !== null;
  // The clock of the database may have been set back.
  const quietFor = Math.max(0, Number(row.now) - Number(hasEnded ? row.expired_at : row.heartbeat_at));
  return {
    id,
    host: String(row.host),
    process: Number(row.process),
    state: hasEnded ? "ended" : quietFor > 2 * HEARTBEAT_INTERVAL ? "silent" : "alive",
    startedAt: Number(row.started_at),
    quietFor,
    leaving: requests.get(id) ?? 0,
    taken: jobs.get(id) ?? 0,
  };
}
