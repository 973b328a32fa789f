import type { Call } from "./engine/engine";
import type { Dialect } from "./schema/dialect";
import { statement } from "./schema/statement";
import { sealedSql } from "./schema/sealed-text";

const forget = (d: Dialect, which: string): string => `DELETE FROM snapshots WHERE ${which}
    AND job ${d.among(`SELECT r.job FROM ${d.each("?1", "e")} CROSS JOIN requests r CROSS JOIN jobs j
      WHERE r.id = CAST(${d.text("e")} AS bigint) AND j.id = r.job AND j.sealed = 1
        AND NOT EXISTS (SELECT 1 FROM requests o WHERE o.job = r.job AND o.state <> 'emitted')`)}`;

const FORGET = statement("jobs_forget_snapshots", (d) => forget(d, "true"));
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
