import type { Call, Value } from "../engine/engine";
import { call } from "../engine/query";
import { type Sql, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { columnsOf, ENTRY } from "./history-entry";
import { CONDITIONS, type FilterKey, type RowFilter, shownOutcomeOf } from "./history-filter";
import type { Walk } from "./history-walk";

const KEYS = Object.keys(CONDITIONS) as FilterKey[];

type Values = Readonly<Record<string, Value | undefined>>;

/** Makes a statement whose parameters have names: they get numbers in the order in which they come first. @returns its call */
function named(name: string, text: Sql): (values: Values) => Call {
  const names = [...new Set(text("sqlite").match(/\$\w+/g) ?? [])];
  const made = statement(name, (dialect) =>
    text(dialect).replace(/\$\w+/g, (each) => `?${names.indexOf(each) + 1}`),
  );
  return (values) => call(made, ...names.map((each) => values[each.slice(1)] ?? null));
}

/** The statements of a search, of the rows of a walk. */
interface Look {
  /** `$most` rows that fit, of the first `$length` on the way. */
  readonly rows: (values: Values) => Call;
  /** The row on the way that follows the first `$skipped`. */
  readonly end: (values: Values) => Call;
  /** How many of the first `$length` on the way fit, by outcome, of the first `$most` of them. */
  readonly tally: (values: Values) => Call;
}

/** By walk and filters: a statement is prepared once. */
const looks = new Map<string, Look>();

/** @param goesOn whether the walk begins behind a cursor */
export function lookOf(walk: Walk, filter: RowFilter, goesOn: boolean): Look {
  const keys = KEYS.filter((key) => filter[key] !== undefined);
  const filters = keys.map((key) => KEYS.indexOf(key)).join("");
  const name = [walk.name, filters, goesOn ? "on" : ""].join("_");
  const found = looks.get(name) ?? makeLook(walk, keys, goesOn, name);
  looks.set(name, found);
  return found;
}

function makeLook(walk: Walk, keys: readonly FilterKey[], goesOn: boolean, name: string): Look {
  const narrow = keys.flatMap((key) => walk.keys[key] ?? []);
  const arms = walk.arms.map(({ recipient, from, where }) => {
    const after = recipient === "row" ? "m.id < $request" : walk.after;
    const all = [where, ...narrow, ...(goesOn ? [after] : [])].join(" AND ");
    return sql`SELECT ${columnsOf(recipient)} FROM ${from} WHERE ${all}`;
  });
  const way = sql`${arms.reduce((one, other) => sql`${one} UNION ALL ${other}`)} ORDER BY ${walk.order}`;
  const others = keys.filter((key) => walk.keys[key] === undefined).map((key) => CONDITIONS[key]);
  const fits = ["1 = 1", ...others].join(" AND ");
  return {
    rows: named(
      `history_${name}`,
      sql`SELECT ${ENTRY} FROM (${way} LIMIT $length) w WHERE ${fits} ORDER BY ${walk.orderFound} LIMIT $most`,
    ),
    end: named(
      `history_end_${name}`,
      sql`SELECT w.accepted_at AS "takenAt", w.request, w.place FROM (${way} LIMIT 1 OFFSET $skipped) w`,
    ),
    tally: named(
      `history_tally_${name}`,
      sql`SELECT f.outcome, count(*) AS count FROM (SELECT ${shownOutcomeOf("w")} AS outcome FROM (${way} LIMIT $length) w
        WHERE ${fits} LIMIT $most) f GROUP BY f.outcome`,
    ),
  };
}
