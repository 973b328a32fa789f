import type { Call, Value } from "../engine/engine";
import { call } from "../engine/query";
import { statement } from "../schema/statement";
import { entriesOf } from "./history-entry";
import { CONDITIONS, type FilterKey, type RowFilter, shownOutcomeOf } from "./history-filter";
import type { Walk } from "./history-walk";

const KEYS = Object.keys(CONDITIONS) as FilterKey[];

type Values = Readonly<Record<string, Value | undefined>>;

/** Makes a statement whose parameters have names: they get numbers in the order in which they come first. @returns its call */
function named(name: string, text: string): (values: Values) => Call {
  const names = [...new Set(text.match(/\$\w+/g) ?? [])];
  const made = statement(
    name,
    text.replace(/\$\w+/g, (each) => `?${names.indexOf(each) + 1}`),
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
  const name = [walk.name, walk.onward?.name, filters, goesOn ? "on" : ""].join("_");
  const found = looks.get(name) ?? makeLook(walk, keys, goesOn, name);
  looks.set(name, found);
  return found;
}

function makeLook(walk: Walk, keys: readonly FilterKey[], goesOn: boolean, name: string): Look {
  const narrow = keys.filter((key) => walk.keys.includes(key)).map((key) => CONDITIONS[key]);
  const all = ["r.job = j.id", "c.request = r.id", ...walk.and, ...narrow, ...(goesOn ? [walk.after] : [])];
  const way = (columns: string): string =>
    `SELECT ${columns} FROM ${walk.from} WHERE ${all.join(" AND ")} ORDER BY ${walk.order}`;
  // Of the rows on the way the columns have no tables.
  const others = keys
    .filter((key) => !walk.keys.includes(key))
    .map((key) => CONDITIONS[key].replace(/\b[jrc]\./g, "w."));
  const fits = ["1 = 1", ...others].join(" AND ");
  const order = walk.order
    .replace("r.id", "w.request")
    .replace("j.id", "w.job")
    .replace(/\b[jrc]\./g, "w.");
  const compared =
    "r.outcome, j.account, j.node, j.taken_at, c.number, c.person, r.client_message_id, r.transfer_id, r.answer";
  return {
    rows: named(
      `history_${name}`,
      `${entriesOf((columns) => `${way(columns)} LIMIT $length`)} WHERE ${fits} ORDER BY ${order} LIMIT $most`,
    ),
    end: named(
      `history_end_${name}`,
      `${way('j.taken_at AS "takenAt", j.id AS job, r.part, c.place, r.id AS request')} LIMIT 1 OFFSET $skipped`,
    ),
    tally: named(
      `history_tally_${name}`,
      `SELECT f.outcome, count(*) AS count FROM (SELECT ${shownOutcomeOf("w")} AS outcome FROM (${way(compared)} LIMIT $length) w
        WHERE ${fits} LIMIT $most) f GROUP BY f.outcome`,
    ),
  };
}
