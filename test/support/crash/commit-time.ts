import { join } from "node:path";

/** ms that each commit takes longer; 0 where the disk decides. `COMMIT_MS=20 npm run test:crash` sets it. */
export const COMMIT_MS = Number(process.env.COMMIT_MS ?? 0);

/** Variables of a Node-RED whose commits to a file take so long. */
export const SLOW_FILE: Readonly<Record<string, string>> =
  COMMIT_MS > 0
    ? { NODE_OPTIONS: `--require ${join(__dirname, "slow-commits.cjs")}`, COMMIT_MS: String(COMMIT_MS) }
    : {};

/** Settings of a PostgreSQL whose commits take so long; it wants µs, and waits with one transaction as well. */
export const SLOW_SERVER: Readonly<Record<string, string>> =
  COMMIT_MS > 0 ? { commit_delay: String(COMMIT_MS * 1000), commit_siblings: "0" } : {};
