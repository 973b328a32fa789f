import type { Outcome } from "../shared/outcomes";
import type { Call } from "./engine/engine";
import { call } from "./engine/query";
import { Repository } from "./engine/repository";
import { giveBack } from "./guards/guard-calls";
import { RULE_NAMES } from "./guards/request-rules";
import type { ClaimedRequest } from "./jobs/request-claims";
import { KEEP_TEXT_OWNER } from "./schema/expressions";
import { each, lookUp, placeOf, textOf } from "./schema/sql";
import { statement } from "./schema/statement";
import { queueTopic, resultsTopic } from "./schema/topics";

/** Recipients that become a request of their own. */
export interface SplitOff {
  /** Digits; some of the request's. */
  readonly recipients: readonly string[];
  /** How they are settled; null where they wait. */
  readonly settled: { readonly outcome: Outcome; readonly answer: string } | null;
  /** Epoch ms until which they wait for a rule; null where they may leave as soon as the account may send. */
  readonly until: number | null;
}

// Until the end of the operation it is the owner's, whatever others take it for.
const LOCK = statement("divisions_lock")`
    UPDATE outbox SET owner = owner WHERE id = ?1 AND owner = ?2 AND state = 'sending' RETURNING id`;

// Those who divide requests of the same job follow each other: each needs the number of its last part.
const LOCK_JOB = statement("divisions_lock_job")`UPDATE jobs SET committed = committed WHERE id = ?1`;

/** The claimed request ?1 of the owner ?2. ?3 id of the new one. */
const CLAIMED = "o.id = ?1 AND o.owner = ?2 AND o.state = 'sending'";

const NEXT_PART = `(SELECT max(a.part) + 1 FROM messages a WHERE a.id = o.job OR (a.job = o.job AND a.job <> a.id))`;

// ?4 now, ?5 begin of the client message id, ?6 outcome, ?7 response.
const ADD_MESSAGE = statement("divisions_add_message")`
    INSERT INTO messages (id, job, part, account, simulated, node, channel, operation, accepted_at, recipient_name, client_id, attempts,
      outcome, response, settled_by, settled_at)
    SELECT CAST(?3 AS bigint), m.job, q.part, m.account, m.simulated, m.node, m.channel, m.operation, m.accepted_at, m.recipient_name,
      CAST(?5 AS text) || '-' || CAST(q.part + 1 AS text), q.attempts, CAST(?6 AS text), CAST(?7 AS text),
      CASE WHEN CAST(?6 AS text) IS NOT NULL THEN 'policy' END, CASE WHEN CAST(?6 AS text) IS NOT NULL THEN CAST(?4 AS bigint) END
    FROM (SELECT o.id, o.attempts, ${NEXT_PART} AS part FROM outbox o WHERE ${CLAIMED}) q ${lookUp("messages", "m", "m.id = q.id")}
    RETURNING part`;

// ?4 epoch ms until which it waits, ?5 whether it is settled, ?6 keep texts.
const ADD_OUTBOX = statement("divisions_add_outbox")`
    INSERT INTO outbox (id, job, part, account, destination, operation, node, state, result_owner, owner, priority, attempts, content,
      due, scheduled, postponed)
    SELECT n.id, o.job, n.part, o.account, o.destination, o.operation, o.node,
      CASE WHEN CAST(?5 AS integer) = 1 THEN 'settled' ELSE 'queued' END, o.result_owner, CASE WHEN o.content IS NULL THEN o.owner END,
      o.priority, o.attempts, CASE WHEN CAST(?5 AS integer) = 0 OR CAST(?6 AS integer) = 1 THEN o.content END,
      CAST(?4 AS bigint), o.scheduled, CASE WHEN CAST(?4 AS bigint) IS NULL THEN 0 ELSE 1 END
    FROM outbox o CROSS JOIN messages n WHERE ${CLAIMED} AND n.id = CAST(?3 AS bigint)`;

const ADD_POLICY = statement("divisions_add_policy")`
    INSERT INTO policies (id, ${RULE_NAMES.join(", ")})
    SELECT n.id, ${RULE_NAMES.map((name) => `p.${name}`).join(", ")} FROM policies p CROSS JOIN outbox n WHERE p.id = ?1 AND n.id = ?2`;

// The others keep their indexes.
const MOVE = statement("divisions_move")`
    UPDATE recipients SET request = n.id, idx = ${placeOf()}
    FROM outbox n CROSS JOIN ${each("?3")}
    WHERE n.id = ?2 AND recipients.request = ?1 AND recipients.recipient = ${textOf()}`;

const PUT_BACK = statement("divisions_put_back")`
    UPDATE outbox SET state = 'queued', ${KEEP_TEXT_OWNER}, sent_at = NULL
    WHERE id = ?1 AND owner = ?2 AND state = 'sending'`;

/** Divides requests of which some recipients must not be sent to now. */
export class Divisions extends Repository {
  /**
   * Makes a request of its own of each group, and gives back what the whole one had reserved.
   * @param request one that this owner has claimed, and of which nothing has left
   * @param remains whether it has recipients beside the groups: then it is queued again. Else it keeps those that no group has
   * @returns the part of each group; none where it is not the owner's any more: then nothing has changed
   * @throws StoreError; after it the request is as it was, or is divided
   */
  async divide(
    request: Pick<ClaimedRequest, "id" | "job" | "part" | "clientMessageId" | "resultOwner">,
    account: string,
    owner: string,
    groups: readonly SplitOff[],
    remains: boolean,
  ): Promise<readonly number[]> {
    const { id, job, resultOwner } = request;
    const now = this.clock.now();
    const begin = idBegin(request);
    const ids = await this.ids.take(groups.length);
    const calls = groups.flatMap(({ recipients, settled, until }, at): readonly Call[] => {
      const { outcome = null, answer = null } = settled ?? {};
      const newId = ids[at] as number;
      const ownId = settled === null ? begin : null;
      return [
        call(ADD_MESSAGE, id, owner, newId, now, ownId, outcome, answer),
        call(ADD_OUTBOX, id, owner, newId, until, settled === null ? 0 : 1, this.keepTexts ? 1 : 0),
        call(ADD_POLICY, id, newId),
        call(MOVE, id, newId, JSON.stringify(recipients)),
      ];
    });
    const first = [
      call(LOCK_JOB, job),
      call(LOCK, id, owner),
      // Before the recipients move: they have reserved it for this request.
      ...giveBack(owner, [id]),
    ];
    const results = await this.engine.run(
      [...first, ...calls, ...(remains ? [call(PUT_BACK, id, owner)] : [])],
      [queueTopic(account), resultsTopic(resultOwner)],
    );
    const splitOff = results.slice(first.length, first.length + calls.length);
    return splitOff.flat().flatMap(({ part }) => (part === undefined ? [] : [Number(part)]));
  }
}

/**
 * Begin of the client message ids of what is split off; the number of the part follows. What was split off itself does not pass its own
 * number on, so that the ids of a list which waits for many periods of a limit do not become longer each time.
 */
function idBegin({ part, clientMessageId }: Pick<ClaimedRequest, "part" | "clientMessageId">): string | null {
  const [, begin, number] = /^(.+-\d+)-(\d+)$/.exec(clientMessageId ?? "") ?? [];
  return part > 0 && begin !== undefined && Number(number) === part + 1 ? begin : clientMessageId;
}
