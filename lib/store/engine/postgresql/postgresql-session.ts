import type { ClientBase } from "pg";
import { OpenError } from "../open-error";
import { type Backend, backendOf } from "./postgresql-backend";
import { query } from "./postgresql-driver";
import type { FullSettings } from "./postgresql-settings";

/** 13.0, as `server_version_num` has it. */
const OLDEST = 130_000;
/** ms after which the server ends a transaction whose process does not go on, as it may be stopped. */
const IDLE_TIMEOUT = 10_000;

/** A name as SQL has it. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const STATE = `SELECT
    current_setting('server_version_num') AS version, current_setting('server_version') AS name,
    current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('transaction_read_only') AS read_only, CAST(pg_is_in_recovery() AS text) AS standby`;

/**
 * Tables are small when plans are made and grow before they are analysed, and nobody can estimate the length of a list that is a
 * parameter. So tables are joined in the order of the statement, as SQLite does it, by their indexes.
 */
const PLANNING = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_bitmapscan: "off",
  enable_material: "off",
  join_collapse_limit: "1",
  from_collapse_limit: "1",
  cpu_tuple_cost: "1",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
};

/** Who reads for people wants the first rows in the order of an index, and never all of them to be sorted first. */
const READING = { enable_sort: "off" };

/**
 * Sets a new connection up, and makes sure that its server keeps what it has committed.
 * @throws OpenError, or the error of the server
 */
export async function startSession(
  client: ClientBase,
  { schema, statementTimeout, lockTimeout, reads }: FullSettings,
): Promise<Backend> {
  const settings = {
    client_encoding: "UTF8",
    search_path: quoteName(schema),
    synchronous_commit: "on",
    statement_timeout: `${statementTimeout}`,
    lock_timeout: `${lockTimeout}`,
    idle_in_transaction_session_timeout: `${IDLE_TIMEOUT}`,
    ...PLANNING,
    ...(reads ? READING : {}),
    // From PostgreSQL 17 on.
    transaction_timeout: `${4 * statementTimeout}`,
  };
  await query(client, {
    text: `SELECT set_config(s.name, v.value, false)
      FROM json_each_text($1) AS v (name, value) JOIN pg_settings s ON s.name = v.name`,
    values: [JSON.stringify(settings)],
  });
  const [state] = await query(client, { text: STATE });
  const version = Number(state?.version);
  if (!(version >= OLDEST)) {
    throw new OpenError("STORE_TOO_OLD", String(state?.name));
  }
  if (state?.encoding !== "UTF8") {
    throw new OpenError("STORE_NOT_UTF8", String(state?.encoding));
  }
  if (state.fsync !== "on") {
    throw new OpenError("STORE_UNSAFE", "fsync");
  }
  if (state.synchronous_commit !== "on") {
    throw new OpenError("STORE_UNSAFE", "synchronous_commit");
  }
  if (state.standby === "true" || state.read_only !== "off") {
    throw new OpenError("STORE_READ_ONLY", state.standby === "true" ? "standby" : "transaction_read_only");
  }
  return backendOf(client);
}
