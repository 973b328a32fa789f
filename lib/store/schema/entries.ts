import { each, type Sql, sql } from "./sql";
import { type Statement, statement } from "./statement";

type Type = "bigint" | "integer" | "text";

const LIST = each("?1");

/** The table of the entries, for FROM. */
export const ENTRIES: Sql = (dialect) => (dialect === "sqlite" ? "(SELECT 1 AS one) AS e" : LIST(dialect));

/** Joins the entries to the table that a statement changes. */
export const withEntries =
  (word: "FROM" | "USING"): Sql =>
  (dialect) =>
    dialect === "sqlite" ? "" : `${word} ${LIST(dialect)}`;

/** Whether a key is that of the entry. */
export const isOfEntry = (key: string, value: Sql): Sql => sql`${key} = ${value}`;

/**
 * Makes a statement for several entries (`entryCall`). SQLite runs it for each entry, whose values are its parameters: that is faster than
 * reading a list. PostgreSQL runs it once, with the list of entries as its only parameter.
 * @param types of the values of an entry, in their order
 * @param text gets the value of each name in an entry
 */
export function entryStatement<Name extends string>(
  name: string,
  types: Readonly<Record<Name, Type>>,
  text: (values: Readonly<Record<Name, Sql>>) => Sql,
): Statement {
  const values = (Object.keys(types) as Name[]).map((each, at): [Name, Sql] => [
    each,
    (dialect) => (dialect === "sqlite" ? `?${at + 1}` : `CAST(e.value ->> ${at} AS ${types[each]})`),
  ]);
  return statement(name, text(Object.fromEntries(values) as Record<Name, Sql>));
}

/** Makes a statement that adds a row for each entry. @param types of the columns, in the order of their values in an entry */
export const insertStatement = (
  name: string,
  table: string,
  types: Readonly<Record<string, Type>>,
): Statement =>
  entryStatement(name, types, (values) => {
    const list = Object.values(values).reduce((all, value) => sql`${all}, ${value}`);
    return sql`INSERT INTO ${table} (${Object.keys(types).join(", ")}) SELECT ${list} FROM ${ENTRIES}`;
  });
