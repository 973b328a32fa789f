import { scopeOfMessage } from "../schema/scope";
import { personOf } from "../schema/person";
import { lookUp, lookUpIfAny, type Sql, sql, type SqlPart } from "../schema/sql";

let claims = 0;

/** The number of a claim: with its owner it names the requests that were claimed together. */
export const nextClaim = (): number => ++claims;

/** The requests `o` of a claim. ?1 owner, ?2 number of the claim. */
export const CLAIMED = "o.state = 'sending' AND o.owner = ?1 AND o.claim = ?2";

/**
 * The recipients of some requests, each with the rules of its request: request, idx, number, person, scope, priority, the columns of `policies`
 * under their names, and `opted_out`.
 * @param from has the id of each request, and its row of the outbox if `priority` is one of that
 */
export function recipientRows(from: SqlPart, id: SqlPart, where: SqlPart, priority = "0"): Sql {
  const columns = `${scopeOfMessage("m")} AS scope, ${priority} AS priority, p.idempotency_key, p.key_ttl, p.content_hash,
      coalesce(p.cost, 1) AS cost`;
  const optedOut = (
    number: string,
  ): string => `coalesce(p.to_opted_out, 0) = 0 AND EXISTS (SELECT 1 FROM opt_outs x
      WHERE x.account = ${scopeOfMessage("m")} AND x.number = ${personOf(number)} AND (x.scope = 'all' OR p.category = 'advertisement'))`;
  const messages = sql`FROM ${from} ${lookUp("messages", "m", sql`m.id = ${id}`)}`;
  const policies = lookUpIfAny("policies", "p", "p.id = m.id");
  return sql`SELECT m.id AS request, 0 AS idx, m.recipient AS number, ${personOf("m.recipient")} AS person, ${columns},
      CASE WHEN ${optedOut("m.recipient")} THEN 1 ELSE 0 END AS opted_out
    ${messages} ${policies} WHERE ${where} AND m.recipient IS NOT NULL
    UNION ALL
    SELECT m.id, c.idx, c.recipient, ${personOf("c.recipient")}, ${columns}, CASE WHEN ${optedOut("c.recipient")} THEN 1 ELSE 0 END
    ${messages} ${lookUp("recipients", "c", "c.request = m.id")} ${policies} WHERE ${where} AND m.recipient IS NULL`;
}

/** The recipients of a claim. */
export const CLAIMED_RECIPIENTS = recipientRows("outbox o", "o.id", CLAIMED, "o.priority");
