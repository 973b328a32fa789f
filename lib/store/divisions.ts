import type { Outcome } from "../shared/outcomes";
import type { Call } from "./engine/engine";
import { call } from "./engine/query";
import { Repository } from "./engine/repository";
import { giveBack } from "./guards/guard-calls";
import { RULE_COLUMNS } from "./guards/request-rules";
import { SETTLED_STATE } from "./schema/stored-values";
import type { ClaimedRequest } from "./jobs/request-claims";
import { each, placeOf, textOf } from "./schema/sql";
import { statement } from "./schema/statement";
import { KEEP_TEXT_OWNER, keptSql } from "./schema/expressions";
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

// Those who divide requests of the same job follow each other: each needs the number of its last part.
const LOCK_JOB = statement("divisions_lock_job")`UPDATE jobs SET sealed = sealed WHERE id = ?1`;

// Until the end of the operation it is the owner's, whatever others take it for.
const LOCK = statement("divisions_lock")`
    UPDATE requests SET owner = owner WHERE id = ?1 AND owner = ?2 AND state = 'leaving' RETURNING id`;

const COPIED = RULE_COLUMNS.map(([name]) => name).filter((name) => name !== "due" && name !== "postponed");

// ?1 request, ?2 owner, ?3 job, ?4 now, ?5 begin of the client message id, ?6 outcome, ?7 answer, ?8 epoch ms until which it waits, ?9
// keep texts.
const SPLIT_OFF = statement("divisions_split_off")`
    INSERT INTO requests (job, part, account, destination, operation, state, owner, priority, attempts, client_message_id, content,
      outcome, answer, settled_by, settled_at, due, postponed, ${COPIED.join(", ")})
    SELECT requests.job, n.part, requests.account, requests.destination, requests.operation,
      CASE WHEN CAST(?6 AS text) IS NULL THEN 'queued' ELSE ${SETTLED_STATE} END,
      CASE WHEN requests.content IS NULL THEN requests.owner END, requests.priority, requests.attempts,
      CAST(?5 AS text) || '-' || CAST(n.part + 1 AS text),
      CASE WHEN CAST(?6 AS text) IS NULL THEN requests.content ELSE ${keptSql("CAST(?9 AS integer)", "requests.content")} END,
      CAST(?6 AS text), CAST(?7 AS text), CASE WHEN CAST(?6 AS text) IS NOT NULL THEN 'guard' END,
      CASE WHEN CAST(?6 AS text) IS NOT NULL THEN CAST(?4 AS bigint) END, CAST(?8 AS bigint),
      CASE WHEN CAST(?8 AS bigint) IS NULL THEN 0 ELSE 1 END, ${COPIED.map((name) => `requests.${name}`).join(", ")}
    FROM (SELECT max(p.part) + 1 AS part FROM requests p WHERE p.job = ?3) n CROSS JOIN requests
    WHERE requests.id = ?1 AND requests.owner = ?2 AND requests.state = 'leaving' RETURNING part`;

// To the last request of the job, which was split off just now. The others keep their places.
const MOVE = statement("divisions_move")`
    UPDATE recipients SET request = n.id, place = ${placeOf()}
    FROM requests o CROSS JOIN requests n CROSS JOIN ${each("?4")}
    WHERE o.id = ?1 AND o.owner = ?3 AND o.state = 'leaving'
      AND n.job = ?2 AND n.part = (SELECT max(p.part) FROM requests p WHERE p.job = ?2)
      AND recipients.request = ?1 AND recipients.number = ${textOf()}`;

const PUT_BACK = statement("divisions_put_back")`
    UPDATE requests SET state = 'queued', ${KEEP_TEXT_OWNER}, left_at = NULL
    WHERE id = ?1 AND owner = ?2 AND state = 'leaving'`;

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
    const calls = groups.flatMap(({ recipients, settled, until }): readonly Call[] => {
      const { outcome = null, answer = null } = settled ?? {};
      const ownId = settled === null ? begin : null;
      const keep = this.keepTexts ? 1 : 0;
      return [
        call(SPLIT_OFF, id, owner, job, now, ownId, outcome, answer, until, keep),
        call(MOVE, id, job, owner, JSON.stringify(recipients)),
      ];
    });
    const first = [
      call(LOCK, id, owner),
      call(LOCK_JOB, job),
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
