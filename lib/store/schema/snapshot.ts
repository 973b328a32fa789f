/** The message of a job `j` as a column; null where it was not kept, or is not needed any more. */
export const SNAPSHOT = "(SELECT s.snapshot FROM snapshots s WHERE s.job = j.id) AS snapshot";
