import type { ClientBase } from "pg";
import { latestVersion, tablesOf } from "../../schema/migrations";
import { OpenError } from "../open-error";
import { query } from "./postgresql-driver";
import { placeOf, type PostgresqlSettings } from "./postgresql-engine";
import { toOpenError } from "./postgresql-fault";
import { openClient } from "./postgresql-pool";
import { schemaVersion } from "./postgresql-schema";
import { fullSettings } from "./postgresql-settings";
import { PostgresqlSockets } from "./postgresql-sockets";
import { readPostgresqlUrl } from "./postgresql-url";
import { StoreError } from "../store-error";

/** How far a schema is: not there, without tables, with those of an earlier version, or as this version has it. */
export type SchemaState = "missing" | "empty" | "older" | "current";

/** What can be found out about a database without changing it. */
export interface PostgresqlFacts {
  /** Server, database and schema. */
  readonly place: string;
  /** Version of the server, as `15.6`. */
  readonly version: string;
  readonly encrypted: boolean;
  readonly schema: SchemaState;
  /** Bytes of all tables of the schema, with their indexes. */
  readonly size: number;
  /** ms from a question to its answer, the shortest of a few. */
  readonly roundTrip: number;
}

const FACTS = `SELECT
    split_part(current_setting('server_version'), ' ', 1) AS version, CAST(n.oid AS bigint) AS schema,
    CASE WHEN n.oid IS NULL THEN has_database_privilege(current_database(), 'CREATE')
      ELSE has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE') END AS may_create,
    CASE WHEN n.oid IS NULL THEN true ELSE has_schema_privilege(n.oid, 'USAGE') END AS may_use,
    (SELECT CAST(COALESCE(sum(pg_total_relation_size(c.oid)), 0) AS bigint)
      FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'r') AS size
  FROM (SELECT 1) AS one LEFT JOIN pg_namespace n ON n.nspname = $1`;

const RIGHTS = ["SELECT", "INSERT", "UPDATE", "DELETE"];
const LACKING = `SELECT t.name, CAST(c.oid AS bigint) AS found
  FROM json_array_elements_text($2) AS t (name)
    LEFT JOIN (pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = $1) ON c.relname = t.name
  WHERE c.oid IS NULL OR NOT (${RIGHTS.map((right) => `has_table_privilege(c.oid, '${right}')`).join(" AND ")})
  LIMIT 1`;

/** The driver leaves what is no number as text. */
const TRUE = "t";

/**
 * Connects as an engine does, with the same conditions, and looks at the schema. Makes and changes nothing.
 * @throws StoreError also where the user could not make or use the schema, or another version of this package has made it that this
 * one cannot use
 */
export async function inspectPostgresql(settings: PostgresqlSettings): Promise<PostgresqlFacts> {
  const full = fullSettings(settings);
  const place = placeOf(full);
  const sockets = new PostgresqlSockets();
  try {
    const target = readPostgresqlUrl(full);
    const { client } = await openClient(full, sockets);
    try {
      return { place, encrypted: target.tls !== null, ...(await look(client, full.schema)) };
    } catch (error) {
      throw toOpenError(error, target);
    } finally {
      await sockets.endAfter(client.end());
    }
  } catch (error) {
    const { fault, message } = error as OpenError;
    throw new StoreError(fault, place, message, false);
  }
}

async function look(client: ClientBase, name: string): Promise<Omit<PostgresqlFacts, "place" | "encrypted">> {
  const [row = {}] = await query(client, { text: FACTS, values: [name] });
  const isThere = row.schema !== null;
  if (row.may_use !== TRUE) {
    throw new OpenError("STORE_NO_RIGHTS", "USAGE ON SCHEMA");
  }
  const present = await schemaVersion(client, name);
  if (present < latestVersion() && row.may_create !== TRUE) {
    throw new OpenError("STORE_NO_RIGHTS", isThere ? "CREATE ON SCHEMA" : "CREATE ON DATABASE");
  }
  if (present === latestVersion()) {
    await checkTables(client, name);
  }
  const roundTrip = Math.min(await askOnce(client), await askOnce(client), await askOnce(client));
  const found: SchemaState =
    present === latestVersion() ? "current" : present > 0 ? "older" : isThere ? "empty" : "missing";
  return { version: String(row.version), schema: found, size: Number(row.size), roundTrip };
}

/** @returns ms */
async function askOnce(client: ClientBase): Promise<number> {
  const asked = performance.now();
  await query(client, { text: "SELECT 1" });
  return performance.now() - asked;
}

/** @throws OpenError */
async function checkTables(client: ClientBase, schema: string): Promise<void> {
  const values = [schema, JSON.stringify(tablesOf("postgresql"))];
  const [lacking] = await query(client, { text: LACKING, values });
  if (lacking !== undefined) {
    const rights = `${RIGHTS.join(", ")} ON ${lacking.name}`;
    throw lacking.found === null
      ? new OpenError("STORE_DAMAGED", `${lacking.name}`)
      : new OpenError("STORE_NO_RIGHTS", rights);
  }
}
