import { createHash } from "node:crypto";
import { featureTables } from "./feature-tables";
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
export const MIGRATIONS_TABLE = "schema_migrations";
const TABLE = `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
    version integer PRIMARY KEY, hash text NOT NULL, applied_at bigint NOT NULL)`;

/** Records a migration. ?1 version, ?2 hash, ?3 epoch ms. */
const RECORD = `INSERT INTO ${MIGRATIONS_TABLE} (version, hash, applied_at) VALUES (?1, ?2, ?3)`;

/** Reads the migrations of a database. */
export const readMigrations = (table = MIGRATIONS_TABLE): string =>
  `SELECT version, hash FROM ${table} ORDER BY version`;

/** A new migration is added at the end. */
const getMigrations = (): readonly Migration[] => [
  { version: 1, statements: [...FIRST_TABLES, ...featureTables()] },
];

/** The version that this code reads and writes. A database with a later one is refused. */
export const latestVersion = (): number => getMigrations().length;

interface Step {
  readonly text: string;
  readonly values: (string | number)[];
}

const textsOf = ({ statements }: Migration, dialect: Dialect): readonly string[] =>
  statements.map((part) => sql`${part}`(dialect));

/** Drafts of a version that was not released yet differ in it. */
const hashOf = (migration: Migration, dialect: Dialect): string =>
  createHash("sha256").update(textsOf(migration, dialect).join(";")).digest("hex").slice(0, 16);

/** Checks whether the migrations of a database are those of this code, as far as this code has them. @param found rows of `readMigrations` */
export const hasHashes = (
  found: readonly { readonly version?: unknown; readonly hash?: unknown }[],
  dialect: Dialect,
): boolean =>
  found.every(({ version, hash }) => {
    const migration = getMigrations()[Number(version) - 1];
    return migration === undefined || hashOf(migration, dialect) === hash;
  });

/** Statements that bring a database from a version to the latest one. @param now epoch ms */
export const stepsFrom = (present: number, dialect: Dialect, now: number): readonly Step[] => [
  { text: TABLE, values: [] },
  ...getMigrations()
    .slice(present)
    .flatMap((migration): readonly Step[] => [
      ...textsOf(migration, dialect).map((text) => ({ text, values: [] })),
      { text: RECORD, values: [migration.version, hashOf(migration, dialect), now] },
    ]),
];

/** Names of the tables that the migrations create. */
export const tablesOf = (dialect: Dialect): readonly string[] =>
  stepsFrom(0, dialect, 0).flatMap(({ text }) => /^\s*CREATE TABLE (?!IF)(\w+)/.exec(text)?.[1] ?? []);

/** Names of which none is there without `MIGRATIONS_TABLE`, except in a database of a draft of version 1. */
export const tablesOfBefore = (dialect: Dialect): readonly string[] => [
  "schema_versions",
  "schema_steps",
  ...tablesOf(dialect),
];
