import { FIRST_TABLES } from "./first-tables";
import { type Dialect, type SqlPart, sql } from "./sql";

/**
 * Rows that a step brings into a new form after it was taken, slice by slice, while everything else goes on. Its statements rename the old
 * table, so that a process of before fails instead of writing to it, and whoever reads meanwhile reads both, through a view for example.
 */
export interface Copy {
  /** The old table. Nobody writes to it any more. */
  readonly from: string;
  /** Its column that counts up from 1, with an index. */
  readonly key: string;
  /** Copies the rows of one slice. @param isOfSlice SQL of whether a key of the old table belongs to the slice. `?1` is taken, others there are none */
  readonly statement: (isOfSlice: (key: string) => string) => SqlPart;
}

/** One step of the schema. A released step never changes: what it got wrong, a later one mends. */
export interface Migration {
  /** Counts up from 1 without gaps. */
  readonly version: number;
  /** Statements in order; an engine runs them in one transaction, under a lock against other processes. None of them takes long. */
  readonly statements: readonly SqlPart[];
  readonly copy?: Copy;
}

/**
 * Holds a row for each step that was taken. Every version of the schema has it in this form. Of a step with a copy, `slice_after` and
 * `slice_end` are the keys
 * between which the last slice lies, `worker` is the process that copies until `worker_until`, and `done_at` is null until all is copied.
 */
const STEPS_TABLE = `CREATE TABLE IF NOT EXISTS schema_steps (
    version integer PRIMARY KEY, applied_at bigint NOT NULL, slice_after bigint, slice_end bigint,
    worker text, worker_until bigint, done_at bigint)`;

/** Notes that a step was taken. ?1 version, ?2 epoch ms, ?3 the same where it has no copy, else null. */
const NOTE_STEP = "INSERT INTO schema_steps (version, applied_at, slice_end, done_at) VALUES (?1, ?2, 0, ?3)";

/** Every step, in order. A new step is added at the end. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, statements: FIRST_TABLES }];

/** The version that this code reads and writes. A database with a later one is refused. */
export const latestVersion = (): number => MIGRATIONS.length;

interface Step {
  readonly text: string;
  readonly values: (number | null)[];
}

/** What brings a database of a version to the latest one, statement by statement. @param now epoch ms */
export const stepsFrom = (present: number, dialect: Dialect, now: number): readonly Step[] => [
  { text: STEPS_TABLE, values: [] },
  ...MIGRATIONS.slice(present).flatMap(({ version, statements, copy }): readonly Step[] => [
    ...statements.map((part) => ({ text: sql`${part}`(dialect), values: [] })),
    { text: NOTE_STEP, values: [version, now, copy === undefined ? now : null] },
  ]),
];

/** Names of the tables that the steps make. */
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
