import type { Outcome } from "../shared/outcomes";
import { applyEvents, HEARD_ROWS, SETTLED_ROWS } from "./apply-events";
import { Batches } from "./engine/batches";
import type { Clock } from "./engine/clock";
import type { Call, Engine, Row } from "./engine/engine";
import { SLICE, sliced } from "./engine/sliced";
import { forgetSealed, forgetSnapshots } from "./forget-snapshots";
import { nextClaim } from "./guards/claimed";
import {
  type ClaimGuard,
  giveBack,
  giveBackOthers,
  isUnsent,
  guardCalls,
  type HeldNumber,
  NO_GUARD,
  readHeld,
} from "./guards/guard-calls";
import { noteKeys } from "./guards/once-keys";
import { type ClaimedRules, readRules } from "./guards/request-rules";
import { SETTLED_STATE } from "./no-node";
import { blocked, grantWaiting, type Rate, readTurns, type Turns } from "./rates";
import type { Dialect } from "./schema/dialect";
import { checked } from "./schema/checked";
import { isStill } from "./schema/is-still";
import { type Statement, statement } from "./schema/statement";
import { keptSql } from "./sealed-text";
import { queueTopic, resultsTopic } from "./topics";
import { SIMULATED_UNANSWERED } from "./unanswered";
import { tellTakers } from "./waits/tell-takers";

/** A request that its claimant may send, and nobody else. */
export interface ClaimedRequest {
  readonly id: number;
  readonly job: number;
  readonly jobKey: string;
  /** Instance that has the live message, and emits the result. */
  readonly taker: string;
  /** Id of the node whose outputs its result leaves from; blank where a person sent it without its node. */
  readonly node: string;
  readonly part: number;
  readonly operation: string;
  readonly priority: number;
  /** Tries made before. */
  readonly attempts: number;
  readonly clientMessageId: string | null;
  /** JSON, as it was taken: of a sensitive message encrypted. */
  readonly content: string;
  /** Whether no text of it may stay in the store. Left out for nearly all. */
  readonly sensitive?: boolean;
  readonly recipients: readonly string[];
  readonly rules: ClaimedRules;
  /** Recipients that it must not be sent to now, in their order; nearly always none. */
  readonly held: readonly HeldNumber[];
}

/** A request of which surely nothing has left. */
export interface ReleasedRequest {
  readonly id: number;
  /** ms from now until it may leave again; 0 for at once. */
  readonly delay: number;
  readonly priority: number;
  readonly attempts: number;
  /** Whether it has taken once keys or a part of a limit, which are given back. */
  readonly guarded?: boolean;
  /** Whether it waits for a rule, not for another try: then `delay` may be of any length, and is looked at again after a restart. */
  readonly postponed?: boolean;
}

export interface SettledRequest {
  readonly id: number;
  readonly outcome: Outcome;
  readonly transferId: string | null;
  readonly attempts: number;
  /** The result as JSON, without numbers and texts. */
  readonly answer: string;
  /** True where the result has left the node already, because the store was away. */
  readonly emitted: boolean;
  /** Whether it has taken once keys or a part of a limit, which are given back where nothing was sent. */
  readonly guarded?: boolean;
  /** Whether it has taken once keys, which say how their message ended. */
  readonly keyed?: boolean;
}

interface Answers {
  readonly owner: string;
  readonly settled: readonly SettledRequest[];
}

/** What the ledger holds now. */
export interface Settled {
  readonly id: number;
  /** `sent` instead of `unknown` where an event had proved it. */
  readonly outcome: Outcome;
  /** Instance that emits the result; null where nobody has to. */
  readonly taker: string | null;
}

/** Requests with the turns at which they may leave, in order. */
export interface ClaimInTurn {
  readonly requests: readonly ClaimedRequest[];
  readonly turns: Turns;
}

/** Requests of an account on their way. */
export interface QueueCounts {
  /** May leave now. */
  readonly ready: number;
  /** Wait for their time. */
  readonly waiting: number;
  readonly held: number;
  /** Their node does not exist. */
  readonly parked: number;
  readonly leaving: number;
  readonly settled: number;
  /** ms from now until the first waiting one may leave; null without one. */
  readonly nextDue: number | null;
}

// Those who are due first, and not many at once: a claim finds what it may take, however many have become due together.
const WAKE_DUE = statement(
  "requests_wake_due",
  (d) =>
    `UPDATE requests SET due = NULL WHERE id ${d.chosen(`
      SELECT r.id FROM requests r WHERE r.account = ?1 AND r.state = 'queued' AND r.due IS NOT NULL AND r.due <= ?2
      ORDER BY r.due LIMIT ?3`)} AND ${isStill("queued")} RETURNING id`,
);

// A dead instance claims nothing, even before it knows that it is dead. ?6 number of the claim, ?7 and ?8 begin of hour and day, ?9 answer until there is one.
const claim = (d: Dialect, which: string, further = ""): string =>
  `UPDATE requests SET state = 'leaving', owner = ?2, left_at = ?3, postponed = 0,
      claim = ?6, spent_hour = ?7, spent_day = ?8, answer = ?9
    WHERE id ${d.chosen(which)}
    AND ${isStill("queued")} AND EXISTS (SELECT 1 FROM instances i WHERE i.id = ?2 AND i.dead_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM paused_accounts p WHERE p.account = ?1) ${further}
    RETURNING id, job, part, operation, priority, attempts, client_message_id, content,
      useless_after, once_key, category, cost, zone,
      (SELECT j.job_key FROM jobs j WHERE j.id = requests.job) AS job_key,
      (SELECT j.taker FROM jobs j WHERE j.id = requests.job) AS taker,
      (SELECT j.node FROM jobs j WHERE j.id = requests.job) AS node,
      (SELECT ${d.collect("c.number", "c.place")} FROM recipients c WHERE c.request = requests.id) AS numbers`;

const first = (most: string): string => `SELECT r.id FROM requests r
      WHERE r.account = ?1 AND r.state = 'queued' AND r.due IS NULL ORDER BY r.priority DESC, r.id LIMIT ${most}`;

/** ?5 is the origin of the service. */
const CLAIM = statement("requests_claim", (d) => claim(d, first("?4"), `AND NOT ${blocked(d, "?5")}`));

/** Those of a list, by their keys: no index of what waits is asked. */
const CLAIM_LISTED = statement("requests_claim_listed", (d) =>
  claim(
    d,
    `SELECT r.id FROM requests r WHERE r.id ${d.among(`SELECT CAST(${d.text("e")} AS bigint) FROM ${d.each("?4", "e")}`)}
      AND coalesce(r.account, '') = ?1 AND coalesce(r.state, '') = 'queued' AND r.due IS NULL`,
    `AND NOT ${blocked(d, "?5")}`,
  ),
);

/** Takes as many as the operation got turns for. No turn is within a back-off. */
const CLAIM_IN_TURN = statement("requests_claim_in_turn", (d) =>
  claim(
    d,
    first("(SELECT CASE WHEN t.granted < ?4 THEN t.granted ELSE ?4 END FROM rates t WHERE t.origin = ?5)"),
  ),
);

// Entries: id, due, priority, attempts, postponed.
const RELEASE = statement(
  "requests_release",
  (
    d,
  ) => `UPDATE requests SET state = 'queued', owner = NULL, left_at = NULL, due = CAST(e.value ->> 1 AS bigint),
      priority = CAST(e.value ->> 2 AS integer), attempts = CAST(e.value ->> 3 AS integer),
      postponed = CAST(e.value ->> 4 AS integer)
    FROM ${d.each("?2", "e")}
    WHERE ${d.isRow(["requests.id"], ["CAST(e.value ->> 0 AS bigint)"])} AND requests.state = 'leaving' AND requests.owner = ?1
    RETURNING requests.id AS id`,
);

const RELEASE_OTHERS = statement(
  "requests_release_others",
  (d) => `UPDATE requests SET state = 'queued', owner = NULL, left_at = NULL, due = NULL
    WHERE account = ?3 AND state = 'leaving' AND owner = ?1
      AND id NOT IN (SELECT CAST(${d.text("e")} AS bigint) FROM ${d.each("?2", "e")})
    RETURNING id`,
);

// Entries: id, outcome, transfer id, attempts, answer, emitted, owner. An answer that comes after its owner was given up is
// better than the `unknown` that stands for it.
const settle = (d: Dialect, further: string): string => `UPDATE requests SET
      state = CASE WHEN CAST(e.value ->> 5 AS integer) = 1 OR requests.state = 'emitted' THEN 'emitted' ELSE ${SETTLED_STATE} END,
      outcome = CASE WHEN requests.proof_at IS NOT NULL AND e.value ->> 1 = 'unknown' THEN 'sent' ELSE e.value ->> 1 END,
      settled_by = CASE WHEN requests.proof_at IS NOT NULL AND e.value ->> 1 = 'unknown' THEN 'event' ELSE 'answer' END,
      transfer_id = coalesce(e.value ->> 2, requests.transfer_id), attempts = CAST(e.value ->> 3 AS integer),
      answer = e.value ->> 4, settled_at = ?2, due = NULL,
      emitted_at = CASE WHEN CAST(e.value ->> 5 AS integer) = 1 THEN ?2 ELSE requests.emitted_at END,
      content = ${keptSql("?3", "requests.content")}
    FROM ${d.each("?1", "e")}
    WHERE ${d.isRow(["requests.id"], ["CAST(e.value ->> 0 AS bigint)"])} AND requests.owner = e.value ->> 6
      AND (requests.state = 'leaving' OR requests.settled_by = 'orphan') ${further}
    RETURNING requests.id AS id, requests.outcome AS outcome,
      CASE WHEN requests.state = 'settled' THEN (SELECT j.taker FROM jobs j WHERE j.id = requests.job) END AS taker`;

const SETTLE_WITH_EVENTS = statement("requests_settle_with_events", (d) => settle(d, ""));

/** Leaves those out of which an event has come before their answer. */
const SETTLE = statement("requests_settle", (d) =>
  settle(
    d,
    "AND NOT EXISTS (SELECT 1 FROM events v WHERE v.request IS NULL AND v.transfer_id = e.value ->> 2)",
  ),
);

const DONE_MEANWHILE = statement(
  "requests_done_meanwhile",
  (
    d,
  ) => `SELECT r.id, r.outcome, CASE WHEN r.state = 'settled' THEN (SELECT j.taker FROM jobs j WHERE j.id = r.job) END AS taker
    FROM requests r WHERE r.state IN ('settled', 'emitted')
      AND r.id ${d.among(`SELECT CAST(e.value ->> 0 AS bigint) FROM ${d.each("?1", "e")}`)}`,
);

const LINK_EARLY = statement(
  "requests_link_early",
  (d) => `UPDATE events SET request = (
      SELECT r.id FROM requests r WHERE r.transfer_id = events.transfer_id AND r.account = events.account
      ORDER BY r.id DESC LIMIT 1)
    WHERE request IS NULL AND ${checked("kind")} <> 'inbound' AND transfer_id IS NOT NULL
      AND transfer_id IN (SELECT e.value ->> 2 FROM ${d.each("?1", "e")})`,
);

// Found by their ids: the index of what is settled has an entry for each of the last thousands until they are cleaned up.
const EMITTED = statement(
  "requests_emitted",
  (d) => `UPDATE requests SET state = 'emitted', emitted_at = ?2
    WHERE ${isStill("settled")} AND id ${d.among(`SELECT CAST(${d.text("e")} AS bigint) FROM ${d.each("?1", "e")}`)}`,
);

const COUNTS = statement(
  "requests_counts",
  () => `SELECT
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'queued' AND due IS NULL) AS ready,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'queued' AND due IS NOT NULL) AS waiting,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'held') AS held,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'parked') AS parked,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'leaving') AS leaving,
    (SELECT count(*) FROM requests WHERE account = ?1 AND state = 'settled') AS settled,
    (SELECT min(due) FROM requests WHERE account = ?1 AND state = 'queued' AND due IS NOT NULL) AS next_due`,
);

const NEXT_DUE = statement(
  "requests_next_due",
  () => "SELECT min(due) AS due FROM requests WHERE account = ?1 AND state = 'queued' AND due IS NOT NULL",
);

/** Those that wait for something else than the time that they were scheduled for. What is changed is none of them any more. */
const shorten = (
  d: Dialect,
  postponed: 0 | 1,
): string => `UPDATE requests SET due = ${d.greatest("?2", "coalesce(scheduled, 0)")}
    WHERE id ${d.chosen(`
      SELECT r.id FROM requests r WHERE r.account = ?1 AND r.postponed = ${postponed} AND r.state = 'queued'
        AND r.due IS NOT NULL AND r.due > ?2 AND r.due > coalesce(r.scheduled, 0)
      ORDER BY r.due LIMIT ?3`)} AND ${isStill("queued")} RETURNING id`;

const LIMIT_DELAYS = statement("requests_limit_delays", (d) => shorten(d, 0));

const LOOK_AGAIN = statement("requests_look_again", (d) => shorten(d, 1));

/**
 * The life of a request: queued, leaving, settled, emitted. Only a claim makes it leave, only its owner puts it back or settles it.
 */
export class Requests {
  readonly #settles: Batches<Answers, readonly Settled[]>;
  readonly #emissions: Batches<readonly number[], undefined>;

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    /** Whether contents and snapshots stay after a request is settled and emitted. */
    private readonly keepTexts: boolean,
  ) {
    this.#settles = new Batches((answers) => this.#settleAll(answers));
    this.#emissions = new Batches((ids) => this.#emitAll(ids));
  }

  /**
   * Takes up to `most` requests that may leave, for this owner alone. They are `leaving` on the disk when this resolves.
   * Before their first byte leaves, the owner asks `Instances.mayLeave` once more.
   * @param origin of the service: while it is blocked for all processes, nothing is taken; blank where no others count
   * @returns those of high priority first, then in the order in which they came; none for an owner that is not alive
   * @throws StoreError. Where it is uncertain, `releaseOthers` puts back what was claimed without anybody's knowledge
   */
  async claim(
    account: string,
    owner: string,
    most: number,
    origin = "",
    guard = NO_GUARD,
  ): Promise<readonly ClaimedRequest[]> {
    const now = this.clock.now();
    const number = nextClaim();
    const [woken = [], rows = [], ...found] = await this.engine.run(
      [
        { statement: WAKE_DUE, values: [account, now, most + SLICE] },
        {
          statement: CLAIM,
          values: [account, owner, now, most, origin, number, ...periodsOf(guard), unansweredOf(guard)],
        },
        ...guardCalls(account, owner, number, now, guard.limits, true),
      ],
      [],
      "contended",
    );
    this.#tellOfWoken(account, woken.length - rows.length);
    return inOrder(rows, found, guard);
  }

  /**
   * As `claim`, but takes those of a list that still may leave. What waits for its time is not looked at.
   * @param mayHaveKeys false where surely none of them has a once key
   * @throws StoreError
   */
  async claimListed(
    account: string,
    owner: string,
    ids: readonly number[],
    mayHaveKeys: boolean,
    origin = "",
    guard = NO_GUARD,
  ): Promise<readonly ClaimedRequest[]> {
    const now = this.clock.now();
    const number = nextClaim();
    const list = JSON.stringify(ids);
    const [rows = [], ...found] = await this.engine.run(
      [
        {
          statement: CLAIM_LISTED,
          values: [account, owner, now, list, origin, number, ...periodsOf(guard), unansweredOf(guard)],
        },
        ...guardCalls(account, owner, number, now, guard.limits, mayHaveKeys),
      ],
      [],
      mayHaveKeys || guard.limits !== null ? "contended" : "own",
    );
    return inOrder(rows, found, guard, mayHaveKeys);
  }

  /** As `claim`, and with turns of the rate that all processes share. Fewer turns than requests are never given. @throws StoreError */
  async claimInTurn(
    account: string,
    owner: string,
    most: number,
    rate: Rate,
    guard = NO_GUARD,
  ): Promise<ClaimInTurn> {
    const now = this.clock.now();
    const number = nextClaim();
    const [woken = [], , grants = [], rows = [], ...found] = await this.engine.run(
      [
        { statement: WAKE_DUE, values: [account, now, most + SLICE] },
        ...grantWaiting(rate, account, most),
        {
          statement: CLAIM_IN_TURN,
          values: [account, owner, now, most, rate.origin, number, ...periodsOf(guard), unansweredOf(guard)],
        },
        ...guardCalls(account, owner, number, now, guard.limits, true),
      ],
      [],
      "contended",
    );
    this.#tellOfWoken(account, woken.length - rows.length);
    return { requests: inOrder(rows, found, guard), turns: readTurns(grants[0], rate) };
  }

  /** Processes that looked at the same moment did not find what this one has woken and not taken. */
  #tellOfWoken(account: string, left: number): void {
    if (left > 0 && !this.engine.exclusive) {
      // Those who miss it look from time to time.
      this.engine.run([], [queueTopic(account)]).catch(() => {});
    }
  }

  /**
   * Puts requests back of which surely nothing has left.
   * @returns ids of those that were this owner's
   * @throws StoreError
   */
  async release(
    account: string,
    owner: string,
    released: readonly ReleasedRequest[],
  ): Promise<readonly number[]> {
    const now = this.clock.now();
    const entries = released.map(({ id, delay, priority, attempts, postponed = false }) => [
      id,
      delay > 0 ? Math.ceil(now + delay) : null,
      priority,
      attempts,
      postponed ? 1 : 0,
    ]);
    const guarded = released.flatMap(({ id, guarded }) => (guarded ? [id] : []));
    const results = await this.engine.run(
      [
        ...(guarded.length === 0 ? [] : giveBack(owner, guarded)),
        { statement: RELEASE, values: [owner, JSON.stringify(entries)] },
      ],
      [queueTopic(account)],
    );
    const rows = results.at(-1) ?? [];
    return rows.map(({ id }) => Number(id));
  }

  /**
   * Puts back every request of the account that is marked as leaving by this owner, but those it knows of: a claim whose
   * answer was lost has handed them to nobody. Only while no claim of this owner for the account is under way.
   * @returns their ids
   * @throws StoreError
   */
  async releaseOthers(account: string, owner: string, known: readonly number[]): Promise<readonly number[]> {
    const results = await this.engine.run(
      [
        ...giveBackOthers(owner, account, known),
        { statement: RELEASE_OTHERS, values: [owner, JSON.stringify(known), account] },
      ],
      [queueTopic(account)],
    );
    const rows = results.at(-1) ?? [];
    return rows.map(({ id }) => Number(id));
  }

  /**
   * Writes outcomes; they are on the disk when this resolves, and may be emitted then. May be repeated, and may come after others
   * have settled a request of this owner: then the answer says what they have made of it.
   * @returns without those that are not there, or were put back
   * @throws StoreError
   */
  async settle(owner: string, settled: readonly SettledRequest[]): Promise<readonly Settled[]> {
    return this.#settles.add({ owner, settled });
  }

  /** The results of these requests have left their node. @throws StoreError */
  async emitted(ids: readonly number[]): Promise<void> {
    await this.#emissions.add(ids);
  }

  async #settleAll(answers: readonly Answers[]): Promise<readonly (readonly Settled[])[]> {
    const all = answers.flatMap(({ owner, settled }) => settled.map((each) => [owner, each] as const));
    const found = new Map<number, Settled>();
    await this.#writeOutcomes(all, found, false);
    const left = all.filter(([, { id }]) => !found.has(id));
    if (left.length > 0) {
      // Nearly always there are none: what events do takes longer than the rest.
      await this.#writeOutcomes(left, found, true);
      await this.#findDone(left, found);
    }
    const takers = all.map(([owner, { id }]) => [owner, found.get(id)?.taker ?? owner] as const);
    const elsewhere = takers.filter(([owner, taker]) => taker !== owner).map(([, taker]) => taker);
    if (elsewhere.length > 0) {
      // Those who miss it look from time to time.
      this.engine.run([], [...new Set(elsewhere)].map(resultsTopic)).catch(() => {});
    }
    return answers.map(({ settled }) => settled.flatMap(({ id }) => found.get(id) ?? []));
  }

  /** What others have settled while this owner counted as dead. */
  async #findDone(
    settled: readonly (readonly [string, SettledRequest])[],
    found: Map<number, Settled>,
  ): Promise<void> {
    const missing = settled.flatMap(([, { id }]) => (found.has(id) ? [] : [[id]]));
    if (missing.length === 0) {
      return;
    }
    const [rows = []] = await this.engine.run([
      { statement: DONE_MEANWHILE, values: [JSON.stringify(missing)] },
    ]);
    for (const row of rows) {
      found.set(Number(row.id), toSettled(row, row.outcome as Outcome));
    }
  }

  /** @param withEvents whether events are applied that came before these answers; without, their requests are left out */
  async #writeOutcomes(
    settled: readonly (readonly [string, SettledRequest])[],
    found: Map<number, Settled>,
    withEvents: boolean,
  ): Promise<void> {
    const now = this.clock.now();
    const entries = JSON.stringify(
      settled.map(([owner, { id, outcome, transferId, attempts, answer, emitted }]) => [
        id,
        outcome,
        transferId,
        attempts,
        answer,
        emitted ? 1 : 0,
        owner,
      ]),
    );
    const gone = settled.filter(([, { emitted }]) => emitted).map(([, { id }]) => id);
    const values = [entries, now, this.keepTexts ? 1 : 0];
    const unsent = settled.filter(([, { guarded, outcome }]) => guarded && isUnsent(outcome));
    const keyed = settled.filter(([, { keyed, outcome }]) => keyed && !isUnsent(outcome));
    const freed = [...new Set(unsent.map(([owner]) => owner))].flatMap((owner) =>
      giveBack(
        owner,
        unsent.flatMap(([of, { id }]) => (of === owner ? [id] : [])),
        true,
      ),
    );
    const events = withEvents ? [{ statement: LINK_EARLY, values: [entries] }, ...applyEvents(now)] : [];
    const results = await this.engine.run(
      [
        ...freed,
        { statement: withEvents ? SETTLE_WITH_EVENTS : SETTLE, values },
        ...events,
        ...(gone.length === 0 ? [] : [this.#forget(gone)]),
        ...(keyed.length === 0 ? [] : [noteKeys(keyed.map(([, { id }]) => id))]),
      ],
      [],
      withEvents ? undefined : unsent.length + keyed.length > 0 ? "contended" : "own",
    );
    const [rows = [], , ...applied] = results.slice(freed.length);
    const proved = new Set(withEvents ? (applied[SETTLED_ROWS] ?? []).map(({ id }) => Number(id)) : []);
    for (const row of rows) {
      const id = Number(row.id);
      found.set(id, toSettled(row, proved.has(id) ? "sent" : (row.outcome as Outcome)));
    }
    if (withEvents) {
      await tellTakers(this.engine, [applied[HEARD_ROWS] ?? []]);
    }
  }

  async #emitAll(ids: readonly (readonly number[])[]): Promise<readonly undefined[]> {
    const all = ids.flat();
    await this.engine.run(
      [{ statement: EMITTED, values: [JSON.stringify(all), this.clock.now()] }, this.#forget(all)],
      [],
      "patient",
    );
    return ids.map(() => undefined);
  }

  #forget(ids: readonly number[]): Call {
    return this.keepTexts ? forgetSealed(ids) : forgetSnapshots(ids);
  }

  /** @throws StoreError */
  async counts(account: string): Promise<QueueCounts> {
    const [[row] = []] = await this.engine.run([{ statement: COUNTS, values: [account] }]);
    const count = (name: string): number => Number(row?.[name] ?? 0);
    return {
      ready: count("ready"),
      waiting: count("waiting"),
      held: count("held"),
      parked: count("parked"),
      leaving: count("leaving"),
      settled: count("settled"),
      nextDue: row?.next_due == null ? null : Math.max(0, Number(row.next_due) - this.clock.now()),
    };
  }

  /** ms from now until the first of the waiting requests may leave; null where none waits. @throws StoreError */
  async nextDue(account: string): Promise<number | null> {
    const [[row] = []] = await this.engine.run([{ statement: NEXT_DUE, values: [account] }]);
    return row?.due == null ? null : Math.max(0, Number(row.due) - this.clock.now());
  }

  /**
   * Looks again at what waits for a rule of the account, which may be another one now.
   * @returns number of requests
   * @throws StoreError
   */
  lookAgain(account: string): Promise<number> {
    return this.#shorten(LOOK_AGAIN, account, this.clock.now());
  }

  /**
   * Lets no request wait longer than this from now on: for the start, and for a computer's clock that was set back, after which
   * the times of waiting requests are too far ahead.
   * What was scheduled, and what waits for a rule, keeps its time.
   * @param longest ms of the longest pause before another try
   * @returns number of requests that would have waited longer
   * @throws StoreError
   */
  limitDelays(account: string, longest: number): Promise<number> {
    return this.#shorten(LIMIT_DELAYS, account, this.clock.now() + longest);
  }

  #shorten(change: Statement, account: string, latest: number): Promise<number> {
    return sliced(async (most) => {
      const [rows = []] = await this.engine.run([{ statement: change, values: [account, latest, most] }]);
      return rows.length;
    });
  }
}

const toSettled = ({ id, taker }: Row, outcome: Outcome): Settled => ({
  id: Number(id),
  outcome,
  taker: taker === null ? null : String(taker),
});

const unansweredOf = ({ simulated }: ClaimGuard): string | null => (simulated ? SIMULATED_UNANSWERED : null);
const periodsOf = ({ limits }: ClaimGuard): readonly [number | null, number | null] => [
  limits?.hourStarts ?? null,
  limits?.dayStarts ?? null,
];

function inOrder(
  rows: readonly Row[],
  found: readonly (readonly Row[])[],
  guard: ClaimGuard,
  mayHaveKeys = true,
): readonly ClaimedRequest[] {
  const requests = rows.map(toClaimed);
  const held = readHeld(
    found,
    requests.map(({ id, recipients, rules: { cost } }) => ({ id, recipients, cost })),
    mayHaveKeys,
    guard,
  );
  const all =
    held.size === 0 ? requests : requests.map((each) => ({ ...each, held: held.get(each.id) ?? NONE }));
  return all.sort((a, b) => b.priority - a.priority || a.id - b.id);
}

const NONE: readonly HeldNumber[] = [];

const toClaimed = (row: Row): ClaimedRequest => ({
  id: Number(row.id),
  job: Number(row.job),
  jobKey: String(row.job_key),
  taker: String(row.taker),
  node: String(row.node),
  part: Number(row.part),
  operation: String(row.operation),
  priority: Number(row.priority),
  attempts: Number(row.attempts),
  clientMessageId: row.client_message_id === null ? null : String(row.client_message_id),
  content: String(row.content ?? ""),
  recipients: JSON.parse(String(row.numbers ?? "[]")) as string[],
  rules: readRules(row),
  held: NONE,
});
