import type { Call } from "../engine/engine";
import { call } from "../engine/query";
import { each, isRow, lookUp, type Sql, sql } from "../schema/sql";
import { statement } from "../schema/statement";

/** ms of the longest day whose counts are kept: one on which clocks are put back by up to two hours. */
export const LONGEST_DAY = 26 * 3_600_000;

/** The day of each job `j`, by its key, as far as somebody has counted it. */
const DAY_OF_JOB = lookUp(
  "day_counts",
  "d",
  `d.account = j.account AND d.starts <= j.taken_at AND d.starts > j.taken_at - ${LONGEST_DAY} AND d.ends > j.taken_at AND d.token <> ''`,
);

/** @param changed `FROM` with requests `r`, and the condition on them. Where nothing was ever counted it looks at nothing */
const forgetDays = (changed: Sql, where: string): Sql => sql`
    UPDATE day_counts SET token = '', counts = NULL
    FROM (SELECT DISTINCT d.account, d.starts, d.ends
      FROM ${changed} ${lookUp("jobs", "j", "j.id = r.job")} ${DAY_OF_JOB}
      WHERE EXISTS (SELECT 1 FROM day_counts) AND ${where}) b
    WHERE ${isRow(
      ["day_counts.account", "day_counts.starts", "day_counts.ends"],
      ["b.account", "b.starts", "b.ends"],
    )}`;

/** What reports have counted of the days of messages that new events are about. Stands behind what these events change: see `Changers`. */
export const FORGET_DAYS = statement(
  "events_forget_days",
  forgetDays(
    sql`events v ${lookUp("requests", "r", "r.id = v.request")}`,
    "v.applied = 0 AND v.request IS NOT NULL",
  ),
);

const FORGET_SETTLED = statement(
  "events_forget_settled",
  forgetDays(sql`${each("?1")} ${lookUp("requests", "r", "r.id = CAST(e.value ->> 0 AS bigint)")}`, "true"),
);

/**
 * The same of requests that were settled once more. Nobody else who settles one needs it: a day of which something is under way is not
 * kept. @param settled JSON, a list for each request, which begins with its id
 */
export const forgetSettledDays = (settled: string): Call => call(FORGET_SETTLED, settled);

/** The same of a whole account, to which old messages were moved. */
export const FORGET_ACCOUNT_DAYS = statement("events_forget_account_days")`
    UPDATE day_counts SET token = '', counts = NULL WHERE account = ?1 AND token <> ''`;
