import type { Outcome } from "../shared/outcomes";
import { applyEvents, HEARD_ROWS, SETTLED_ROWS } from "./apply-events";
import { Batches } from "./engine/batches";
import type { Clock } from "./engine/clock";
import type { Call, Engine, Row } from "./engine/engine";
import { giveBack, isUnsent } from "./guards/guard-calls";
import { noteKeys } from "./guards/once-keys";
import { checked } from "./schema/checked";
import type { Dialect } from "./schema/dialect";
import { forgetSealed, forgetSnapshots } from "./forget-snapshots";
import { SETTLED_STATE } from "./schema/stored-values";
import { isStill } from "./schema/is-still";
import { statement } from "./schema/statement";
import { keptSql } from "./schema/sealed-text";
import { resultsTopic } from "./topics";
import { tellTakers } from "./waits/tell-takers";

/** A request whose outcome its owner knows. */
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

/** How requests end: only their owner settles them. */
export class Settlements {
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
}

const toSettled = ({ id, taker }: Row, outcome: Outcome): Settled => ({
  id: Number(id),
  outcome,
  taker: taker === null ? null : String(taker),
});
