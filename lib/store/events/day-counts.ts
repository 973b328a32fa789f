import { statement } from "../schema/statement";

/**
 * What reports have counted of the days of messages that new events are about. Stands before `applyEvents`. Where nothing was counted it looks at
 * nothing else. Settling needs it not: a day of which something is under way was not counted.
 */
export const FORGET_DAYS = statement("events_forget_days")`
    DELETE FROM day_counts WHERE (account, starts, ends) IN (
      SELECT d.account, d.starts, d.ends FROM events v CROSS JOIN requests r CROSS JOIN jobs j CROSS JOIN day_counts d
      WHERE EXISTS (SELECT 1 FROM day_counts) AND v.applied = 0 AND v.request IS NOT NULL AND r.id = v.request AND j.id = r.job
        AND d.account = j.account AND d.starts <= j.taken_at AND d.ends > j.taken_at)`;

/** The same of a whole account, to which old messages were moved. */
export const FORGET_ACCOUNT_DAYS = statement("events_forget_account_days")`
    DELETE FROM day_counts WHERE account = ?1`;
