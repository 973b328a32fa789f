import { RULE_COLUMNS } from "../guards/request-rules";
import { insertStatement } from "../schema/entries";
import { KEEP_TEXT_OWNER } from "../schema/expressions";
import { among, collect, idsOf, lookUp, lookUpIfAny, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { blocked } from "./rates";

const REQUEST = {
  id: "bigint",
  job: "bigint",
  part: "integer",
  account: "text",
  node: "text",
  operation: "text",
} as const;

export const ADD_MESSAGES = insertStatement("jobs_add_messages", "messages", {
  ...REQUEST,
  simulated: "integer",
  channel: "text",
  accepted_at: "bigint",
  recipient: "text",
  recipient_name: "text",
  client_id: "text",
});

export const ADD_OUTBOX = insertStatement("jobs_add_outbox", "outbox", {
  ...REQUEST,
  destination: "text",
  result_owner: "text",
  priority: "integer",
  due: "bigint",
  scheduled: "bigint",
  postponed: "integer",
  attempts: "integer",
  content: "text",
  snapshot: "text",
  state: "text",
  owner: "text",
  claim: "bigint",
  sent_at: "bigint",
});

/** Queues requests that were added as sending, if their process has expired, the account is paused or the service is blocked. */
export const STOP_SENDING = statement("jobs_stop_sending")`
    UPDATE outbox SET state = 'queued', ${KEEP_TEXT_OWNER}, claim = NULL, sent_at = NULL
    WHERE state = 'sending' AND owner = ?1 AND claim = ?2 AND (
      NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = ?1 AND i.expired_at IS NULL)
      OR EXISTS (SELECT 1 FROM paused_accounts p WHERE p.account = ?3) OR ${blocked("?4")})
    RETURNING id`;

export const ADD_POLICIES = insertStatement("jobs_add_policies", "policies", {
  id: "bigint",
  ...RULE_COLUMNS,
});

export const ADD_RECIPIENTS = insertStatement("jobs_add_recipients", "recipients", {
  request: "bigint",
  idx: "integer",
  recipient: "text",
});

export const ADD_JOBS = insertStatement("jobs_add", "jobs", {
  id: "bigint",
  account: "text",
  node: "text",
  result_owner: "text",
  committed: "integer",
  snapshot: "text",
});

export const FIND_REQUEST = statement("jobs_find_request")`
    SELECT m.id FROM messages m WHERE m.job = ?1 AND m.job <> m.id AND m.part = ?2`;

/** Result owner of a message that is being removed. */
const NOBODY = "''";

export const COMMIT = statement("jobs_commit")`
    UPDATE jobs SET committed = 1 WHERE id = ?1 AND committed = 0 AND result_owner <> ${NOBODY}`;

export const COMMITTED = statement("jobs_committed")`SELECT id FROM jobs WHERE id = ?1 AND committed = 1`;

/** From then on it cannot be committed: a part of it may be gone. */
export const GIVE_UP = statement("jobs_give_up")`
    UPDATE jobs SET result_owner = ${NOBODY} WHERE id = ?1 AND committed = 0`;

export const QUEUE_STAGED = statement("jobs_queue_staged")`
    UPDATE outbox SET state = 'queued' WHERE state = 'staging' AND id ${among(sql`
      SELECT o.id FROM outbox o WHERE o.state = 'staging' AND o.job = (SELECT j.id FROM jobs j WHERE j.id = ?1 AND j.committed = 1)
      ORDER BY o.part LIMIT ?2`)} RETURNING id`;

/** Condition on requests of a job that was not committed, and may be deleted already. */
const GIVEN_UP = `o.state = 'staging' AND o.job = ?1
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = o.job AND j.committed = 1)`;

export const DROP_RECIPIENTS = statement("jobs_drop_recipients")`
    DELETE FROM recipients WHERE (request, idx) IN (
      SELECT c.request, c.idx FROM outbox o CROSS JOIN recipients c
      WHERE ${GIVEN_UP} AND c.request = o.id LIMIT ?2) RETURNING idx`;

const withoutRecipients = sql`SELECT o.id FROM outbox o WHERE ${GIVEN_UP}
      AND NOT EXISTS (SELECT 1 FROM recipients c WHERE c.request = o.id) ORDER BY o.id LIMIT ?2`;

/** In this order: the last one is what the others are found by. */
export const DROP_REQUESTS = ["policies", "messages", "outbox"].map(
  (table) =>
    statement(`jobs_drop_${table}`)`DELETE FROM ${table} WHERE id IN (${withoutRecipients}) RETURNING id`,
);

export const DROP_JOB = statement("jobs_drop")`
    DELETE FROM jobs WHERE id = ?1 AND committed = 0 AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.job = jobs.id)`;

export const OPEN = statement("jobs_open")`
    SELECT DISTINCT o.job FROM outbox o WHERE o.job IN (${idsOf("?1")})`;

/** The result owner is blank if no result is left. */
export const KNOWN = statement("jobs_known")`
    SELECT q.job, coalesce((SELECT min(o.result_owner) FROM outbox o WHERE o.job = q.job), '') AS "resultOwner"
    FROM (${idsOf("?1", "job")}) q
    WHERE coalesce((SELECT m.id FROM messages m WHERE m.id = q.job), (SELECT j.id FROM jobs j WHERE j.id = q.job),
      (SELECT min(m.id) FROM messages m WHERE m.job = q.job AND m.job <> m.id)) IS NOT NULL`;

/** The recipients of a row `m` of `messages`: the one of nearly all in `recipient`, those of a list as JSON in `recipients`. */
export const RECIPIENTS = sql`m.recipient, CASE WHEN m.recipient IS NULL THEN
      (SELECT ${collect("c.recipient", "c.idx")} FROM recipients c WHERE c.request = m.id) END AS recipients`;

/** Reads them. */
export const readRecipients = ({
  recipient: one,
  recipients,
}: Readonly<Record<string, unknown>>): readonly string[] =>
  one === null ? (JSON.parse(String(recipients ?? "[]")) as string[]) : [String(one)];

/** Rows `o` of the outbox with their messages `m` and rules `p`. */
export const WITH_MESSAGE = sql`${lookUp("messages", "m", "m.id = o.id")} ${lookUpIfAny("policies", "p", "p.id = o.id")}`;

/** Node of a message whose results nobody gets: its own is gone, and a user let it go on without one. */
export const NO_NODE = "";
