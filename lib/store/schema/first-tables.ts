import { personOf } from "./person";
import { BY_ID, BY_KEY, CHANGED, COUNTED_KEY, SAME_KEY, type SqlPart, sql } from "./sql";

/**
 * All times are epoch ms. A row of `messages` is one request to the service, and stays as history. Nearly all have one recipient, which is in
 * the row; `recipient` is null if they are in `recipients`. `job` is the id of the flow's message, which is `id` where that has one request.
 * `sent_at` is the time of the last attempt that may have reached the service. `late_owner` may still settle what it did not survive.
 *
 * A row of `outbox` exists from acceptance until the result is emitted. Its `state`:
 * - `staging`: the list is not complete; entered by acceptance; left by commit
 * - `queued`: may be claimed, from `due` on if that is set; left by a claim
 * - `paused`: by a user; left by a user
 * - `orphaned`: its node does not exist; left when the node exists, or by a user
 * - `sending`: claimed by `owner`; left by release (to `queued`) and by settlement
 * - `settled`: the message has an outcome; left by deletion of the row, which marks the result as emitted
 *
 * `owner` of a sensitive request (`content` is null) is the process that has its text, from the beginning. `claim` numbers the claims of an
 * owner. A `postponed` request waits until `due` for another rule than `scheduled`.
 *
 * `policies` has a row only for requests with rules, `jobs` only for messages that may have several requests, `texts` only with
 * *keep texts*. Of two indexes that cost the same, PostgreSQL takes one by the order in which they were made.
 */
const MESSAGES: readonly SqlPart[] = [
  sql`CREATE TABLE messages (
    id ${SAME_KEY}, job bigint NOT NULL, part integer NOT NULL, account text NOT NULL, simulated integer NOT NULL,
    node text NOT NULL, channel text NOT NULL, operation text NOT NULL, accepted_at bigint NOT NULL,
    recipient text, recipient_name text, client_id text, transfer_id text, sent_at bigint, attempts integer NOT NULL DEFAULT 0,
    outcome text, settled_by text, response text, settled_at bigint, confirmed_at bigint, late_owner text,
    delivery text, delivery_rank integer NOT NULL DEFAULT 0, delivery_at bigint)${CHANGED}`,
  // Which messages of an account came in a time, newest first? Which are old?
  sql`CREATE INDEX messages_by_time ON messages (account, accepted_at${BY_ID})`,
  // What did this number get, newest first?
  sql`CREATE INDEX messages_by_recipient ON messages (${personOf("recipient")}${BY_ID}) WHERE ${personOf("recipient")} IS NOT NULL`,
  // Which request has this id of the flow?
  sql`CREATE INDEX messages_by_client_id ON messages (client_id${BY_ID}) WHERE client_id IS NOT NULL`,
  // Which request has this id of the service?
  sql`CREATE INDEX messages_by_transfer ON messages (transfer_id${BY_ID}) WHERE transfer_id IS NOT NULL`,
  // Which requests has a message of several?
  sql`CREATE INDEX messages_by_job ON messages (job${BY_ID}) WHERE job <> id`,
  // Which requests of an account ended like this, newest first? Nearly all are sent, and not asked for.
  sql`CREATE INDEX messages_by_outcome ON messages (account, outcome${BY_ID}) WHERE outcome <> 'sent'`,

  sql`CREATE TABLE recipients (
    request bigint NOT NULL, idx integer NOT NULL, recipient text NOT NULL,
    delivery text, delivery_rank integer NOT NULL DEFAULT 0, delivery_at bigint,
    PRIMARY KEY (request, idx))${BY_KEY}${CHANGED}`,
  // What did this number get, newest first?
  `CREATE INDEX recipients_by_recipient ON recipients (${personOf("recipient")}, request)`,

  sql`CREATE TABLE outbox (
    id ${SAME_KEY}, job bigint NOT NULL, part integer NOT NULL, account text NOT NULL, destination text NOT NULL,
    operation text NOT NULL, node text NOT NULL, state text NOT NULL, result_owner text NOT NULL,
    owner text, claim bigint, sent_at bigint, priority integer NOT NULL, due bigint, scheduled bigint,
    postponed integer NOT NULL DEFAULT 0, attempts integer NOT NULL, content text, snapshot text)${CHANGED}`,
  // Which request is sent next?
  sql`CREATE INDEX outbox_ready ON outbox (account, destination, priority DESC${BY_ID}) WHERE state = 'queued' AND due IS NULL`,
  // Which are due, and when is the next one?
  "CREATE INDEX outbox_due ON outbox (account, destination, due) WHERE state = 'queued' AND due IS NOT NULL",
  // What has this process claimed at once? What were expired ones sending?
  sql`CREATE INDEX outbox_sending ON outbox (owner, claim${BY_ID}) WHERE state = 'sending'`,
  // Which results are not emitted?
  sql`CREATE INDEX outbox_settled ON outbox (account${BY_ID}) WHERE state = 'settled'`,
  // Which results does nobody emit?
  "CREATE INDEX outbox_unwired ON outbox (id) WHERE state = 'settled' AND node = ''",
  // Which requests of a message are not done, oldest message first?
  "CREATE INDEX outbox_by_job ON outbox (job, part)",
  // Which requests of a list are not queued yet?
  "CREATE INDEX outbox_staging ON outbox (job, part) WHERE state = 'staging'",
  // What has a user paused?
  sql`CREATE INDEX outbox_paused ON outbox (account${BY_ID}) WHERE state = 'paused'`,
  // Which messages wait for a node?
  "CREATE INDEX outbox_orphaned ON outbox (account, job) WHERE state = 'orphaned'",
  // Which sensitive requests that were not sent had their text in a process that ended?
  sql`CREATE INDEX outbox_by_text_owner ON outbox (owner${BY_ID})
    WHERE owner IS NOT NULL AND state IN ('queued', 'paused', 'orphaned')`,
  // Which wait for something else than the time that they were scheduled for?
  sql`CREATE INDEX outbox_delayed ON outbox (account, postponed, due)
    WHERE state = 'queued' AND due IS NOT NULL AND due > coalesce(scheduled, 0)`,

  sql`CREATE TABLE jobs (
    id ${SAME_KEY}, account text NOT NULL, node text NOT NULL, result_owner text NOT NULL, committed integer NOT NULL, snapshot text)`,
  // Which lists were never completed?
  "CREATE INDEX jobs_uncommitted ON jobs (id) WHERE committed = 0",

  sql`CREATE TABLE policies (
    id ${SAME_KEY}, scheduled bigint, not_after bigint, idempotency_key text, key_ttl bigint, content_hash text,
    to_opted_out integer NOT NULL DEFAULT 0, category text NOT NULL DEFAULT '', cost integer NOT NULL DEFAULT 1, zone text)`,
  // Which requests have this idempotency key?
  sql`CREATE INDEX policies_by_key ON policies (idempotency_key${BY_ID}) WHERE idempotency_key IS NOT NULL`,

  sql`CREATE TABLE texts (id ${SAME_KEY}, content text, snapshot text)`,

  // Ids below `next` were given to processes, and are not given again.
  "CREATE TABLE message_ids (id integer PRIMARY KEY, next bigint NOT NULL)",

  "CREATE TABLE paused_accounts (account text PRIMARY KEY, at bigint NOT NULL)",
];

/** Webhook events. `account` is a scope (`getScope`). `applied` is 1 when the effects of an event are stored. */
const EVENTS: readonly SqlPart[] = [
  sql`CREATE TABLE events (
    id ${COUNTED_KEY}, account text NOT NULL, event_key text NOT NULL, kind text NOT NULL, request bigint,
    number text, client_message_id text, transfer_id text, status text, rank integer NOT NULL,
    at bigint NOT NULL, received_at bigint NOT NULL, body text, applied integer NOT NULL,
    UNIQUE (account, event_key))`,
  // Which events has a request?
  sql`CREATE INDEX events_by_request ON events (request${BY_ID}) WHERE request IS NOT NULL`,
  // What is there to delete about a number?
  sql`CREATE INDEX events_by_number ON events (${personOf("number")}${BY_ID}) WHERE ${personOf("number")} IS NOT NULL`,
  // Which replies did this number send in a time?
  `CREATE INDEX events_inbound ON events (${personOf("number")}, account, received_at) WHERE kind = 'inbound'`,
  // Which replies did an account receive in a time?
  "CREATE INDEX events_replies ON events (account, received_at) WHERE kind = 'inbound'",
  // Which events are old?
  "CREATE INDEX events_by_age ON events (received_at)",
  // Which events preceded the response with their id?
  sql`CREATE INDEX events_early ON events (transfer_id${BY_ID}) WHERE request IS NULL AND transfer_id IS NOT NULL`,
  // Which events of the last minutes have no request?
  sql`CREATE INDEX events_unlinked ON events (received_at)
    WHERE request IS NULL AND transfer_id IS NOT NULL AND kind <> 'inbound'`,
  // Which events are not applied?
  "CREATE INDEX events_new ON events (request) WHERE applied = 0 AND request IS NOT NULL",

  sql`CREATE TABLE duplicates (
    receiver text NOT NULL, memory text NOT NULL, event_key text NOT NULL, at bigint NOT NULL, count integer NOT NULL,
    PRIMARY KEY (receiver, memory, event_key))`,
  // Which keys are old, or are the oldest ones?
  "CREATE INDEX duplicates_by_age ON duplicates (receiver, memory, at)",
];

/**
 * What several processes share. A row of `instances` is a registration: its lease starts at `heartbeat_at`, and it has ended at `expired_at`.
 * `instance_nodes` has the send nodes that each of them runs. Nothing is sent to a
 * service origin before `blocked_until` of its row of `rates`. `rate_shares` has the processes that send to it.
 */
const PROCESSES: readonly SqlPart[] = [
  sql`CREATE TABLE instances (
    id text PRIMARY KEY, host text NOT NULL, process integer NOT NULL,
    started_at bigint NOT NULL, heartbeat_at bigint NOT NULL, expired_at bigint)`,
  sql`CREATE TABLE instance_nodes (
    instance text NOT NULL, account text NOT NULL, node text NOT NULL,
    PRIMARY KEY (account, node, instance))${BY_KEY}`,
  // Which nodes does a process run?
  "CREATE INDEX instance_nodes_by_instance ON instance_nodes (instance)",

  "CREATE TABLE rates (origin text PRIMARY KEY, blocked_until bigint NOT NULL)",
  sql`CREATE TABLE rate_shares (
    origin text NOT NULL, instance text NOT NULL, renewed_at bigint NOT NULL, PRIMARY KEY (origin, instance))${BY_KEY}`,
];

/**
 * Policy checks. Accounts here are scopes (`getScope`). `idempotency_keys` has the request that uses a key for a number, until `until`;
 * `quota_usage` counts the billed messages of an account (blank number) and to a number in the period from `starts` on, and `reservations`
 * those that requests have reserved there.
 */
const GUARDS: readonly SqlPart[] = [
  sql`CREATE TABLE idempotency_keys (
    account text NOT NULL, idempotency_key text NOT NULL, number text NOT NULL,
    request bigint NOT NULL, content_hash text NOT NULL, at bigint NOT NULL, until bigint NOT NULL, outcome text,
    PRIMARY KEY (number, account, idempotency_key))${BY_KEY}`,
  // Which keys have expired?
  "CREATE INDEX idempotency_keys_by_end ON idempotency_keys (until)",

  sql`CREATE TABLE opt_outs (
    account text NOT NULL, number text NOT NULL, scope text NOT NULL, at bigint NOT NULL, source text NOT NULL,
    PRIMARY KEY (account, number))${BY_KEY}`,
  // Who opted out in a time?
  "CREATE INDEX opt_outs_by_time ON opt_outs (account, at)",

  sql`CREATE TABLE quota_usage (
    account text NOT NULL, number text NOT NULL, period text NOT NULL, starts bigint NOT NULL, messages bigint NOT NULL,
    PRIMARY KEY (starts, account, number, period))${BY_KEY}`,

  sql`CREATE TABLE reservations (
    request bigint NOT NULL, idx integer NOT NULL, recipient text NOT NULL, cost integer NOT NULL,
    hour_starts bigint NOT NULL, day_starts bigint NOT NULL, PRIMARY KEY (request, idx))${BY_KEY}`,
];

/**
 * Accounts of recipients, replies and codes are scopes (`getScope`). `codes` has hashes with the account's key in `code_keys`, and
 * `code_counts` the codes that a caller or a number made and tried since `starts`. `phase` of a row of `waits`:
 * - `new`: within the operation that starts it
 * - `open`: waits until `until`; left by expiry, or with its last open recipient
 * - `due`: expired, but not its group; left when the group ends
 * - `ending`: within the operation that ends it
 * - `ended`: deleted later, when it has no `open` recipients
 *
 * `wait_recipients` has the open recipients: those whose end was not emitted. `outcome` is null before a report, then `matched`, `failed`,
 * `unmatched` or `timed_out`; `min_rank` is the rank of the awaited delivery; `replied` is 1 after an unmatched reply. `replies` has inbound
 * messages for waits. `wait` has not read the reply. Its `state`: `new`; `deferred` to a later wait; `used` by a wait that ended.
 */
const CONVERSATIONS: readonly SqlPart[] = [
  sql`CREATE TABLE waits (
    id ${COUNTED_KEY}, wait_key text NOT NULL UNIQUE, account text NOT NULL, node text NOT NULL, result_owner text NOT NULL,
    kind text NOT NULL, channel text NOT NULL, request bigint NOT NULL, started_at bigint NOT NULL, until bigint NOT NULL,
    phase text NOT NULL, group_key text, recipients integer NOT NULL, open integer NOT NULL, emitted integer NOT NULL, snapshot text)`,
  // Which waits of a process expire next?
  sql`CREATE INDEX waits_by_end ON waits (result_owner, until${BY_ID}) WHERE phase = 'open'`,
  // Does a group have open waits?
  "CREATE INDEX waits_open_of_group ON waits (group_key) WHERE phase = 'open' AND group_key IS NOT NULL",
  // Which waits of a group have only to wait for the others?
  sql`CREATE INDEX waits_due ON waits (group_key${BY_ID}) WHERE phase = 'due'`,
  // Which waits end in this operation?
  sql`CREATE INDEX waits_ending ON waits (phase${BY_ID}) WHERE phase = 'ending'`,
  // Which waits of a process have timed out?
  sql`CREATE INDEX waits_timed_out ON waits (result_owner${BY_ID}) WHERE phase = 'ended' AND open > 0`,
  // Which waits can be deleted?
  "CREATE INDEX waits_done ON waits (started_at) WHERE phase = 'ended' AND open = 0",
  // Which waits are old, or have just started?
  "CREATE INDEX waits_by_start ON waits (started_at)",
  // How many recipients does each node of an account wait for?
  "CREATE INDEX waits_by_node ON waits (account, node) WHERE open > 0",

  sql`CREATE TABLE wait_recipients (
    wait bigint NOT NULL, idx integer NOT NULL, account text NOT NULL, request bigint NOT NULL, number text NOT NULL,
    min_rank integer NOT NULL, expects_reply integer NOT NULL, channel text NOT NULL, replaced integer NOT NULL, replied integer NOT NULL,
    outcome text, status text, at bigint, reply bigint, PRIMARY KEY (wait, idx))${BY_KEY}`,
  // Which waits does a report of this request concern?
  "CREATE INDEX wait_recipients_open ON wait_recipients (request, idx) WHERE outcome IS NULL",
  // Which waits expect a reply of this number?
  `CREATE INDEX wait_recipients_expecting ON wait_recipients (account, ${personOf("number")}, wait) WHERE expects_reply = 1`,
  // Which reported ends were not emitted?
  "CREATE INDEX wait_recipients_reported ON wait_recipients (wait, idx) WHERE outcome IN ('matched', 'failed', 'unmatched')",

  sql`CREATE TABLE replies (
    id ${COUNTED_KEY}, account text NOT NULL, event_key text NOT NULL, number text NOT NULL, channel text NOT NULL,
    body text NOT NULL, at bigint NOT NULL, received_at bigint NOT NULL, state text NOT NULL, wait bigint, idx integer,
    UNIQUE (account, event_key))`,
  // Has this number replied, or what is there to delete about it?
  sql`CREATE INDEX replies_by_number ON replies (${personOf("number")}, account${BY_ID})`,
  // Which replies are old?
  "CREATE INDEX replies_by_age ON replies (received_at)",
  // Which replies were not used within the hour?
  "CREATE INDEX replies_unused ON replies (received_at) WHERE state = 'new' AND wait IS NULL",
  // Which replies has a wait not read?
  sql`CREATE INDEX replies_of_wait ON replies (wait${BY_ID}) WHERE wait IS NOT NULL`,
];

/** The tables of version 1. */
export const FIRST_TABLES = [MESSAGES, EVENTS, PROCESSES, GUARDS, CONVERSATIONS].flat();
