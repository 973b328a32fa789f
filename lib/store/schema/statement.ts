import { type Sql, type SqlPart, sql } from "./sql";

/** A statement for both databases. An engine prepares each object once, so it is made once, not for each call. */
export interface Statement {
  /** Unique among all statements: a prepared statement of PostgreSQL bears it. At most 63 characters. */
  readonly name: string;
  readonly text: Sql;
}

const made = new Map<string, Statement>();

/** Makes a statement of a template, or of SQL that was put together elsewhere. @throws Error for a name that another statement has */
export function statement(
  name: string,
): (strings: TemplateStringsArray, ...parts: readonly SqlPart[]) => Statement;
export function statement(name: string, text: SqlPart): Statement;
export function statement(name: string, text?: SqlPart) {
  if (text === undefined) {
    return (strings: TemplateStringsArray, ...parts: readonly SqlPart[]) =>
      statement(name, sql(strings, ...parts));
  }
  if (made.has(name)) {
    throw new Error(`${name}: name in use`);
  }
  const whole = sql`${text}`;
  const one: Statement = { name, text: (dialect) => whole(dialect).trim() };
  made.set(name, one);
  return one;
}

/**
 * Deletes a slice of the rows `o` of a table, and gives back one row for each. ?2 how many at most.
 * @param key columns of its key
 * @param which condition on `o`, with an order where it matters which come first
 */
export const deleteSlice = (name: string, table: string, key: string, which: string): Statement =>
  statement(name)`
    DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key.replaceAll(/\w+/g, "o.$&")} FROM ${table} o WHERE ${which} LIMIT ?2) RETURNING 1 AS one`;

/** Every statement of the modules that are loaded. */
export const allStatements = (): readonly Statement[] => [...made.values()];
