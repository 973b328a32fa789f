/** The databases. Their differences are in this file only. */
export type Dialect = "sqlite" | "postgresql";

/**
 * A piece of SQL with the placeholders `?1`, `?2` and so on. No statement uses `?` for anything else.
 */
export type Sql = (dialect: Dialect) => string;
export type SqlPart = string | number | Sql;

const textIn = (dialect: Dialect, part: SqlPart): string =>
  typeof part === "function" ? part(dialect) : String(part);

export const sql =
  (strings: TemplateStringsArray, ...parts: readonly SqlPart[]): Sql =>
  (dialect) =>
    strings.map((text, at) => `${text}${textIn(dialect, parts[at] ?? "")}`).join("");

const either = (sqlite: SqlPart, postgresql: SqlPart): Sql => {
  const texts = { sqlite, postgresql };
  return (dialect) => textIn(dialect, texts[dialect]);
};

/** A generated key. Without AUTOINCREMENT, SQLite reuses the key of a deleted newest row. */
export const COUNTED_KEY = either(
  "INTEGER PRIMARY KEY AUTOINCREMENT",
  "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
);
/** A key of another table. */
export const SAME_KEY = either("INTEGER PRIMARY KEY", "bigint PRIMARY KEY");
/** Ends the definition of a table that is ordered by its key. */
export const BY_KEY = either(" WITHOUT ROWID", "");
/**
 * Ends the definition of a table with changes in columns without an index. Without room on its page, a changed row of
 * PostgreSQL gets a new entry in every index.
 */
export const CHANGED = either("", " WITH (fillfactor = 75)");
/** Ends the columns of an index that is read in the order of ids, which SQLite adds to each index. */
export const BY_ID = either("", ", id");

/** Epoch ms by the clock of the database. */
export const NOW = either(
  "CAST(unixepoch('subsec') * 1000 AS bigint)",
  "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
);

/** Bytes of all tables and indexes, with free space between rows. */
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

/** The smallest of numbers that are not NULL. */
export const smallestOf = (all: readonly string[]): Sql =>
  either(
    `(SELECT min(n.value) FROM (${all.map((value) => `SELECT ${value} AS value`).join(" UNION ALL ")}) n)`,
    `least(${all.join(", ")})`,
  );

export const least = (a: SqlPart, b: SqlPart): Sql => sql`${either("min", "least")}(${a}, ${b})`;
export const greatest = (a: SqlPart, b: SqlPart): Sql => sql`${either("max", "greatest")}(${a}, ${b})`;

/**
 * A table of the entries of a JSON array, for `FROM`. Values of an entry (`e.value ->> 0`) are texts until they are cast.
 * @param array a placeholder or an expression of JSON
 */
export const each = (array: string, alias = "e"): Sql =>
  either(
    `json_each(${array}) AS ${alias}`,
    `jsonb_array_elements(CAST(${array} AS jsonb)) WITH ORDINALITY AS ${alias} (value, number)`,
  );
/** Index of an entry in its array. */
export const placeOf = (alias = "e"): Sql => either(`${alias}.key`, `(${alias}.number - 1)`);
/** The text of an entry that is no array. */
export const textOf = (alias = "e"): Sql => either(`${alias}.value`, `(${alias}.value #>> '{}')`);
/** An entry that is an id. */
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
 * Joins a table by an index. PostgreSQL reads a table that was empty at its last analysis completely for each row.
 * OFFSET 0 prevents such plans.
 * @param condition names a column of an index
 */
export const lookUp = (table: string, alias: string, condition: SqlPart): Sql =>
  either(
    sql`CROSS JOIN ${table} ${alias} ON ${condition}`,
    sql`CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias}`,
  );
/** As `lookUp`, with NULL without a row. */
export const lookUpIfAny = (table: string, alias: string, condition: SqlPart): Sql =>
  either(
    sql`LEFT JOIN ${table} ${alias} ON ${condition}`,
    sql`LEFT JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias} ON true`,
  );

/** Whether the columns of a key have these values. */
export const isRow = (key: readonly string[], values: readonly string[]): string =>
  key.map((column, at) => `${column} = ${values[at]}`).join(" AND ");

/** Follows a key that is a result of a query, as with `lookUp`. The query runs once. */
export const among = (query: SqlPart): Sql => either(sql`IN (${query})`, sql`= ANY (ARRAY(${query}))`);

/**
 * Follows a key that is a result of a query, which runs once and skips locked rows. PostgreSQL may run a query after IN
 * once for each row, and exceed its LIMIT.
 * @param alias of the changed table if the query has others
 */
export const chosen = (query: SqlPart, alias?: string): Sql =>
  either(
    sql`IN (${query})`,
    sql`= ANY (ARRAY(${query} FOR UPDATE ${alias === undefined ? "" : `OF ${alias} `}SKIP LOCKED))`,
  );

/**
 * As `chosen`, but waits for locked rows. All queries of these rows need the same order, which prevents deadlocks.
 */
export const awaited = (query: SqlPart): Sql =>
  either(sql`IN (${query})`, sql`= ANY (ARRAY(${query} FOR UPDATE))`);
