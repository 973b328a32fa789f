import { FIRST_TABLES } from "./first-tables";
import { type Dialect, type SqlPart, sql } from "./sql";

/** A released migration never changes: a later one corrects it. */
interface Migration {
  /** Counts up from 1 without gaps. */
  readonly version: number;
  /** Run in order in one transaction, under a lock against other processes. */
  readonly statements: readonly SqlPart[];
}

/** Every version of the schema has this table in this form. */
const STEPS_TABLE = `CREATE TABLE IF NOT EXISTS schema_steps (
    version integer PRIMARY KEY, applied_at bigint NOT NULL)`;

/** Records a migration. ?1 version, ?2 epoch ms. */
const RECORD_STEP = "INSERT INTO schema_steps (version, applied_at) VALUES (?1, ?2)";

/** A new migration is added at the end. */
const MIGRATIONS: readonly Migration[] = [{ version: 1, statements: FIRST_TABLES }];

/** The version that this code reads and writes. A database with a later one is refused. */
export const latestVersion = (): number => MIGRATIONS.length;

interface Step {
  readonly text: string;
  readonly values: number[];
}

/** Statements that bring a database from a version to the latest one. @param now epoch ms */
export const stepsFrom = (present: number, dialect: Dialect, now: number): readonly Step[] => [
  { text: STEPS_TABLE, values: [] },
  ...MIGRATIONS.slice(present).flatMap(({ version, statements }): readonly Step[] => [
    ...statements.map((part) => ({ text: sql`${part}`(dialect), values: [] })),
    { text: RECORD_STEP, values: [version, now] },
  ]),
];

/** Names of the tables that the migrations create. */
export const tablesOf = (dialect: Dialect): readonly string[] =>
  stepsFrom(0, dialect, 0).flatMap(({ text }) => /^\s*CREATE TABLE (?!IF)(\w+)/.exec(text)?.[1] ?? []);

/**
 * Names of which none is there without `schema_steps`, but in a database that was made before 1.0.0. `schema_versions` is the table of the
 * versions before it, none of which was ever released.
 */
export const tablesOfBefore = (dialect: Dialect): readonly string[] => [
  "schema_versions",
  ...tablesOf(dialect),
];
