/** The databases. Their SQL is written once; what differs between them is in this file. */
export type Dialect = "sqlite" | "postgresql";

/**
 * A piece of SQL with the placeholders `?1`, `?2` and so on. An engine whose driver names placeholders otherwise replaces `?` before it
 * prepares a statement; no statement uses `?` for anything else.
 */
export type Sql = (dialect: Dialect) => string;
export type SqlPart = string | number | Sql;

const textIn = (dialect: Dialect, part: SqlPart): string =>
  typeof part === "function" ? part(dialect) : String(part);

/** Puts pieces of SQL together. */
export const sql =
  (strings: TemplateStringsArray, ...parts: readonly SqlPart[]): Sql =>
  (dialect) =>
    strings.map((text, at) => `${text}${textIn(dialect, parts[at] ?? "")}`).join("");

const either = (sqlite: SqlPart, postgresql: SqlPart): Sql => {
  const texts = { sqlite, postgresql };
  return (dialect) => textIn(dialect, texts[dialect]);
};

/** Type and constraint of a key that the database counts up. Without AUTOINCREMENT the number of a deleted newest row would be given again. */
export const COUNTED_KEY = either(
  "INTEGER PRIMARY KEY AUTOINCREMENT",
  "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
);
/** The same for a key that is that of another table. */
export const SAME_KEY = either("INTEGER PRIMARY KEY", "bigint PRIMARY KEY");
/** Ends the definition of a table whose rows are kept in the order of their key. */
export const BY_KEY = either(" WITHOUT ROWID", "");
/**
 * Ends the definition of a table whose rows are changed in columns without an index. Without a place on its page, a changed row of
 * PostgreSQL gets a new entry in every index.
 */
export const CHANGED = either("", " WITH (fillfactor = 75)");
/** Ends the columns of an index whose rows are read in the order of their ids, which are in each entry of an index of SQLite. */
export const BY_ID = either("", ", id");

/** Epoch ms by the clock of the database. */
export const NOW = either(
  "CAST(unixepoch('subsec') * 1000 AS bigint)",
  "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
);

/** Bytes of all tables and indexes with what is free between their rows, as an expression. */
export const STORED_BYTES = either(
  "(SELECT p.page_count * s.page_size FROM pragma_page_count() p CROSS JOIN pragma_page_size() s)",
  `(SELECT CAST(coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bigint) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r')`,
);

/** The number behind `"name":` in a JSON object of texts and whole numbers, or NULL. Regular expressions are slower. */
export const numberIn = (json: string, name: string): Sql =>
  either(
    `CASE WHEN instr(${json}, '"${name}":') > 0
      THEN CAST(substr(${json}, instr(${json}, '"${name}":') + ${name.length + 3}) AS integer) END`,
    `CAST(nullif(rtrim(split_part(split_part(${json}, '"${name}":', 2), ',', 1), '}'), '') AS bigint)`,
  );
/** The word with which a JSON object begins, as the value of this name; NULL for one that begins otherwise. */
export const firstWordOf = (json: string, name: string): Sql =>
  either(
    `CASE WHEN ${json} LIKE '{"${name}":"%' THEN substr(${json}, ${name.length + 6}, instr(substr(${json}, ${name.length + 6}), '"') - 1) END`,
    `substring(${json} FROM '^[{]"${name}":"([A-Z_]+)"')`,
  );

/** The smallest of some numbers, of which some may be NULL; NULL where all are. */
export const smallestOf = (all: readonly string[]): Sql =>
  either(
    `(SELECT min(n.value) FROM (${all.map((value) => `SELECT ${value} AS value`).join(" UNION ALL ")}) n)`,
    `least(${all.join(", ")})`,
  );

/** The smaller of two numbers. */
export const least = (a: SqlPart, b: SqlPart): Sql => sql`${either("min", "least")}(${a}, ${b})`;
/** The larger of two numbers. */
export const greatest = (a: SqlPart, b: SqlPart): Sql => sql`${either("max", "greatest")}(${a}, ${b})`;

/**
 * A table of the entries of a JSON array, for `FROM`. Lists are passed as one parameter; most entries are arrays as well, whose values are
 * read by position (`e.value ->> 0`) and have to be cast to anything but text.
 * @param array a placeholder or an expression of JSON
 */
export const each = (array: string, alias = "e"): Sql =>
  either(
    `json_each(${array}) AS ${alias}`,
    `jsonb_array_elements(CAST(${array} AS jsonb)) WITH ORDINALITY AS ${alias} (value, number)`,
  );
/** Position of such an entry in its array, from 0. */
export const placeOf = (alias = "e"): Sql => either(`${alias}.key`, `(${alias}.number - 1)`);
/** The text of such an entry that is no array. */
export const textOf = (alias = "e"): Sql => either(`${alias}.value`, `(${alias}.value #>> '{}')`);
/** Such an entry that is an id. */
export const idOf = (alias = "e"): Sql => sql`CAST(${textOf(alias)} AS bigint)`;

/** The entries of a JSON array of texts or ids, as a query. */
export const textsOf = (array: string, alias = "e"): Sql =>
  sql`SELECT ${textOf(alias)} FROM ${each(array, alias)}`;
export const idsOf = (array: string, name = "id"): Sql =>
  sql`SELECT ${idOf()} AS ${name} FROM ${each(array)}`;

/** A value of a row as a JSON array of texts. */
export const collect = (expression: string, order: string): Sql =>
  either(
    `json_group_array(${expression} ORDER BY ${order})`,
    `CAST(json_agg(${expression} ORDER BY ${order}) AS text)`,
  );

/**
 * Joins a table to what stands before it in `FROM`, each row by an index, however small the tables seem to be: where one was found
 * empty, PostgreSQL reads all of it for each row instead until it looks again, and it may have grown by thousands since. OFFSET 0 keeps its
 * planner from joining it in another way.
 * @param condition names a column of an index
 */
export const lookUp = (table: string, alias: string, condition: SqlPart): Sql =>
  either(
    sql`CROSS JOIN ${table} ${alias} ON ${condition}`,
    sql`CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias}`,
  );
/** As `lookUp`, with NULL where there is no row. */
export const lookUpIfAny = (table: string, alias: string, condition: SqlPart): Sql =>
  either(
    sql`LEFT JOIN ${table} ${alias} ON ${condition}`,
    sql`LEFT JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias} ON true`,
  );

/**
 * Whether the columns of a key have these values of a list whose rows are changed, found by its index as with `lookUp`. By an equation the
 * planner of PostgreSQL may also go through the whole table in the order of its key.
 */
export const isRow = (key: readonly string[], values: readonly string[]): Sql => {
  const [row, wanted] = [key, values].map((all) => `(${all.join(", ")})`);
  return either(
    key.map((column, at) => `${column} = ${values[at]}`).join(" AND "),
    `${row} >= ${wanted} AND ${row} <= ${wanted}`,
  );
};

/** Follows a key: it is one of those that a query finds, each looked up as with `lookUp`. The query runs once. */
export const among = (query: SqlPart): Sql => either(sql`IN (${query})`, sql`= ANY (ARRAY(${query}))`);

/**
 * Follows a key: it is one of those that a query chooses, and the query runs once. Rows that somebody else is changing at the same
 * moment are left out. PostgreSQL may run a query behind IN once for each row of the table, and choose more rows than its LIMIT.
 * @param alias of the table whose rows are changed, where the query has others
 */
export const chosen = (query: SqlPart, alias?: string): Sql =>
  either(
    sql`IN (${query})`,
    sql`= ANY (ARRAY(${query} FOR UPDATE ${alias === undefined ? "" : `OF ${alias} `}SKIP LOCKED))`,
  );

/**
 * As `chosen`, but waits for rows that somebody else is changing. The query has to have the order in which all who wait for several of
 * them take them, so that they do not wait for each other in a circle.
 */
export const awaited = (query: SqlPart): Sql =>
  either(sql`IN (${query})`, sql`= ANY (ARRAY(${query} FOR UPDATE))`);
