import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import {
  latestVersion,
  MIGRATIONS_TABLE,
  readMigrations,
  stepsFrom,
  tablesOfBefore,
} from "../../schema/migrations";
import { checkVersion, OpenError } from "../open-error";
import { query } from "./postgresql-driver";
import { quoteName } from "./postgresql-session";

/** Key of the lock under which a schema is changed: one for each name of a schema, in each database. */
const lockKey = (schema: string): string =>
  createHash("sha256").update(`messaging store ${schema}`).digest().readBigInt64BE().toString();

/**
 * @returns 0 for a schema that is missing, or has none of the tables
 * @throws OpenError STORE_EARLIER for tables of a draft, STORE_NEWER, or the error of the server
 */
export async function schemaVersion(client: ClientBase, schema: string): Promise<number> {
  const tables = await query(client, {
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname IN (SELECT json_array_elements_text($2))`,
    values: [schema, JSON.stringify([MIGRATIONS_TABLE, ...tablesOfBefore("postgresql")])],
  });
  if (!tables.some((each) => each.name === MIGRATIONS_TABLE)) {
    if (tables.length > 0) {
      throw new OpenError("STORE_EARLIER", "");
    }
    return 0;
  }
  const table = `${quoteName(schema)}.${MIGRATIONS_TABLE}`;
  return checkVersion(await query(client, { text: readMigrations(table) }), "postgresql");
}

/**
 * Makes the schema and its tables, or completes them. Several processes may do so at the same moment: one does it, the others find
 * it done.
 * @throws OpenError STORE_NEWER or STORE_EARLIER, or the error of the server
 */
export async function openSchema(client: ClientBase, schema: string): Promise<void> {
  const isReady = async (): Promise<boolean> => (await schemaVersion(client, schema)) === latestVersion();
  if (await isReady()) {
    return;
  }
  await query(client, { text: "BEGIN" });
  try {
    await query(client, { text: "SELECT pg_advisory_xact_lock($1)", values: [lockKey(schema)] });
    if (!(await isReady())) {
      await migrate(client, schema);
    }
    await query(client, { text: "COMMIT" });
  } catch (error) {
    await query(client, { text: "ROLLBACK" }).catch(() => {});
    throw error;
  }
}

async function migrate(client: ClientBase, schema: string): Promise<void> {
  const present = await schemaVersion(client, schema);
  // Where the schema is there, the right to make one is not needed.
  const [found] = await query(client, {
    text: "SELECT 1 FROM pg_namespace WHERE nspname = $1",
    values: [schema],
  });
  if (found === undefined) {
    await query(client, { text: `CREATE SCHEMA ${quoteName(schema)}` });
  }
  for (const { text, values } of stepsFrom(present, "postgresql", Date.now())) {
    await query(client, { text: text.replaceAll("?", "$"), values });
  }
}
