import type { Call } from "./engine/engine";
import type { Dialect } from "./schema/dialect";
import { statement } from "./schema/statement";
import { sealedSql } from "./sealed-text";

const forget = (d: Dialect, which: string): string => `UPDATE jobs SET snapshot = NULL
    WHERE ${which} AND sealed = 1
      AND id IN (SELECT r.job FROM requests r WHERE r.id IN (SELECT CAST(${d.text("e")} AS bigint) FROM ${d.each("?1", "e")}))
      AND NOT EXISTS (SELECT 1 FROM requests o WHERE o.job = jobs.id AND o.state <> 'emitted')`;

const FORGET = statement("jobs_forget_snapshots", (d) => forget(d, "snapshot IS NOT NULL"));
const FORGET_SEALED = statement("jobs_forget_sealed", (d) => forget(d, sealedSql("snapshot")));

/** Deletes the snapshots of the jobs of these requests that have no result left to emit. */
export const forgetSnapshots = (requests: readonly number[]): Call => ({
  statement: FORGET,
  values: [JSON.stringify(requests)],
});

/** As `forgetSnapshots`, but only those that are encrypted. */
export const forgetSealed = (requests: readonly number[]): Call => ({
  statement: FORGET_SEALED,
  values: [JSON.stringify(requests)],
});
