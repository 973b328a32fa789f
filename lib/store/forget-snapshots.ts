import type { Call } from "./engine/engine";
import { statement } from "./schema/statement";

const FORGET = statement(
  "jobs_forget_snapshots",
  (d) => `UPDATE jobs SET snapshot = NULL
    WHERE snapshot IS NOT NULL AND sealed = 1
      AND id IN (SELECT r.job FROM requests r WHERE r.id IN (SELECT CAST(${d.text("e")} AS bigint) FROM ${d.each("?1", "e")}))
      AND NOT EXISTS (SELECT 1 FROM requests o WHERE o.job = jobs.id AND o.state <> 'emitted')`,
);

/** Deletes the snapshots of the jobs of these requests that have no result left to emit. */
export const forgetSnapshots = (requests: readonly number[]): Call => ({
  statement: FORGET,
  values: [JSON.stringify(requests)],
});
