import { createHash } from "node:crypto";
import { POSTGRESQL } from "../../schema/dialect";
import { MIGRATIONS, SCHEMA_VERSION, VERSIONS_TABLE } from "../../schema/migrations";
import { OpenError } from "../open-error";
import type { PostgresqlConnection } from "./postgresql-connection";
import { quoteName } from "./postgresql-session";

/** Key of the lock under which a schema is changed: one for each name of a schema, in each database. */
const lockKey = (schema: string): string =>
  createHash("sha256").update(`messaging store ${schema}`).digest().readBigInt64BE().toString();

/** @returns 0 for a schema that is missing or empty */
export async function schemaVersion(connection: PostgresqlConnection, schema: string): Promise<number> {
  const [table] = await connection.query({
    text: `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = 'schema_versions'`,
    values: [schema],
  });
  if (table === undefined) {
    return 0;
  }
  const name = `${quoteName(schema)}.schema_versions`;
  const [row] = await connection.query({ text: `SELECT max(version) AS version FROM ${name}` });
  return Number(row?.version ?? 0);
}

/**
 * Makes the schema and its tables, or completes them. Several processes may do so at the same moment: one does it, the others find
 * it done.
 * @throws OpenError STORE_NEWER, or the error of the server
 */
export async function openSchema(connection: PostgresqlConnection, schema: string): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const present = await schemaVersion(connection, schema);
    if (present > SCHEMA_VERSION) {
      throw new OpenError("STORE_NEWER", `${present} > ${SCHEMA_VERSION}`);
    }
    return present === SCHEMA_VERSION;
  };
  if (await isReady()) {
    return;
  }
  await connection.query({ text: "BEGIN" });
  try {
    await connection.query({ text: "SELECT pg_advisory_xact_lock($1)", values: [lockKey(schema)] });
    if (!(await isReady())) {
      await migrate(connection, schema);
    }
    await connection.query({ text: "COMMIT" });
  } catch (error) {
    await connection.query({ text: "ROLLBACK" }).catch(() => {});
    throw error;
  }
}

async function migrate(connection: PostgresqlConnection, schema: string): Promise<void> {
  const present = await schemaVersion(connection, schema);
  // Where the schema is there, the right to make one is not needed.
  const [found] = await connection.query({
    text: "SELECT 1 FROM pg_namespace WHERE nspname = $1",
    values: [schema],
  });
  if (found === undefined) {
    await connection.query({ text: `CREATE SCHEMA ${quoteName(schema)}` });
  }
  await connection.query({ text: VERSIONS_TABLE });
  for (const { version, statements } of MIGRATIONS.slice(present)) {
    for (const text of statements(POSTGRESQL)) {
      await connection.query({ text });
    }
    const values = [version, Date.now()];
    await connection.query({ text: "INSERT INTO schema_versions VALUES ($1, $2)", values });
  }
}
