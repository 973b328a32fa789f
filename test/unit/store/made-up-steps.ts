import { type Migration, MIGRATIONS } from "../../../lib/store/schema/migrations";

/**
 * Steps of the schema as later versions may have them: the second one makes a table of so many rows, and the third one keeps their
 * numbers in another form. Set by the environment, which a thread of the process has as well.
 */
const { TEST_STEPS: steps, TEST_ROWS: rows } = process.env;

const NUMBERS = {
  sqlite: `WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${rows}) SELECT n AS n FROM s`,
  postgresql: `SELECT n FROM generate_series(1, ${rows}) AS s (n)`,
};

const MADE_UP: readonly Migration[] = [
  {
    version: 2,
    statements: [
      "CREATE TABLE notes (id bigint PRIMARY KEY, number text NOT NULL)",
      (dialect) =>
        `INSERT INTO notes (id, number) SELECT s.n, CAST(41790000000 + s.n AS text) FROM (${NUMBERS[dialect]}) s`,
    ],
  },
  {
    version: 3,
    statements: [
      "ALTER TABLE notes RENAME TO notes_2",
      "CREATE TABLE notes (id bigint PRIMARY KEY, number bigint NOT NULL)",
    ],
    copy: {
      from: "notes_2",
      key: "id",
      statement: (isOfSlice) =>
        `INSERT INTO notes (id, number) SELECT o.id, CAST(o.number AS bigint) FROM notes_2 o WHERE ${isOfSlice("o.id")}`,
    },
  },
];

(MIGRATIONS as Migration[]).push(...MADE_UP.slice(0, Number(steps) - 1));
