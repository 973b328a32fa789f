import assert from "node:assert/strict";
import type { Engine } from "../../../lib/store/engine/engine";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import { rowsOf } from "../../../lib/store/engine/query";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
// Statements that belong to no class of the store.
import "../../../lib/store/history/present";
import "../../../lib/store/history/report-counts";
import "../../../lib/store/instance-loads";
import { History } from "../../../lib/store/history/history";
import type { HistoryCursor } from "../../../lib/store/history/history-entry";
import type { HistoryFilter } from "../../../lib/store/history/history-filter";
import { allStatements, type Statement, statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { usePostgresql } from "../../support/store/use-postgresql";
import { once } from "./engine-statements";
import { useFolder } from "./use-folder";

/** Tables that grow with the history, or with lists of people. */
const BIG = [
  "messages",
  "recipients",
  "outbox",
  "policies",
  "texts",
  "reservations",
  "events",
  "duplicates",
  "opt_outs",
  "idempotency_keys",
  "quota_usage",
  "codes",
  "code_counts",
  "waits",
  "wait_recipients",
  "replies",
  "digests",
  "digest_items",
];

/** Partial indexes of what is under way, which stay small. */
const SMALL = [
  "outbox_sending",
  "outbox_staging",
  "outbox_settled",
  "outbox_unwired",
  "events_new",
  "wait_recipients_open",
  "wait_recipients_expecting",
  "wait_recipients_reported",
  "waits_due",
  "waits_by_end",
  "waits_open_of_group",
  "replies_of_wait",
  "replies_unused",
];

/** Scans that are no fault: an intermediate result bears the short name of a table, or the table is `waits`, from which ended waits go. */
const HARMLESS = new Set([
  // SQLite in memory runs these, and only when it is full.
  "retention_evict_messages: SCAN o",
  "retention_evict_messages: Index Scan messages_pkey",
  "retention_evict_events: SCAN o USING COVERING INDEX events_by_age",
  "retention_evict_events: Index Scan events_by_age",
  "waits_timed_out: SCAN a",
  "waits_replies: Index Scan waits_pkey",
]);

/** The index by which a statement finds its rows, in both databases. */
const PLANS: readonly (readonly [statement: string, index: string])[] = [
  ["requests_claim", "outbox_ready"],
  ["requests_of_claim", "outbox_sending"],
  ["requests_wake_due", "outbox_due"],
  ["requests_next_due", "outbox_due"],
  ["requests_elsewhere", "outbox_ready"],
  ["requests_elsewhere", "outbox_due"],
  ["requests_limit_delays", "outbox_delayed"],
  ["requests_look_again", "outbox_delayed"],
  ["requests_release_others", "outbox_sending"],
  ["requests_end", "events_early"],
  ["queue_cancel_ready", "outbox_ready"],
  ["queue_cancel_waiting", "outbox_due"],
  ["queue_cancel_orphaned", "outbox_orphaned"],
  ["cancel_node_id", "messages_by_client_id"],
  ["cancel_node_once_key", "policies_by_key"],
  ["recovery_settled", "outbox_settled"],
  ["pages_open", "outbox_by_job"],
  ["pages_orphaned", "outbox_orphaned"],
  ["events_add", "messages_by_transfer"],
  ["events_add", "messages_by_client_id"],
  ["waits_add", "messages_by_transfer"],
  ["waits_adopt", "waits_by_node"],
  ["waits_due", "waits_by_end"],
  ["replies_add", "wait_recipients_expecting"],
  ["digests_claim_due", "digests_by_wake"],
  ["digests_next_wake", "digests_by_wake"],
  ["digests_emitting", "digests_emitting"],
  ["again_look", "recipients_by_recipient"],
  ["report_recipients", "messages_by_time"],
  ["report_replies", "events_replies"],
  ["report_opt_outs", "opt_outs_by_time"],
  ["present_oldest", "outbox_ready"],
  ["present_unknown", "messages_by_outcome"],
  ["retention_find_messages", "messages_by_time"],
  ["retention_find_events", "events_by_age"],
  ["retention_find_replies", "replies_by_age"],
  ["retention_find_waits", "waits_by_start"],
  ["retention_number_recipients", "recipients_by_recipient"],
  ["retention_number_events", "events_by_number"],
  ["waits_delete_ended", "waits_done"],
  ["waits_delete_unused", "replies_unused"],
  ["waits_delete_number", "replies_by_number"],
  ["idempotency_keys_delete", "idempotency_keys_by_end"],
  ["codes_delete", "codes_by_end"],
  ["digests_forget_abandoned", "digests_by_age"],
  ["duplicates_delete_old", "duplicates_by_age"],
  ["history_conversation_out", "recipients_by_recipient"],
  ["history_events_of_recipient", "events_by_request"],
];

/** What a user can search for, and the index of it. */
const SEARCHES: readonly (readonly [filter: HistoryFilter, index: string])[] = [
  [{}, "messages_by_time"],
  [{ from: 1, to: 90 }, "messages_by_time"],
  [{ numberEnd: "00002" }, "messages_by_time"],
  [{ name: "carla" }, "messages_by_time"],
  [{ number: "41790000001" }, "recipients_by_recipient"],
  [{ clientMessageId: "c1" }, "messages_by_client_id"],
  [{ transferId: "t1" }, "messages_by_transfer"],
  [{ node: "n1" }, "messages_by_time"],
  [{ outcome: "rejected" }, "messages_by_outcome"],
];

/** A cursor of a later page. */
const LATER: HistoryCursor = [1, 1, 0];

/** Searches make their statements when they are used first; tests make some that the package does not have. */
const LOADED = allStatements().filter(({ name }) => !name.startsWith("test_"));

interface Plan {
  /** Every index that is used. */
  readonly indexes: readonly string[];
  /** Steps that read through a whole big table. */
  readonly scans: readonly string[];
}

async function explainSqlite(engine: Engine, { name, text }: Statement): Promise<Plan> {
  const rows = await rowsOf(engine, statement(`test_plan_${name}`)`EXPLAIN QUERY PLAN ${text}`);
  const steps = rows.map(({ detail }) => String(detail));
  const isBig = (alias: string): boolean =>
    BIG.includes(alias) || new RegExp(`\\b(?:${BIG.join("|")})\\s+(?:AS )?${alias}\\b`).test(text("sqlite"));
  return {
    indexes: steps.flatMap((step) => / INDEX (\w+)/.exec(step)?.[1] ?? []),
    scans: steps.filter((step) => {
      const [, alias = "", index = ""] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? [];
      return alias !== "" && isBig(alias) && !SMALL.includes(index);
    }),
  };
}

interface Step {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly Step[];
}

/** Every step below one, with the step above it. */
const stepsOf = (step: Step, above: Step | null = null): readonly (readonly [Step, Step | null])[] => [
  [step, above],
  ...(step.Plans ?? []).flatMap((each) => stepsOf(each, step)),
];

async function explainPostgresql(engine: Engine, { name, text }: Statement): Promise<Plan> {
  const sql = text("postgresql");
  const most = Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
  const values = most === 0 ? "" : `(${Array(most).fill("NULL").join()})`;
  const [, [row] = []] = await engine.run([
    once(`PREPARE test_plan AS ${sql}`),
    once(`EXPLAIN (FORMAT JSON) EXECUTE test_plan${values} /* ${name} */`),
    once("DEALLOCATE test_plan"),
  ]);
  const [{ Plan: plan }] = JSON.parse(String(row?.["QUERY PLAN"])) as [{ Plan: Step }];
  const steps = stepsOf(plan);
  const scans = steps.filter(([step, above]) => {
    const { "Node Type": type, "Relation Name": table = "", "Index Name": index = "" } = step;
    const isBig = BIG.some((big) => table === big || index.startsWith(`${big}_`));
    if (!isBig || SMALL.includes(index)) return false;
    if (type === "Seq Scan") return true;
    // `min()` and `max()` take the first entry of an index.
    const isFirst = type === "Index Only Scan" && above?.["Node Type"] === "Limit";
    return /^(?:Bitmap )?Index/.test(type) && step["Index Cond"] === undefined && !isFirst;
  });
  return {
    indexes: steps.flatMap(([step]) => step["Index Name"] ?? []),
    scans: scans.map(([step]) => `${step["Node Type"]} ${step["Index Name"] ?? step["Relation Name"]}`),
  };
}

/** Runs every search. @returns the statements of each filter by its position */
async function search(engine: Engine): Promise<readonly (readonly Statement[])[]> {
  const used = new Set<Statement>();
  const read: Engine["read"] = (calls) => {
    for (const { statement: each } of calls) used.add(each);
    return engine.read(calls);
  };
  const history = new History(Object.assign(Object.create(engine) as Engine, { read }));
  const found: (readonly Statement[])[] = [];
  for (const [filter] of SEARCHES) {
    used.clear();
    for (const after of [null, LATER]) await history.look({ account: "a1", ...filter }, after, 51, 1_000);
    await history.tally({ account: "a1", ...filter }, 1_000);
    found.push([...used]);
  }
  return found;
}

describe("The statements of the store", () => {
  const folder = useFolder();
  const server = usePostgresql();

  async function check(engine: Engine, explain: typeof explainSqlite): Promise<void> {
    await new Store(engine, { keepTexts: true }).probe();
    const searches = await search(engine);
    const plans = new Map<string, Plan>();
    for (const each of new Set([...LOADED, ...searches.flat()]))
      plans.set(each.name, await explain(engine, each));
    assert.ok(plans.size > 280, `${plans.size} statements`);
    const scans = [...plans].flatMap(([name, plan]) => plan.scans.map((scan) => `${name}: ${scan}`));
    assert.deepEqual(
      scans.filter((scan) => !HARMLESS.has(scan)),
      [],
    );
    const wanted = [...PLANS];
    for (const [at, [first]] of searches.entries()) wanted.push([first?.name ?? "", SEARCHES[at]?.[1] ?? ""]);
    assert.deepEqual(
      wanted.filter(([name, index]) => plans.get(name)?.indexes.includes(index) !== true),
      [],
    );
  }

  it("find their rows by an index in SQLite", async () => {
    const { engine, release } = await shareSqlite(folder());
    await check(engine, explainSqlite);
    await release();
  });

  it("find their rows by an index in PostgreSQL", async () => {
    const { engine, release } = await sharePostgresql({
      url: await server().newDatabase(),
      schema: "messaging",
      tls: null,
    });
    await check(engine, explainPostgresql);
    await release();
  });
});
