import { call, rowOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { greatest, NOW, type Sql, sql, type SqlPart } from "../schema/sql";
import { statement } from "../schema/statement";

/** Above the longest back-off. A longer one was written before the clock of the database was set back. */
const MAX_BLOCKED_MS = 120_000;
/** Age at which a share is deleted. */
const FORGOTTEN_MS = 600_000;

/** Whether no request may be sent to the origin. @param origin a placeholder */
export const blocked = (origin: SqlPart): Sql => sql`
    EXISTS (SELECT 1 FROM rates b WHERE b.origin = ${origin} AND b.blocked_until > ${NOW}
    AND b.blocked_until <= ${NOW} + ${MAX_BLOCKED_MS})`;

const BLOCK = statement("rates_block")`
    INSERT INTO rates (origin, blocked_until) VALUES (?1, ${NOW} + CAST(?2 AS bigint)) ON CONFLICT (origin) DO UPDATE SET
      blocked_until = CASE WHEN rates.blocked_until > ${NOW} + ${MAX_BLOCKED_MS} THEN excluded.blocked_until
        ELSE ${greatest("rates.blocked_until", "excluded.blocked_until")} END`;

const BLOCKED = statement("rates_blocked")`
    SELECT blocked_until - ${NOW} AS left_ms FROM rates
    WHERE origin = ?1 AND blocked_until <= ${NOW} + ${MAX_BLOCKED_MS}`;

const RENEW = statement("rates_renew_share")`
    INSERT INTO rate_shares (origin, instance, renewed_at) VALUES (?1, ?2, ${NOW})
    ON CONFLICT (origin, instance) DO UPDATE SET renewed_at = excluded.renewed_at`;

const FORGET = statement("rates_forget_shares")`
    DELETE FROM rate_shares WHERE origin = ?1 AND renewed_at < ${NOW} - ${FORGOTTEN_MS}`;

const COUNT = statement("rates_count_shares")`
    SELECT count(*) AS count FROM rate_shares s JOIN instances i ON i.id = s.instance
    WHERE s.origin = ?1 AND s.renewed_at > ${NOW} - CAST(?2 AS bigint) AND i.expired_at IS NULL`;

/** What the processes that send to a service origin share. docs/service.md, Status codes. */
export class Rates extends Repository {
  /** Nothing is sent to the origin for `ms`; a longer pause in force stays. */
  async block(origin: string, ms: number): Promise<void> {
    await this.engine.run([call(BLOCK, origin, Math.ceil(ms))]);
  }

  /** ms for which nothing may be sent to the origin; below 0 the time since the last back-off, if there was one. */
  async blockedFor(origin: string): Promise<number> {
    const row = await rowOf(this.engine, BLOCKED, origin);
    return Number(row?.left_ms ?? Number.NEGATIVE_INFINITY);
  }

  /** This process sends to the origin. */
  async renewShare(origin: string, instance: string): Promise<void> {
    await this.engine.run([call(RENEW, origin, instance), call(FORGET, origin)]);
  }

  /**
   * Counts living processes that send to the origin. In an operation of its own: of two newcomers at least one counts the other.
   * @param within ms in which they renewed their share
   */
  async countShares(origin: string, within: number): Promise<number> {
    return Number((await rowOf(this.engine, COUNT, origin, within))?.count);
  }
}
