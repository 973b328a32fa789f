import { RULE_COLUMNS } from "../guards/request-rules";
import { blocked } from "./rates";
import { isStill } from "../schema/expressions";
import { among, each, lookUp, placeOf, type Sql, sql, textOf, textsOf } from "../schema/sql";
import { statement } from "../schema/statement";

// Entries: key, account, node, result owner, channel.
export const ADD_JOBS = statement("jobs_add")`
    INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, CAST(?2 AS bigint), CAST(?3 AS integer)
    FROM ${each("?1")} WHERE true ON CONFLICT (job_key) DO NOTHING`;

/**
 * Whether a request of a job `j` leaves at once. As with a claim, a dead instance sends nothing, nor does a paused account, and
 * nothing leaves for a service that is blocked. ?7 owner, ?8 origin of the service.
 */
const leaves = sql`CAST(?7 AS text) IS NOT NULL
      AND EXISTS (SELECT 1 FROM instances i WHERE i.id = ?7 AND i.dead_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM paused_accounts p WHERE p.account = j.account)
      AND NOT ${blocked("?8")}`;

/** Entries of a list with their jobs `j`. */
const jobOf = sql`${each("?1")} ${lookUp("jobs", "j", "j.job_key = e.value ->> 0")}`;
/** The same with their requests `r`. */
const requestOf = sql`${jobOf} ${lookUp("requests", "r", "r.job = j.id AND r.part = CAST(e.value ->> 1 AS integer)")}`;

// Entries: key, snapshot. A job that is taken again has its requests, and may be done.
export const ADD_SNAPSHOTS = statement("jobs_add_snapshots")`
    INSERT INTO snapshots (job, snapshot)
    SELECT j.id, e.value ->> 1 FROM ${jobOf}
    WHERE (SELECT r.id FROM requests r WHERE r.job = j.id LIMIT 1) IS NULL ON CONFLICT (job) DO NOTHING`;

// Entries: key of the job, part, operation, priority, client message id, content (null: its result owner alone has it), numbers, destination, rules, numbers that were added before, person. Where they are to leave at once, ?4
// is the
// number of the claim, ?5 and ?6 are the begin of hour and day.
// MATERIALIZED: whether it leaves is found out once for each, not once for each column.
const addRequests = (further = "", columns = "", values = ""): Sql => sql`
    INSERT INTO requests
      (job, part, account, destination, operation, state, owner, left_at, claim, spent_hour, spent_day, priority, attempts,
        client_message_id, content${columns})
    WITH n AS MATERIALIZED (
      SELECT j.id, j.account, e.value ->> 1 AS part, e.value ->> 2 AS operation, e.value ->> 3 AS priority,
        e.value ->> 4 AS client_id, e.value ->> 5 AS content, ${placeOf()} AS place, e.value ->> 7 AS destination, e.value -> 8 AS rules,
        CASE WHEN ${leaves} ${further} THEN CAST(?7 AS text) END AS owner,
        CASE WHEN e.value ->> 5 IS NULL THEN j.result_owner END AS text_owner
      FROM ${jobOf})
    SELECT n.id, CAST(n.part AS integer), n.account, n.destination, n.operation,
      CASE WHEN n.owner IS NULL THEN CAST(?2 AS text) ELSE 'leaving' END, coalesce(n.owner, n.text_owner),
      CASE WHEN n.owner IS NOT NULL THEN CAST(?3 AS bigint) END, CASE WHEN n.owner IS NOT NULL THEN CAST(?4 AS bigint) END,
      CASE WHEN n.owner IS NOT NULL THEN CAST(?5 AS bigint) END, CASE WHEN n.owner IS NOT NULL THEN CAST(?6 AS bigint) END,
      CAST(n.priority AS integer), 0, n.client_id, n.content${values}
    FROM n WHERE true ORDER BY n.place ON CONFLICT (job, part) DO NOTHING
    RETURNING id, job, part, state, (SELECT k.job_key FROM jobs k WHERE k.id = requests.job) AS job_key`;

export const ADD_REQUESTS = statement("jobs_add_requests", addRequests());

/** Columns that are never null. */
const INITIAL: Readonly<Record<string, number>> = { postponed: 0, also_opted_out: 0, cost: 1 };

export const ADD_REQUESTS_WITH_RULES = statement(
  "jobs_add_requests_with_rules",
  addRequests(
    "AND e.value -> 8 ->> 0 IS NULL",
    RULE_COLUMNS.map(([name]) => `, ${name}`).join(""),
    RULE_COLUMNS.map(([name, type], place) => {
      const value = `CAST(n.rules ->> ${place} AS ${type})`;
      // Requests without rules may be in the same list.
      return name in INITIAL ? `, coalesce(${value}, ${INITIAL[name]})` : `, ${value}`;
    }).join(""),
  ),
);

const addRecipients = (place: Sql, column = "", value = ""): Sql => sql`
    INSERT INTO recipients (request, place, number, delivery_rank${column})
    SELECT r.id, ${place}, ${textOf("n")}, 0${value}
    FROM ${requestOf} CROSS JOIN ${each("e.value -> 6", "n")} WHERE true
    ON CONFLICT (request, place) DO NOTHING`;

export const ADD_RECIPIENTS = statement("jobs_add_recipients", addRecipients(placeOf("n")));

const placeAfter = sql`${placeOf("n")} + coalesce(CAST(e.value ->> 9 AS integer), 0)`;

/** Of requests whose recipients come on several pages. */
export const ADD_MORE_RECIPIENTS = statement("jobs_add_more_recipients", addRecipients(placeAfter));

/** Of rows of lists that have the names of people. */
export const ADD_NAMED_RECIPIENTS = statement(
  "jobs_add_named_recipients",
  addRecipients(placeAfter, ", person", ", e.value ->> 10"),
);

export const FIND_REQUESTS = statement("jobs_find_requests")`
    SELECT r.id, r.part, j.job_key FROM ${requestOf}`;

/** Result owner of a message that is being removed. */
const NOBODY = "''";

export const SEAL = statement("jobs_seal")`
    UPDATE jobs SET sealed = 1 WHERE job_key = ?1 AND sealed = 0 AND result_owner <> ${NOBODY}`;

export const SEALED = statement("jobs_sealed")`SELECT id FROM jobs WHERE job_key = ?1 AND sealed = 1`;

/** From then on it cannot be sealed: a part of it may be gone. */
export const GIVE_UP = statement("jobs_give_up")`
    UPDATE jobs SET result_owner = ${NOBODY} WHERE job_key = ?1 AND sealed = 0`;

export const QUEUE_FILLED = statement("jobs_queue_filled")`
    UPDATE requests SET state = 'queued' WHERE id ${among(sql`
      SELECT r.id FROM requests r WHERE r.state = 'filling'
        AND r.job = (SELECT j.id FROM jobs j WHERE j.job_key = ?1 AND j.sealed = 1)
      ORDER BY r.part LIMIT ?2`)} AND ${isStill("filling")} RETURNING id`;

export const DROP_RECIPIENTS = statement("jobs_drop_recipients")`
    DELETE FROM recipients WHERE (request, place) IN (
      SELECT c.request, c.place FROM jobs j CROSS JOIN requests r CROSS JOIN recipients c
      WHERE j.job_key = ?1 AND j.sealed = 0 AND r.job = j.id AND c.request = r.id LIMIT ?2) RETURNING place`;

export const DROP_REQUESTS = statement("jobs_drop_requests")`
    DELETE FROM requests WHERE id IN (
      SELECT r.id FROM jobs j CROSS JOIN requests r WHERE j.job_key = ?1 AND j.sealed = 0 AND r.job = j.id
        AND NOT EXISTS (SELECT 1 FROM recipients c WHERE c.request = r.id) LIMIT ?2) RETURNING id`;

/** A job that was given up, and of which nothing is left. */
const IS_GONE = "job_key = ?1 AND sealed = 0 AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.job = jobs.id)";

export const DROP_SNAPSHOT = statement("jobs_drop_snapshot")`
    DELETE FROM snapshots WHERE job = (SELECT jobs.id FROM jobs WHERE ${IS_GONE})`;

export const DROP_JOB = statement("jobs_drop")`DELETE FROM jobs WHERE ${IS_GONE}`;

export const OPEN = statement("jobs_open")`
    SELECT j.job_key FROM jobs j WHERE j.job_key IN (${textsOf("?1")})
      AND EXISTS (SELECT 1 FROM requests r WHERE r.job = j.id AND r.state <> 'emitted')`;

export const KNOWN = statement("jobs_known")`
    SELECT job_key, result_owner AS "resultOwner" FROM jobs WHERE job_key IN (${textsOf("?1")})`;
