import type { Outcome } from "../shared/outcomes";
import type { Call, Engine } from "./engine/engine";
import type { Clock } from "./engine/clock";
import { giveBack } from "./guards/guard-calls";
import { RULE_COLUMNS } from "./guards/request-rules";
import { SETTLED_STATE } from "./no-node";
import type { ClaimedRequest } from "./requests";
import { statement } from "./schema/statement";
import { queueTopic, resultsTopic } from "./topics";

/** Recipients that become a request of their own. */
export interface SplitOff {
  /** Digits; some of the request's. */
  readonly recipients: readonly string[];
  /** How they are settled; null where they wait. */
  readonly settled: { readonly outcome: Outcome; readonly answer: string } | null;
  /** Epoch ms until which they wait for a rule; null where they may leave as soon as the account may send. */
  readonly until: number | null;
}

const LAST_PART = statement(
  "divisions_last_part",
  () => "SELECT max(part) AS part FROM requests WHERE job = ?1",
);

const COPIED = RULE_COLUMNS.map(([name]) => name).filter((name) => name !== "due" && name !== "postponed");

// ?1 request, ?2 owner, ?3 part, ?4 now, ?5 client message id, ?6 outcome, ?7 answer, ?8 epoch ms until which it waits, ?9 keep texts.
const SPLIT_OFF = statement(
  "divisions_split_off",
  () => `INSERT INTO requests (job, part, account, operation, state, priority, since, attempts, client_message_id, content,
      outcome, answer, settled_by, settled_at, due, postponed, ${COPIED.join(", ")})
    SELECT requests.job, CAST(?3 AS integer), requests.account, requests.operation,
      CASE WHEN CAST(?6 AS text) IS NULL THEN 'queued' ELSE ${SETTLED_STATE} END, requests.priority, CAST(?4 AS bigint), requests.attempts,
      CAST(?5 AS text), CASE WHEN CAST(?6 AS text) IS NULL OR CAST(?9 AS integer) = 1 THEN requests.content END,
      CAST(?6 AS text), CAST(?7 AS text), CASE WHEN CAST(?6 AS text) IS NOT NULL THEN 'guard' END,
      CASE WHEN CAST(?6 AS text) IS NOT NULL THEN CAST(?4 AS bigint) END, CAST(?8 AS bigint),
      CASE WHEN CAST(?8 AS bigint) IS NULL THEN 0 ELSE 1 END, ${COPIED.map((name) => `requests.${name}`).join(", ")}
    FROM requests WHERE requests.id = ?1 AND requests.owner = ?2 AND requests.state = 'leaving'`,
);

// The others of the request keep their places.
const MOVE = statement(
  "divisions_move",
  (d) => `UPDATE recipients SET request = n.id, place = ${d.place("e")}
    FROM requests n CROSS JOIN ${d.each("?4", "e")}
    WHERE n.job = ?2 AND n.part = ?3 AND recipients.request = ?1 AND recipients.number = ${d.text("e")}`,
);

const PUT_BACK = statement(
  "divisions_put_back",
  () => `UPDATE requests SET state = 'queued', owner = NULL, left_at = NULL, since = ?3
    WHERE id = ?1 AND owner = ?2 AND state = 'leaving'`,
);

/** Divides requests of which some recipients must not be sent to now. */
export class Divisions {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly keepTexts: boolean,
  ) {}

  /**
   * Makes a request of its own of each group, and gives back what the whole one had reserved.
   * @param request one that this owner has claimed, and of which nothing has left
   * @param remains whether it has recipients beside the groups: then it is queued again. Else it keeps those that no group has
   * @throws StoreError; after it the request is put back whole, or is divided
   */
  async divide(
    { id, job, clientMessageId, taker }: ClaimedRequest,
    account: string,
    owner: string,
    groups: readonly SplitOff[],
    remains: boolean,
  ): Promise<void> {
    const [[last] = []] = await this.engine.run([{ statement: LAST_PART, values: [job] }]);
    const now = this.clock.now();
    const calls = groups.flatMap(({ recipients, settled, until }, at): readonly Call[] => {
      const part = Number(last?.part) + 1 + at;
      const ownId = settled === null && clientMessageId !== null ? `${clientMessageId}-${part + 1}` : null;
      const { outcome = null, answer = null } = settled ?? {};
      const keep = this.keepTexts ? 1 : 0;
      return [
        { statement: SPLIT_OFF, values: [id, owner, part, now, ownId, outcome, answer, until, keep] },
        { statement: MOVE, values: [id, job, part, JSON.stringify(recipients)] },
      ];
    });
    await this.engine.run(
      [
        // Before the recipients move: they have reserved it for this request.
        ...giveBack([id]),
        ...calls,
        ...(remains ? [{ statement: PUT_BACK, values: [id, owner, now] }] : []),
      ],
      [queueTopic(account), resultsTopic(taker)],
    );
  }
}
