import type { Outcome } from "../../shared/outcomes";
import { applyEvents, REPORTED_ROWS, SETTLED_ROWS } from "../events/apply-events";
import { Batches } from "../engine/batches";
import type { Sharing } from "../engine/engine";
import { call, entryCall, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { SLICE, sliced } from "../engine/sliced";
import { giveBack, isUnsent } from "../guards/guard-calls";
import { noteKeys } from "../guards/idempotency-keys";
import { entryStatement, isOfEntry, withEntries } from "../schema/entries";
import { checked } from "../schema/expressions";
import { scopeOfMessage } from "../schema/scope";
import { among, idsOf, type Sql, sql, textsOf } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { resultsTopic } from "../schema/topics";
import { notifyResultOwners } from "../waits/waits-topic";
import { NO_NODE } from "./job-statements";

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

interface Outcomes {
  readonly answers: readonly Answer[];
  readonly isPatient: boolean;
}

/** What the ledger holds now. */
export interface Settled {
  readonly id: number;
  /** `sent` instead of `unknown` where an event had proved it. */
  readonly outcome: Outcome;
  /** Instance that emits the result; null where nobody has to. */
  readonly resultOwner: string | null;
}

// All who settle change the outbox first, so that nobody waits for each other.
const ending = (name: string, further: (transferId: Sql) => Sql): Statement =>
  entryStatement(
    name,
    { id: "bigint", owner: "text", transferId: "text", keep: "integer" },
    (e) => sql`
    UPDATE outbox SET state = 'settled', due = NULL, content = CASE WHEN ${e.keep} = 1 THEN outbox.content END
    ${withEntries("FROM")} WHERE ${isOfEntry("outbox.id", e.id)} AND outbox.state = 'sending' AND outbox.owner = ${e.owner}
      AND ${further(e.transferId)}
    RETURNING outbox.id AS id, outbox.node AS node, outbox.result_owner AS "resultOwner"`,
  );

const END_WITH_EVENTS = ending(
  "requests_end_with_events",
  (transferId) => sql`(${transferId} IS NULL OR true)`,
);

/** Leaves those out of which an event has come before their response. */
const END = ending(
  "requests_end",
  (transferId) =>
    sql`NOT EXISTS (SELECT 1 FROM events v WHERE v.request IS NULL AND v.transfer_id = ${transferId})`,
);

const settling = (name: string, set: string, which: (owner: Sql) => Sql): Statement =>
  entryStatement(
    name,
    {
      id: "bigint",
      outcome: "text",
      transferId: "text",
      attempts: "integer",
      answer: "text",
      now: "bigint",
      owner: "text",
    },
    (e) => {
      const isConfirmed = sql`messages.confirmed_at IS NOT NULL AND ${e.outcome} = 'unknown'`;
      return sql`
    UPDATE messages SET outcome = CASE WHEN ${isConfirmed} THEN 'sent' ELSE ${e.outcome} END,
      settled_by = CASE WHEN ${isConfirmed} THEN 'event' ELSE 'response' END,
      transfer_id = coalesce(${e.transferId}, messages.transfer_id), attempts = ${e.attempts}, response = ${e.answer},
      settled_at = ${e.now}${set}
    ${withEntries("FROM")} WHERE ${isOfEntry("messages.id", e.id)} AND ${which(e.owner)}
    RETURNING messages.id AS id, messages.outcome AS outcome`;
    },
  );

const ofOutbox = (column: string): string =>
  `(SELECT o.${column} FROM outbox o WHERE o.id = messages.id AND o.state = 'settled')`;

const SETTLE = settling(
  "requests_settle",
  `, sent_at = ${ofOutbox("sent_at")}`,
  (owner) => sql`messages.outcome IS NULL AND ${ofOutbox("owner")} = ${owner}`,
);

/** A response that comes after its owner was given up is better than the outcome that stands for it. */
const SETTLE_LATE = settling(
  "requests_settle_late",
  "",
  (owner) => sql`messages.settled_by = 'process-ended' AND messages.late_owner = ${owner}`,
);

const DONE_MEANWHILE = statement("requests_done_meanwhile")`
    SELECT m.id, m.outcome, (SELECT o.result_owner FROM outbox o WHERE o.id = m.id AND o.state = 'settled') AS "resultOwner"
    FROM messages m WHERE m.outcome IS NOT NULL AND m.id ${among(idsOf("?1"))}`;

const LINK_EARLY = statement("requests_link_early")`
    UPDATE events SET request = (
      SELECT m.id FROM messages m WHERE m.transfer_id = events.transfer_id AND ${scopeOfMessage("m")} = events.account
      ORDER BY m.id DESC LIMIT 1)
    WHERE request IS NULL AND ${checked("kind")} <> 'inbound' AND transfer_id IS NOT NULL AND transfer_id IN (${textsOf("?1")})`;

/** Deletes rows of the outbox: that marks their results as emitted. */
const EMITTED = entryStatement(
  "requests_emitted",
  { id: "bigint" },
  (e) => sql`
    DELETE FROM outbox ${withEntries("USING")} WHERE ${isOfEntry("outbox.id", e.id)} AND outbox.state = 'settled'
    RETURNING (SELECT j.id FROM jobs j WHERE j.id = outbox.job) AS list`,
);

// ?1 ids of requests or jobs.
const KEEP_TEXTS = statement("requests_keep_texts")`
    INSERT INTO texts (id, content, snapshot)
    SELECT o.id, o.content, o.snapshot FROM outbox o WHERE o.id ${among(idsOf("?1"))} AND o.state = 'settled'
    ON CONFLICT (id) DO UPDATE SET content = excluded.content, snapshot = coalesce(excluded.snapshot, texts.snapshot)`;

const isDone = sql`j.id ${among(idsOf("?1"))} AND j.committed = 1 AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.job = j.id)`;
const KEEP_SNAPSHOTS = statement("requests_keep_snapshots")`
    INSERT INTO texts (id, content, snapshot) SELECT j.id, NULL, j.snapshot FROM jobs j WHERE ${isDone}
    ON CONFLICT (id) DO UPDATE SET snapshot = excluded.snapshot`;
const DROP_JOBS = statement(
  "requests_drop_jobs",
)`DELETE FROM jobs WHERE id IN (SELECT j.id FROM jobs j WHERE ${isDone})`;

/** What an operation left that failed, or whose process ended, after the last result was emitted. */
const DROP_DONE_JOBS = statement("requests_drop_done_jobs")`
    DELETE FROM jobs WHERE id IN (SELECT j.id FROM jobs j
      WHERE j.committed = 1 AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.job = j.id) LIMIT ?1) RETURNING id`;

/** A result that nobody emits, because a user let its message go on without its node. */
const UNHEARD = statement("requests_unheard")`
    SELECT o.id FROM outbox o WHERE o.state = 'settled' AND o.node = '' LIMIT ?1`;

/** How requests end: only their owner settles them. */
export class Settlements extends Repository {
  readonly #settles = new Batches((all: readonly Outcomes[]) => this.#settleAll(all));
  readonly #emissions = new Batches((lists: readonly (readonly number[])[]) => this.#emitAll(lists));

  /**
   * Writes outcomes; they are on the disk when this resolves, and may be emitted then. May be repeated, and may come after others
   * have settled a request of this owner: then the answer says what they have made of it.
   * @param isPatient whether it may take some ms, to share its commit with others
   * @returns without those that are not there, or were put back
   */
  settle(owner: string, settled: readonly SettledRequest[], isPatient = false): Promise<readonly Settled[]> {
    return this.#settles.add({ answers: settled.map((each) => ({ owner, settled: each })), isPatient });
  }

  /** The results of these requests have left their node. */
  async emitted(ids: readonly number[]): Promise<void> {
    await this.#emissions.add(ids);
  }

  async #settleAll(lists: readonly Outcomes[]): Promise<readonly (readonly Settled[])[]> {
    const all = lists.flatMap(({ answers }) => answers);
    const found = new Map<number, Settled>();
    const sharing = lists.every(({ isPatient }) => isPatient) ? "patient" : "shared";
    await this.#writeOutcomes(all, found, sharing);
    const left = all.filter(({ settled }) => !found.has(settled.id));
    if (left.length > 0) {
      // Nearly always there are none: what events do takes longer than the rest.
      await this.#writeOutcomes(left, found, "late");
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
    return lists.map(({ answers }) => answers.flatMap(({ settled }) => found.get(settled.id) ?? []));
  }

  /** What others have settled while this owner counted as expired. */
  async #findDone(answers: readonly Answer[], found: Map<number, Settled>): Promise<void> {
    const missing = answers.map(({ settled }) => settled.id).filter((id) => !found.has(id));
    if (missing.length > 0) {
      for (const row of await rowsOf<Settled>(this.engine, DONE_MEANWHILE, JSON.stringify(missing))) {
        found.set(row.id, row);
      }
    }
  }

  /** @param sharing `late`: writes responses that `END` leaves out, or that come after their owner was given up */
  async #writeOutcomes(
    answers: readonly Answer[],
    found: Map<number, Settled>,
    sharing: Exclude<Sharing, "alone"> | "late",
  ): Promise<void> {
    const isLate = sharing === "late";
    const now = this.clock.now();
    const keyed = answers.filter(({ settled }) => settled.keyed && !isUnsent(settled.outcome));
    const unsent = answers.filter(({ settled }) => settled.guarded && isUnsent(settled.outcome));
    const owners = [...new Set(unsent.map(({ owner }) => owner))];
    const before = owners.flatMap((owner) => {
      const own = unsent.filter((each) => each.owner === owner);
      return giveBack(
        owner,
        own.map(({ settled }) => settled.id),
        true,
      );
    });
    const keep = this.keepTexts ? 1 : 0;
    const ends = answers.map(({ owner, settled: { id, transferId } }) => [id, owner, transferId, keep]);
    const outcomes = answers.map(({ owner, settled: { id, outcome, transferId, attempts, answer } }) => {
      return [id, outcome, transferId, attempts, answer, now, owner];
    });
    const transferIds = JSON.stringify(answers.flatMap(({ settled: { transferId } }) => transferId ?? []));
    const results = await this.engine.run(
      [
        ...before,
        entryCall(isLate ? END_WITH_EVENTS : END, ends),
        entryCall(SETTLE, outcomes),
        ...(isLate
          ? [entryCall(SETTLE_LATE, outcomes), call(LINK_EARLY, transferIds), ...applyEvents(now)]
          : []),
        ...(keyed.length === 0 ? [] : [noteKeys(keyed.map(({ settled }) => settled.id))]),
      ],
      [],
      isLate || unsent.length + keyed.length > 0 ? "alone" : sharing,
    );
    const [ended = [], rows = [], , , ...applied] = results.slice(before.length);
    const inOutbox = new Map(ended.map((row) => [row.id, row]));
    const confirmed = new Set(isLate ? (applied[SETTLED_ROWS] ?? []).map(({ id }) => id) : []);
    const gone = new Set(answers.filter(({ settled }) => settled.emitted).map(({ settled }) => settled.id));
    for (const { id } of ended.filter(({ node }) => node === NO_NODE)) {
      gone.add(Number(id));
    }
    for (const { id, outcome } of rows) {
      found.set(Number(id), {
        id: Number(id),
        outcome: confirmed.has(id ?? null) ? "sent" : (outcome as Outcome),
        resultOwner: gone.has(Number(id)) ? null : String(inOutbox.get(id ?? null)?.resultOwner),
      });
    }
    if (gone.size > 0) {
      await this.emitted([...gone]);
    }
    if (isLate) {
      await notifyResultOwners(this.engine, [applied[REPORTED_ROWS] ?? []]);
    }
  }

  async #emitAll(lists: readonly (readonly number[])[]): Promise<readonly undefined[]> {
    const ids = lists.flat();
    const kept = this.keepTexts ? [call(KEEP_TEXTS, JSON.stringify(ids))] : [];
    const emitted = entryCall(
      EMITTED,
      ids.map((id) => [id]),
    );
    const results = await this.engine.run([...kept, emitted], [], "patient");
    const jobs = (results.at(-1) ?? []).flatMap(({ list }) => (list === null ? [] : Number(list)));
    if (jobs.length > 0) {
      const done = JSON.stringify([...new Set(jobs)]);
      await this.engine.run([...(this.keepTexts ? [call(KEEP_SNAPSHOTS, done)] : []), call(DROP_JOBS, done)]);
    }
    return lists.map(() => undefined);
  }

  /** Deletes results that nobody emits, because a user let their message go on without its node, and messages of lists that are done. */
  async dropUnheard(): Promise<void> {
    for (let ids = await this.#findUnheard(); ids.length > 0; ids = await this.#findUnheard()) {
      await this.emitted(ids);
    }
    await sliced(async (most) => (await rowsOf(this.engine, DROP_DONE_JOBS, most)).length);
  }

  async #findUnheard(): Promise<readonly number[]> {
    const rows = await rowsOf(this.engine, UNHEARD, SLICE);
    return rows.map(({ id }) => Number(id));
  }
}
