/**
 * All that differs between the SQL of the two databases. Statements are written once, with the placeholders `?1`, `?2`
 * and so on, and ask the dialect for the rest. An engine whose driver names placeholders otherwise replaces `?` before it
 * prepares a statement; no statement uses `?` for anything else.
 *
 * Lists are passed as one parameter, a JSON array. Each of its entries is an array as well, whose values are read by
 * position (`e.value ->> 0`) and have to be cast to anything but text.
 */
export interface Dialect {
  readonly name: "sqlite" | "postgresql";
  /** Type and constraint of a key that the database counts up. */
  readonly countedKey: string;
  /** Type and constraint of a key that is that of another table. */
  readonly sameKey: string;
  /** Ends the definition of a table whose rows are kept in the order of their key. */
  readonly byKey: string;
  /** Ends the definition of a table whose rows are changed in columns without an index: PostgreSQL keeps a place beside them for that. */
  readonly changed: string;
  /** Ends the columns of an index whose rows are read in the order of their ids. */
  readonly byId: string;
  /** A table of the entries of a JSON array, for `FROM`. @param array a placeholder or an expression of JSON */
  readonly each: (array: string, alias: string) => string;
  /** Position of such an entry in its array, from 0. */
  readonly place: (alias: string) => string;
  /** The text of such an entry that is no array. */
  readonly text: (alias: string) => string;
  /** A value of a row as a JSON array of texts. */
  readonly collect: (expression: string, order: string) => string;
  /**
   * Joins a table to what stands before it in `FROM`, each row by an index, however small the tables seem to be: where one was found
   * empty, PostgreSQL reads all of it for each row instead until it looks again, and it may have grown by thousands since.
   * @param condition names a column of an index
   */
  readonly lookUp: (table: string, alias: string, condition: string) => string;
  /** Whether the columns of a key have these values of a list whose rows are changed, found by its index as with `lookUp`. */
  readonly isRow: (key: readonly string[], values: readonly string[]) => string;
  /** Follows a key: it is one of those that a query finds, each looked up as with `lookUp`. The query runs once. */
  readonly among: (query: string) => string;
  /** Epoch ms by the clock of the database. */
  readonly now: string;
  /** The larger of two numbers. */
  readonly greatest: (a: string, b: string) => string;
  /**
   * Follows a key: it is one of those that a query chooses, and the query runs once. Rows that somebody else is changing at the same
   * moment are left out.
   * @param alias of the table whose rows are changed, where the query has others
   */
  readonly chosen: (query: string, alias?: string) => string;
}

export const SQLITE: Dialect = {
  name: "sqlite",
  // Without AUTOINCREMENT the number of a deleted newest row would be given again.
  countedKey: "INTEGER PRIMARY KEY AUTOINCREMENT",
  sameKey: "INTEGER PRIMARY KEY",
  byKey: " WITHOUT ROWID",
  changed: "",
  // The id is in each entry of an index by itself.
  byId: "",
  each: (array, alias) => `json_each(${array}) AS ${alias}`,
  place: (alias) => `${alias}.key`,
  text: (alias) => `${alias}.value`,
  collect: (expression, order) => `json_group_array(${expression} ORDER BY ${order})`,
  lookUp: (table, alias, condition) => `CROSS JOIN ${table} ${alias} ON ${condition}`,
  isRow: (key, values) => key.map((column, at) => `${column} = ${values[at]}`).join(" AND "),
  among: (query) => `IN (${query})`,
  now: "CAST(unixepoch('subsec') * 1000 AS bigint)",
  greatest: (a, b) => `max(${a}, ${b})`,
  // One process has the file, and one thread of it writes.
  chosen: (query) => `IN (${query})`,
};

export const POSTGRESQL: Dialect = {
  name: "postgresql",
  countedKey: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  sameKey: "bigint PRIMARY KEY",
  byKey: "",
  // Without a place on its page a changed row gets a new entry in every index.
  changed: " WITH (fillfactor = 75)",
  byId: ", id",
  each: (array, alias) =>
    `jsonb_array_elements(CAST(${array} AS jsonb)) WITH ORDINALITY AS ${alias} (value, number)`,
  place: (alias) => `(${alias}.number - 1)`,
  text: (alias) => `(${alias}.value #>> '{}')`,
  collect: (expression, order) => `CAST(json_agg(${expression} ORDER BY ${order}) AS text)`,
  // OFFSET 0 keeps the planner from joining it in another way.
  lookUp: (table, alias, condition) =>
    `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias}`,
  // By an equation the planner may also go through the whole table in the order of its key.
  isRow: (key, values) => {
    const [row, wanted] = [key, values].map((each) => `(${each.join(", ")})`);
    return `${row} >= ${wanted} AND ${row} <= ${wanted}`;
  },
  among: (query) => `= ANY (ARRAY(${query}))`,
  now: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
  greatest: (a, b) => `greatest(${a}, ${b})`,
  // PostgreSQL may run a query behind IN once for each row of the table, and choose more rows than its LIMIT.
  chosen: (query, alias) =>
    `= ANY (ARRAY(${query} FOR UPDATE ${alias === undefined ? "" : `OF ${alias} `}SKIP LOCKED))`,
};
