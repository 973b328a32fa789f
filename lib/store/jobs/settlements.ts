import type { Outcome } from "../../shared/outcomes";
import { applyEvents, REPORTED_ROWS, SETTLED_ROWS } from "../events/apply-events";
import { Batches } from "../engine/batches";
import type { Call } from "../engine/engine";
import { call, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { giveBack, isUnsent } from "../guards/guard-calls";
import { noteKeys } from "../guards/once-keys";
import { SETTLED_STATE } from "../schema/stored-values";
import { checked, isStill, keptSql } from "../schema/expressions";
import { among, each, idOf, idsOf, isRow, type Sql, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { resultsTopic } from "../schema/topics";
import { notifyResultOwners } from "../waits/waits-topic";
import { scopeOfRequest } from "../schema/scope";

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

/** A settled request with the owner that answers for it. */
interface Answer {
  readonly owner: string;
  readonly settled: SettledRequest;
}

/** What the ledger holds now. */
export interface Settled {
  readonly id: number;
  /** `sent` instead of `unknown` where an event had proved it. */
  readonly outcome: Outcome;
  /** Instance that emits the result; null where nobody has to. */
  readonly resultOwner: string | null;
}

// Entries: id, outcome, transfer id, attempts, answer, emitted, owner. An answer that comes after its owner was given up is
// better than the `unknown` that stands for it.
const settle = (further: string): Sql => sql`
    UPDATE requests SET
      state = CASE WHEN CAST(e.value ->> 5 AS integer) = 1 OR requests.state = 'emitted' THEN 'emitted' ELSE ${SETTLED_STATE} END,
      outcome = CASE WHEN requests.proof_at IS NOT NULL AND e.value ->> 1 = 'unknown' THEN 'sent' ELSE e.value ->> 1 END,
      settled_by = CASE WHEN requests.proof_at IS NOT NULL AND e.value ->> 1 = 'unknown' THEN 'event' ELSE 'answer' END,
      transfer_id = coalesce(e.value ->> 2, requests.transfer_id), attempts = CAST(e.value ->> 3 AS integer),
      answer = e.value ->> 4, settled_at = ?2, due = NULL,
      emitted_at = CASE WHEN CAST(e.value ->> 5 AS integer) = 1 THEN ?2 ELSE requests.emitted_at END,
      content = ${keptSql("?3", "requests.content")}
    FROM ${each("?1")}
    WHERE ${isRow(["requests.id"], ["CAST(e.value ->> 0 AS bigint)"])} AND requests.owner = e.value ->> 6
      AND (requests.state = 'leaving' OR requests.settled_by = 'orphan') ${further}
    RETURNING requests.id AS id, requests.outcome AS outcome,
      CASE WHEN requests.state = 'settled' THEN (SELECT j.result_owner FROM jobs j WHERE j.id = requests.job) END AS "resultOwner"`;

const SETTLE_WITH_EVENTS = statement("requests_settle_with_events", settle(""));

/** Leaves those out of which an event has come before their answer, and those that were given up. */
const SETTLE = statement(
  "requests_settle",
  settle(`AND coalesce(requests.settled_by, '') <> 'orphan'
    AND NOT EXISTS (SELECT 1 FROM events v WHERE v.request IS NULL AND v.transfer_id = e.value ->> 2)`),
);

const DONE_MEANWHILE = statement("requests_done_meanwhile")`
    SELECT r.id, r.outcome, CASE WHEN r.state = 'settled' THEN (SELECT j.result_owner FROM jobs j WHERE j.id = r.job) END AS "resultOwner"
    FROM requests r WHERE r.state IN ('settled', 'emitted')
      AND r.id ${among(idsOf("?1"))}`;

const LINK_EARLY = statement("requests_link_early")`
    UPDATE events SET request = (
      SELECT r.id FROM requests r WHERE r.transfer_id = events.transfer_id AND ${scopeOfRequest("r")} = events.account
      ORDER BY r.id DESC LIMIT 1)
    WHERE request IS NULL AND ${checked("kind")} <> 'inbound' AND transfer_id IS NOT NULL
      AND transfer_id IN (SELECT e.value ->> 2 FROM ${each("?1")})`;

// Found by their ids: the index of what is settled has an entry for each of the last thousands until they are cleaned up.
const EMITTED = statement("requests_emitted")`
    UPDATE requests SET state = 'emitted', emitted_at = ?2
    WHERE ${isStill("settled")} AND id ${among(idsOf("?1"))}`;

/** Deletes the snapshots of the jobs of these requests that have no result left to emit. */
const FORGET = statement("jobs_forget_snapshots")`
    DELETE FROM snapshots WHERE job ${among(sql`SELECT r.job FROM ${each("?1")} CROSS JOIN requests r CROSS JOIN jobs j
      WHERE r.id = ${idOf()} AND j.id = r.job AND j.sealed = 1
        AND NOT EXISTS (SELECT 1 FROM requests o WHERE o.job = r.job AND o.state <> 'emitted')`)}`;

/** How requests end: only their owner settles them. */
export class Settlements extends Repository {
  readonly #settles = new Batches((lists: readonly (readonly Answer[])[]) => this.#settleAll(lists));
  readonly #emissions = new Batches((lists: readonly (readonly number[])[]) => this.#emitAll(lists));

  /**
   * Writes outcomes; they are on the disk when this resolves, and may be emitted then. May be repeated, and may come after others
   * have settled a request of this owner: then the answer says what they have made of it.
   * @returns without those that are not there, or were put back
   */
  settle(owner: string, settled: readonly SettledRequest[]): Promise<readonly Settled[]> {
    return this.#settles.add(settled.map((each) => ({ owner, settled: each })));
  }

  /** The results of these requests have left their node. */
  async emitted(ids: readonly number[]): Promise<void> {
    await this.#emissions.add(ids);
  }

  async #settleAll(lists: readonly (readonly Answer[])[]): Promise<readonly (readonly Settled[])[]> {
    const all = lists.flat();
    const found = new Map<number, Settled>();
    await this.#writeOutcomes(all, found, false);
    const left = all.filter(({ settled }) => !found.has(settled.id));
    if (left.length > 0) {
      // Nearly always there are none: what events do takes longer than the rest.
      await this.#writeOutcomes(left, found, true);
      await this.#findDone(left, found);
    }
    const elsewhere = all.flatMap(({ owner, settled }) => {
      const resultOwner = found.get(settled.id)?.resultOwner ?? owner;
      return resultOwner === owner ? [] : [resultOwner];
    });
    if (elsewhere.length > 0) {
      // Those who miss it look from time to time.
      this.engine.run([], [...new Set(elsewhere)].map(resultsTopic)).catch(() => {});
    }
    return lists.map((list) => list.flatMap(({ settled }) => found.get(settled.id) ?? []));
  }

  /** What others have settled while this owner counted as dead. */
  async #findDone(answers: readonly Answer[], found: Map<number, Settled>): Promise<void> {
    const missing = answers.map(({ settled }) => settled.id).filter((id) => !found.has(id));
    if (missing.length > 0) {
      for (const row of await rowsOf<Settled>(this.engine, DONE_MEANWHILE, JSON.stringify(missing))) {
        found.set(row.id, row);
      }
    }
  }

  /** @param withEvents whether events are applied that came before these answers; without, their requests are left out */
  async #writeOutcomes(
    answers: readonly Answer[],
    found: Map<number, Settled>,
    withEvents: boolean,
  ): Promise<void> {
    const now = this.clock.now();
    const entries: unknown[] = [];
    const gone: number[] = [];
    const keyed: number[] = [];
    const unsent = new Map<string, number[]>();
    for (const { owner, settled } of answers) {
      const { id, outcome, transferId, attempts, answer, emitted } = settled;
      entries.push([id, outcome, transferId, attempts, answer, emitted ? 1 : 0, owner]);
      if (emitted) {
        gone.push(id);
      }
      if (isUnsent(outcome)) {
        if (settled.guarded) {
          const own = unsent.get(owner) ?? [];
          own.push(id);
          unsent.set(owner, own);
        }
      } else if (settled.keyed) {
        keyed.push(id);
      }
    }
    const list = JSON.stringify(entries);
    const freed = [...unsent].flatMap(([owner, ids]) => giveBack(owner, ids, true));
    const results = await this.engine.run(
      [
        ...freed,
        call(withEvents ? SETTLE_WITH_EVENTS : SETTLE, list, now, this.keepTexts ? 1 : 0),
        ...(withEvents ? [call(LINK_EARLY, list), ...applyEvents(now)] : []),
        ...this.#forget(gone),
        ...(keyed.length === 0 ? [] : [noteKeys(keyed)]),
      ],
      [],
      withEvents ? undefined : unsent.size + keyed.length > 0 ? "contended" : "own",
    );
    const [rows = [], , ...applied] = results.slice(freed.length);
    const proved = new Set(withEvents ? (applied[SETTLED_ROWS] ?? []).map(({ id }) => Number(id)) : []);
    for (const row of rows as unknown as readonly Settled[]) {
      found.set(row.id, proved.has(row.id) ? { ...row, outcome: "sent" } : row);
    }
    if (withEvents) {
      await notifyResultOwners(this.engine, [applied[REPORTED_ROWS] ?? []]);
    }
  }

  async #emitAll(lists: readonly (readonly number[])[]): Promise<readonly undefined[]> {
    const all = lists.flat();
    const emitted = call(EMITTED, JSON.stringify(all), this.clock.now());
    await this.engine.run([emitted, ...this.#forget(all)], [], "patient");
    return lists.map(() => undefined);
  }

  #forget(ids: readonly number[]): readonly Call[] {
    return this.keepTexts || ids.length === 0 ? [] : [call(FORGET, JSON.stringify(ids))];
  }
}
