import type { Dialect } from "./dialect";

/** One step of the schema. A released step never changes: what it got wrong, a later one mends. */
export interface Migration {
  /** Counts up from 1 without gaps. */
  readonly version: number;
  /** Statements in order; an engine runs them in one transaction, under a lock against other processes. */
  readonly statements: (dialect: Dialect) => readonly string[];
}

/** Holds a row for each step that was taken. Every version of the schema has it in this form. */
export const VERSIONS_TABLE =
  "CREATE TABLE IF NOT EXISTS schema_versions (version integer PRIMARY KEY, applied_at bigint NOT NULL)";

/**
 * All times are epoch ms. States of a request: `filling` (its message is not yet complete), `queued`, `held` (paused), `parked`
 * (its node does not exist), `leaving`, `moving` (to another store), `settled`, `emitted`. A queued request without `due` may leave now; `left_at` is the
 * time of the last try that may have left. Indexes of the states on the way are
 * partial, so that they stay small beside a long history.
 */
const FIRST: Migration = {
  version: 1,
  statements: ({ countedKey, byKey }) => [
    `CREATE TABLE instances (
      id text PRIMARY KEY, host text NOT NULL, process integer NOT NULL,
      started_at bigint NOT NULL, beat_at bigint NOT NULL, dead_at bigint)`,

    `CREATE TABLE jobs (
      id ${countedKey}, job_key text NOT NULL UNIQUE, account text NOT NULL, node text NOT NULL, taker text NOT NULL,
      channel text NOT NULL, taken_at bigint NOT NULL, sealed integer NOT NULL, snapshot text)`,
    "CREATE INDEX jobs_by_time ON jobs (account, taken_at, id)",
    "CREATE INDEX jobs_by_node ON jobs (node, taken_at, id)",
    "CREATE INDEX jobs_unsealed ON jobs (id) WHERE sealed = 0",

    `CREATE TABLE requests (
      id ${countedKey}, job bigint NOT NULL, part integer NOT NULL, account text NOT NULL, operation text NOT NULL,
      state text NOT NULL, priority integer NOT NULL, due bigint, owner text, since bigint NOT NULL, left_at bigint,
      attempts integer NOT NULL, client_message_id text, transfer_id text, content text,
      outcome text, settled_by text, answer text, settled_at bigint, emitted_at bigint, proof_at bigint,
      UNIQUE (job, part))`,
    "CREATE INDEX requests_filling ON requests (job, part) WHERE state = 'filling'",
    "CREATE INDEX requests_ready ON requests (account, priority DESC, id) WHERE state = 'queued' AND due IS NULL",
    "CREATE INDEX requests_waiting ON requests (account, due) WHERE state = 'queued' AND due IS NOT NULL",
    "CREATE INDEX requests_leaving ON requests (owner, id) WHERE state = 'leaving'",
    "CREATE INDEX requests_held ON requests (account, id) WHERE state = 'held'",
    "CREATE INDEX requests_parked ON requests (account, job) WHERE state = 'parked'",
    "CREATE INDEX requests_settled ON requests (account, id) WHERE state = 'settled'",
    "CREATE INDEX requests_open ON requests (job, part) WHERE state <> 'emitted'",
    "CREATE INDEX requests_by_client_id ON requests (client_message_id, id) WHERE client_message_id IS NOT NULL",
    "CREATE INDEX requests_by_transfer ON requests (transfer_id, id) WHERE transfer_id IS NOT NULL",
    `CREATE INDEX requests_by_failure ON requests (outcome, id)
      WHERE outcome <> 'sent' AND outcome <> 'queued'`,

    `CREATE TABLE recipients (
      request bigint NOT NULL, place integer NOT NULL, number text NOT NULL,
      delivery text, delivery_rank integer NOT NULL, delivery_at bigint, PRIMARY KEY (request, place))${byKey}`,
    "CREATE INDEX recipients_by_number ON recipients (number, request)",

    `CREATE TABLE events (
      id ${countedKey}, account text NOT NULL, event_key text NOT NULL, kind text NOT NULL, request bigint,
      number text, client_message_id text, transfer_id text, status text, rank integer NOT NULL,
      at bigint NOT NULL, received_at bigint NOT NULL, body text, applied integer NOT NULL,
      UNIQUE (account, event_key))`,
    "CREATE INDEX events_by_request ON events (request, id) WHERE request IS NOT NULL",
    "CREATE INDEX events_by_number ON events (number, id) WHERE number IS NOT NULL",
    "CREATE INDEX events_by_age ON events (received_at)",
    "CREATE INDEX events_early ON events (transfer_id, id) WHERE request IS NULL AND transfer_id IS NOT NULL",
    "CREATE INDEX events_new ON events (request) WHERE applied = 0 AND request IS NOT NULL",

    `CREATE TABLE duplicates (
      receiver text NOT NULL, memory text NOT NULL, event_key text NOT NULL, at bigint NOT NULL, count integer NOT NULL,
      PRIMARY KEY (receiver, memory, event_key))`,
    "CREATE INDEX duplicates_by_age ON duplicates (receiver, memory, at)",

    "CREATE TABLE paused_accounts (account text PRIMARY KEY, at bigint NOT NULL)",
  ],
};

/**
 * What several processes share. `instance_nodes` has the send nodes that each of them runs. A row of `rates` is the token bucket of a
 * service origin: `next_at` is the time of the next free turn (epoch µs); the last one who asked got `granted` turns from `first_at`
 * (epoch µs) on, at the time `asked_at`; nothing leaves before `blocked_until`.
 */
const SHARED: Migration = {
  version: 2,
  statements: ({ byKey }) => [
    `CREATE TABLE instance_nodes (
      instance text NOT NULL, account text NOT NULL, node text NOT NULL,
      PRIMARY KEY (account, node, instance))${byKey}`,
    "CREATE INDEX instance_nodes_by_instance ON instance_nodes (instance)",

    `CREATE TABLE rates (
      origin text PRIMARY KEY, next_at bigint NOT NULL, first_at bigint NOT NULL, granted integer NOT NULL,
      fitting integer NOT NULL, asked_at bigint NOT NULL, blocked_until bigint NOT NULL)`,
  ],
};

/**
 * What a request has to keep to when it leaves: not before `scheduled` (one that is `postponed` waits until `due` for another rule), not from `useless_after` on, once for a key, and the rest of
 * `RequestRules`. `claim` numbers the claims of an owner. `once_keys` has the request that holds a key for a number, until `until`;
 * `spent` counts the billed messages of an account (blank number) and to a number in the period that begins at `starts`;
 * `recipients.spent` is what a request has reserved there for the periods `spent_hour` and `spent_day`. Each message with a key or a
 * limit adds rows here, so their keys are in an order that serves every question, and there are few other indexes.
 */
const GUARDS: Migration = {
  version: 3,
  statements: ({ byKey }) => [
    ...[
      "claim bigint",
      "scheduled bigint",
      "postponed integer NOT NULL DEFAULT 0",
      "useless_after bigint",
      "once_key text",
      "once_within bigint",
      "once_hash text",
      "also_opted_out integer NOT NULL DEFAULT 0",
      "category text",
      "cost integer NOT NULL DEFAULT 1",
      "zone text",
      "spent_hour bigint",
      "spent_day bigint",
    ].map((column) => `ALTER TABLE requests ADD COLUMN ${column}`),
    "DROP INDEX requests_leaving",
    "CREATE INDEX requests_leaving ON requests (owner, claim, id) WHERE state = 'leaving'",
    "ALTER TABLE recipients ADD COLUMN spent integer",
    `CREATE INDEX requests_by_once_key ON requests (once_key, id)
      WHERE once_key IS NOT NULL AND state IN ('queued', 'held', 'parked')`,

    `CREATE TABLE once_keys (
      account text NOT NULL, once_key text NOT NULL, number text NOT NULL,
      request bigint NOT NULL, hash text NOT NULL, at bigint NOT NULL, until bigint NOT NULL, outcome text,
      PRIMARY KEY (number, account, once_key))${byKey}`,
    "CREATE INDEX once_keys_by_end ON once_keys (until)",

    `CREATE TABLE opt_outs (
      account text NOT NULL, number text NOT NULL, scope text NOT NULL, at bigint NOT NULL, source text NOT NULL,
      PRIMARY KEY (account, number))${byKey}`,

    `CREATE TABLE spent (
      account text NOT NULL, number text NOT NULL, period text NOT NULL, starts bigint NOT NULL, messages bigint NOT NULL,
      PRIMARY KEY (starts, account, number, period))${byKey}`,
  ],
};

/**
 * Conversations. A row of `waits` is a message that waits until something is heard of the recipients of a request. `phase` is `new`
 * within the operation that begins it, then `open`, `due` when its time is over but not that of its group, `ending` within the operation
 * that ends it, and `over`. It has a row of `wait_recipients` for each recipient whose end has not left the node, and counts them in
 * `open`: `what` is null while nothing was heard, `needs` the rank of a delivery that ends it, and `asks` 1 while a reply of the number
 * belongs to it. `replies` has inbound messages as long as a wait may want them: `wait` is the one that has to look at it, and `state`
 * says whether a wait has taken it, or left it for a `later` one. `contacts` says when a number last wrote to an application. `codes` has
 * one-time codes as keyed hashes, and `code_counts` how many of them were made for or tried by somebody since `starts`.
 */
const CONVERSATIONS: Migration = {
  version: 4,
  statements: ({ countedKey, byKey }) => [
    `CREATE TABLE waits (
      id ${countedKey}, wait_key text NOT NULL UNIQUE, account text NOT NULL, node text NOT NULL, taker text NOT NULL,
      kind text NOT NULL, channel text NOT NULL, request bigint NOT NULL, begun_at bigint NOT NULL, until bigint NOT NULL,
      phase text NOT NULL, group_key text, recipients integer NOT NULL, open integer NOT NULL, left_count integer NOT NULL, snapshot text)`,
    "CREATE INDEX waits_by_end ON waits (taker, until, id) WHERE phase = 'open'",
    "CREATE INDEX waits_open_of_group ON waits (group_key) WHERE phase = 'open' AND group_key IS NOT NULL",
    "CREATE INDEX waits_due ON waits (group_key, id) WHERE phase = 'due'",
    "CREATE INDEX waits_ending ON waits (phase, id) WHERE phase = 'ending'",
    "CREATE INDEX waits_over ON waits (taker, id) WHERE phase = 'over' AND open > 0",
    "CREATE INDEX waits_by_begin ON waits (begun_at)",
    "CREATE INDEX waits_by_node ON waits (account, node) WHERE open > 0",

    `CREATE TABLE wait_recipients (
      wait bigint NOT NULL, place integer NOT NULL, account text NOT NULL, request bigint NOT NULL, number text NOT NULL,
      needs integer NOT NULL, asks integer NOT NULL, channel text NOT NULL, replaced integer NOT NULL,
      what text, status text, at bigint, reply bigint, PRIMARY KEY (wait, place))${byKey}`,
    "CREATE INDEX wait_recipients_open ON wait_recipients (request, place) WHERE what IS NULL",
    "CREATE INDEX wait_recipients_asking ON wait_recipients (account, number, wait) WHERE asks = 1",
    "CREATE INDEX wait_recipients_heard ON wait_recipients (wait, place) WHERE what IN ('happened', 'failed')",

    `CREATE TABLE replies (
      id ${countedKey}, account text NOT NULL, event_key text NOT NULL, number text NOT NULL, channel text NOT NULL,
      body text NOT NULL, at bigint NOT NULL, received_at bigint NOT NULL, state text NOT NULL, wait bigint, place integer,
      UNIQUE (account, event_key))`,
    "CREATE INDEX replies_by_number ON replies (number, account, id)",
    "CREATE INDEX replies_by_age ON replies (received_at)",
    "CREATE INDEX replies_of_wait ON replies (wait, id) WHERE wait IS NOT NULL",

    `CREATE TABLE contacts (
      account text NOT NULL, number text NOT NULL, channel text NOT NULL, application text NOT NULL, at bigint NOT NULL,
      PRIMARY KEY (number, account, channel, application))${byKey}`,
    "CREATE INDEX contacts_by_age ON contacts (at)",

    `CREATE TABLE codes (
      account text NOT NULL, purpose text NOT NULL, number text NOT NULL, hash text NOT NULL, made_at bigint NOT NULL,
      until bigint NOT NULL, tries integer NOT NULL, most integer NOT NULL, PRIMARY KEY (account, purpose, number))${byKey}`,
    "CREATE INDEX codes_by_end ON codes (until)",
    "CREATE INDEX codes_by_number ON codes (number)",
    `CREATE TABLE code_counts (
      account text NOT NULL, what text NOT NULL, who text NOT NULL, starts bigint NOT NULL, count bigint NOT NULL,
      PRIMARY KEY (starts, account, what, who))${byKey}`,
  ],
};

/** What searches of the history need to find their first page among a million messages: rare outcomes of an account, and what a number wrote. */
const SEARCHES: Migration = {
  version: 5,
  statements: () => [
    "DROP INDEX requests_by_failure",
    "CREATE INDEX requests_by_outcome ON requests (account, outcome, id) WHERE outcome <> 'sent'",
    "CREATE INDEX events_inbound ON events (number, account, received_at) WHERE kind = 'inbound'",
  ],
};

/**
 * Indexes for what is looked for time and again: each has only the few rows that are asked for, so that nobody reads a long queue or
 * history for them. `requests_delayed` has what waits for something else than the time that it was scheduled for.
 */
const FOUND_BY_AGE: Migration = {
  version: 6,
  statements: () => [
    `CREATE INDEX requests_delayed ON requests (account, postponed, due)
      WHERE state = 'queued' AND due IS NOT NULL AND due > coalesce(scheduled, 0)`,
    `CREATE INDEX events_unlinked ON events (received_at)
      WHERE request IS NULL AND transfer_id IS NOT NULL AND kind <> 'inbound'`,
    "CREATE INDEX replies_unclaimed ON replies (received_at) WHERE state = 'new' AND wait IS NULL",
    "CREATE INDEX waits_done ON waits (begun_at) WHERE phase = 'over' AND open = 0",
  ],
};

/**
 * Requests that go from one store to another. In the former one they are `moving`, and their owner is the name of the move, which begins
 * with the id of the place that they go to. `places` has the id of this one. A row of `arrivals` is a move that has come here: it
 * stays, because whoever was interrupted may ask after any time.
 */
const MOVES: Migration = {
  version: 7,
  statements: () => [
    "CREATE TABLE places (one integer PRIMARY KEY, id text NOT NULL)",
    "CREATE TABLE arrivals (id text PRIMARY KEY, at bigint NOT NULL, done integer NOT NULL)",
    "CREATE INDEX requests_moving ON requests (account, owner, id) WHERE state = 'moving'",
  ],
};

/** Every step, in order. A new step is added at the end. */
export const MIGRATIONS: readonly Migration[] = [
  FIRST,
  SHARED,
  GUARDS,
  CONVERSATIONS,
  SEARCHES,
  FOUND_BY_AGE,
  MOVES,
];

/** The version that this code reads and writes. A database with a later one is refused. */
export const SCHEMA_VERSION = MIGRATIONS.length;
