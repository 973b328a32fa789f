import assert from "node:assert/strict";
import type { Engine } from "../../../../lib/store/engine/engine";
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
// Its statements belong to no class of the store.
import "../../../../lib/store/history/count-ahead";
import "../../../../lib/store/instance-loads";
import { allStatements } from "../../../../lib/store/schema/statement";
import { Store } from "../../../../lib/store/store";
import { once } from "../../../support/store/explained";
import { usePostgresql } from "../../../support/store/use-postgresql";

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Alias?: string;
  /** "InitPlan" runs once. */
  readonly "Parent Relationship"?: string;
  readonly Plans?: readonly Plan[];
}

const LARGE = [
  "jobs",
  "snapshots",
  "requests",
  "recipients",
  "events",
  "duplicates",
  "opt_outs",
  "contacts",
  "codes",
  "code_counts",
  "digests",
  "digest_items",
];
/** Indexes of what is on its way, which stay small. */
const SMALL = [
  "requests_leaving",
  "requests_open",
  "requests_filling",
  "requests_held",
  "jobs_unsealed",
  "events_new",
  "digests_leaving",
];
const ROWS = 100_000;

const FILL = [
  `INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT 'k' || g, 'a' || g % 3, 'n' || g % 7, 'i1', 'sms', g, 1 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO snapshots SELECT g, '{}' FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO requests (job, part, account, operation, state, priority, attempts, client_message_id, transfer_id, outcome, owner)
    SELECT g, 0, 'a' || g % 3, 'sms', CASE WHEN g > ${ROWS - 300} THEN 'queued' WHEN g > ${ROWS - 400} THEN 'settled' ELSE 'emitted' END,
      0, 1, 'c' || g, 't' || g, CASE WHEN g > ${ROWS - 300} THEN NULL WHEN g % 50 = 0 THEN 'unknown' ELSE 'sent' END, 'i1'
    FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO recipients (request, place, number, delivery_rank) SELECT g, 0, '41' || g % 5000, 0 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO events (account, event_key, kind, request, number, rank, at, received_at, applied)
    SELECT 'a' || g % 3, 'e' || g, 'report', g, '41' || g % 5000, 1, 1, g, 1 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO opt_outs SELECT 'a' || g % 3, '41' || g, 'all', g, 'import' FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO contacts SELECT 'a' || g % 3, '41' || g, 'whatsapp', 'app', g FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO codes SELECT 'a' || g % 3, 'login', '41' || g, 'h', g, g, 0, 5 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO code_counts SELECT 'a' || g % 3, 'caller', 'c' || g, g % 7 * 600000, 1 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO digests (account, node, digest_key, every, quiet, begun_at, first_at, last_at, next_at, wake_at, muted, total, count, batch, last_item)
    SELECT 'a' || g % 3, 'n' || g % 7, 'k' || g, 1, 1, g, g, g, g, g, 0, 1, 1, 1, '{}' FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO digest_items SELECT g, 1, 1, '{}' FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO duplicates SELECT 'r' || g % 3, 'done', 'e' || g, g, 1 FROM generate_series(1, ${ROWS}) g`,
];

const own = () =>
  allStatements().filter(({ name }) => !name.startsWith("test_") && !name.startsWith("history_"));

/** Indexes by which a person looks for messages, and age is found. What is on its way has its job's id. */
const HISTORY = ["jobs_by_node", "jobs_by_time"];
/** A report goes through the messages of its period, a page at a time. */
const ofHistory = (name: string): boolean => /^(?:retention|report)_/.test(name);

/** Every index of a plan, but where it finds the few jobs that a person has taken from their node. */
const indexesOf = (plan: Plan): readonly string[] => [
  ...(plan["Index Name"] === undefined || plan["Index Cond"]?.includes("''") ? [] : [plan["Index Name"]]),
  ...(plan.Plans ?? []).flatMap(indexesOf),
];

/** Every step of a plan that reads through a whole large table. */
function scansOf(plan: Plan): readonly string[] {
  const { "Node Type": type, "Relation Name": table = "", "Index Name": index = "", Plans = [] } = plan;
  const isScan =
    type === "Seq Scan" || (/^(?:Index|Bitmap Index)/.test(type) && plan["Index Cond"] === undefined);
  const isLarge = LARGE.some((name) => table === name || index.startsWith(`${name}_`));
  return [
    ...(isScan && isLarge && !SMALL.includes(index) ? [`${type} ${index || table}`] : []),
    ...Plans.flatMap(scansOf),
  ];
}

/** Whether rows are locked by a step that may run more than once, and then locks more than its limit. */
const locksAgain = (plan: Plan): boolean =>
  plan["Node Type"] === "LockRows" ||
  (plan.Plans ?? []).some((step) => step["Parent Relationship"] !== "InitPlan" && locksAgain(step));

describe("the statements of a store in PostgreSQL", () => {
  const server = usePostgresql();
  /** A busy computer may need its time to fill the tables. */
  const SETTINGS = { schema: "messaging", tls: null, statementTimeout: 120_000 } as const;
  async function planOf(engine: Engine, name: string, sql: string): Promise<Plan> {
    const most = Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
    const values = most === 0 ? "" : `(${Array(most).fill("NULL").join()})`;
    const [, [row] = []] = await engine.run([
      once(`PREPARE test_plan AS ${sql}`),
      once(`EXPLAIN (FORMAT JSON) EXECUTE test_plan${values} /* ${name} */`),
      once("DEALLOCATE test_plan"),
    ]);
    const [{ Plan: plan }] = JSON.parse(String(row?.["QUERY PLAN"])) as [{ Plan: Plan }];
    return plan;
  }

  async function scans(engine: Engine): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { name, text } of own()) {
      const plan = await planOf(engine, name, text("postgresql"));
      if (locksAgain(plan)) {
        found.push(`${name}: LockRows`);
      }
      // What a person asks for now and then may go through all results that nobody has got yet.
      const isRare = name === "queue_drop_results";
      found.push(
        ...scansOf(plan)
          .filter((scan) => !(isRare && scan.endsWith("requests_settled")))
          .map((scan) => `${name}: ${scan}`),
      );
      if (!ofHistory(name)) {
        const whole = indexesOf(plan).filter((index) => HISTORY.includes(index));
        found.push(...whole.map((index) => `${name}: all jobs of ${index}`));
      }
    }
    return found;
  }

  it("never read through the whole history, whatever the tables held when the plan was made", async () => {
    const { engine, release } = await sharePostgresql({ url: server().url, ...SETTINGS });
    await new Store(engine, { keepTexts: true }).probe();
    assert.ok(own().length > 40, "the statements were not found");
    const empty = await scans(engine);
    await engine.run(FILL.map(once));
    const filled = await scans(engine);
    await engine.run([once("ANALYZE")]);
    const analysed = await scans(engine);
    await release();
    assert.deepEqual({ empty, filled, analysed }, { empty: [], filled: [], analysed: [] });
  });

  it("look up one by one what belongs to a message, its events and who waits for it, also where the tables were empty when PostgreSQL looked", async () => {
    const { engine, release } = await sharePostgresql({
      url: await server().newDatabase(),
      ...SETTINGS,
    });
    await new Store(engine, { keepTexts: true }).probe();
    await engine.run([once("ANALYZE")]);
    const statements = own().filter(({ name }) =>
      /^(?:events_(?:deliver|prove|settle_unknown|forget_days|forget_settled)$|jobs_(?:add|find|queue)_|requests_(?:settle|release$|done|emitted)|waits_(?:begun|count|reported_(?:of|before|meanwhile)))/.test(
        name,
      ),
    );
    assert.equal(statements.length, 23);
    for (const { name, text } of statements) {
      const rows = (plan: Plan): readonly Plan[] => [
        ...(/^(?:jobs|requests|waits|(?:wait_)?recipients|day_counts)$/.test(plan["Relation Name"] ?? "") &&
        plan["Node Type"] !== "ModifyTable" &&
        plan["Parent Relationship"] !== "InitPlan"
          ? [plan]
          : []),
        ...(plan.Plans ?? []).flatMap(rows),
      ];
      const found = rows(await planOf(engine, name, text("postgresql")));
      assert.ok(found.length > 0, name);
      assert.deepEqual(
        found.filter((each) => each["Index Cond"] === undefined),
        [],
        name,
      );
    }
    await release();
  });
});
