import type { Call } from "../engine/engine";
import { call } from "../engine/query";
import { each, isRow, lockRows, lookUp, type Sql, sql } from "../schema/sql";
import { statement } from "../schema/statement";

/** ms of the longest day whose counts are kept: one on which clocks are put back by up to two hours. */
export const LONGEST_DAY = 26 * 3_600_000;

/** The day of each job `j`, by its key, as far as somebody has counted it. */
const DAY_OF_JOB = lookUp(
  "day_counts",
  "d",
  `d.account = j.account AND d.starts <= j.taken_at AND d.starts > j.taken_at - ${LONGEST_DAY} AND d.ends > j.taken_at AND d.token <> ''`,
);

const KEY = ["account", "starts", "ends"] as const;
const keyOf = (alias: string): readonly string[] => KEY.map((column) => `${alias}.${column}`);

/** @param days `FROM` with rows `l` of `day_counts` in the order of their key, in which they are locked */
const blank = (days: Sql | string): Sql => sql`
    WITH b AS (SELECT l.account, l.starts, l.ends FROM ${days}${lockRows("l")})
    UPDATE day_counts SET token = '', counts = NULL FROM b WHERE ${isRow(keyOf("day_counts"), keyOf("b"))}`;

/** @param changed `FROM` with requests `r`, and the condition on them. Where nothing was ever counted it looks at nothing */
const forgetDays = (changed: Sql, where: string): Sql =>
  blank(sql`(SELECT DISTINCT d.account, d.starts, d.ends
      FROM ${changed} ${lookUp("jobs", "j", "j.id = r.job")} ${DAY_OF_JOB}
      WHERE EXISTS (SELECT 1 FROM day_counts) AND ${where} ORDER BY 1, 2, 3) f
      ${lookUp("day_counts", "l", isRow(keyOf("l"), keyOf("f")))}`);

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
 * The same of requests that were settled once more. Nobody else who settles one needs it: a day is kept without what is under
 * way. @param settled JSON, a list for each request, which begins with its id
 */
export const forgetSettledDays = (settled: string): Call => call(FORGET_SETTLED, settled);
