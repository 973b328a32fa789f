import { BY_ID, BY_KEY, COUNTED_KEY, type SqlPart, sql } from "../../../lib/store/schema/sql";

/**
 * A row of `digests` exists from the first message of a key until it is quiet again. Its times are `wake_at` of the next emission, and `next_at`,
 * before which no digest is emitted. `count` messages were collected since the last digest, `total` since `started_at`; `digest_items` has the
 * first ones of each `batch`, `message` and `last_item` are of the newest one. `phase`:
 * - null: collects; left by a claim when `wake_at` is reached
 * - `digest`: `owner` emits the `emission_…` columns while the next batch collects; left when they are emitted
 * - `ended`: emits the end of the digest; left by deletion, or by further messages
 *
 * `emission` names one attempt; a released one has no `owner`.
 */
export const DIGEST_TABLES: readonly SqlPart[] = [
  sql`CREATE TABLE digests (
    id ${COUNTED_KEY}, account text NOT NULL, node text NOT NULL, digest_key text NOT NULL, every bigint NOT NULL, quiet bigint NOT NULL,
    started_at bigint NOT NULL, last_at bigint NOT NULL, next_at bigint NOT NULL, wake_at bigint NOT NULL,
    muted integer NOT NULL, total bigint NOT NULL, count bigint NOT NULL, batch bigint NOT NULL, message text, last_item text NOT NULL,
    phase text, owner text, emission text, restored integer NOT NULL DEFAULT 0, emission_batch bigint NOT NULL DEFAULT 0,
    emission_count bigint NOT NULL DEFAULT 0, emission_total bigint NOT NULL DEFAULT 0, emission_started_at bigint NOT NULL DEFAULT 0,
    emission_message text, emission_item text,
    UNIQUE (account, node, digest_key))`,
  // Which digest is due next?
  sql`CREATE INDEX digests_by_wake ON digests (account, node, wake_at${BY_ID}) WHERE phase IS NULL`,
  // Which are being emitted?
  sql`CREATE INDEX digests_emitting ON digests (account, node${BY_ID}) WHERE phase IS NOT NULL`,
  // Which digests have no node?
  "CREATE INDEX digests_by_age ON digests (last_at)",

  sql`CREATE TABLE digest_items (
    digest bigint NOT NULL, batch bigint NOT NULL, idx integer NOT NULL, item text NOT NULL,
    PRIMARY KEY (digest, batch, idx))${BY_KEY}`,
];
