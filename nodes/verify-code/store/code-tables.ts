import { BY_KEY, type SqlPart, sql } from "../../../lib/store/schema/sql";

export const CODE_TABLES: readonly SqlPart[] = [
  sql`CREATE TABLE codes (
    account text NOT NULL, purpose text NOT NULL, number text NOT NULL, hash text NOT NULL, until bigint NOT NULL,
    attempts integer NOT NULL, max_attempts integer NOT NULL, PRIMARY KEY (account, purpose, number))${BY_KEY}`,
  sql`CREATE TABLE code_counts (
    account text NOT NULL, kind text NOT NULL, subject text NOT NULL, starts bigint NOT NULL, count bigint NOT NULL,
    PRIMARY KEY (starts, account, kind, subject))${BY_KEY}`,
  // Which codes have expired?
  "CREATE INDEX codes_by_end ON codes (until)",
  // What is there to delete about a number?
  "CREATE INDEX codes_by_number ON codes (number)",
  "CREATE TABLE code_keys (account text PRIMARY KEY, code_key text NOT NULL)",
];
