import assert from "node:assert/strict";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { rowsOf } from "../../../lib/store/engine/query";
import { allStatements, statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { explained, mostRead, once, ROWS_READ } from "../../support/store/explained";
import { usePostgresql } from "../../support/store/use-postgresql";
import { newEvent, TestClock } from "./suite/store-under-test";
import { useFolder } from "./use-folder";

/** Rows of each large table, and how many of one table a statement may read. */
const ROWS = 8_000;
const MOST = 5_000;
const DAY = 86_400_000;

const NOW = Date.parse("2025-06-01T12:00:00Z");
/** @param of requests: state, due, scheduled, postponed, owner */
const fill = (of: string): readonly string[] => [
  "TRUNCATE jobs, snapshots, requests, recipients, events, replies, waits, wait_recipients, duplicates RESTART IDENTITY",
  `INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT 'k' || g, 'a1', 'n' || g % 7, 'dead', 'sms', ${NOW} - ${ROWS} + g, 1 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO requests (job, part, account, operation, priority, attempts, state, due, scheduled, postponed)
    SELECT g, 0, 'a1', 'sms', 0, 0, ${of} FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO recipients (request, place, number, delivery_rank) SELECT g, 0, '41' || g % 5000, 0 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO events (account, event_key, kind, number, transfer_id, rank, at, received_at, applied)
    SELECT 'a1', 'e' || g, 'inbound', '41' || g % 5000, NULL, 1, 1, ${NOW} - ${ROWS} + g, 1 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO replies (account, event_key, number, channel, body, at, received_at, state)
    SELECT 'a1', 'e' || g, '41' || g % 5000, 'sms', '', 1, ${NOW} - ${2 * 3_600_000} + g, 'taken' FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO waits (wait_key, account, node, result_owner, kind, channel, request, begun_at, until, phase, recipients, open, left_count)
    SELECT 'w' || g, 'a1', 'n1', 'me', 'reply', 'sms', g, ${NOW} - ${2 * 3_600_000} + g, ${NOW + DAY}, 'open', 1, 1, 0 FROM generate_series(1, ${ROWS}) g`,
  `INSERT INTO duplicates SELECT 'w1', 'done', 'e' || g, ${NOW}, 1 FROM generate_series(1, ${ROWS}) g`,
  "ANALYZE",
];

describe("no statement reads a long history or queue at once, in PostgreSQL", () => {
  const server = usePostgresql();
  const read = new Map<string, number>();
  let shared: Awaited<ReturnType<typeof sharePostgresql>>;
  let store: Store;
  const clock = new TestClock();

  before(async () => {
    shared = await sharePostgresql({ url: await server().newDatabase(), schema: "messaging", tls: null });
    await new Store(shared.engine, { keepTexts: false }).probe();
    const counting = explained(shared.engine, ROWS_READ, (name, explanation) => {
      read.set(name, Math.max(read.get(name) ?? 0, mostRead(explanation)));
    });
    store = new Store(counting, { keepTexts: false, clock });
    await store.instances("me").start();
  });
  after(() => shared?.release());
  beforeEach(() => {
    clock.time = NOW;
    read.clear();
  });

  const filled = async (of: string): Promise<void> => {
    for (const text of fill(of)) await shared.engine.run([once(text)]);
  };
  const isBounded = (): void => {
    assert.ok(read.size > 0);
    assert.deepEqual(
      [...read].filter(([, rows]) => rows > MOST),
      [],
    );
  };
  const EMITTED = "'emitted', NULL, NULL, 0";

  it("where nothing is old", async () => {
    await filled(EMITTED);
    assert.equal(await store.retention.deleteOld("a1", 30 * DAY), false);
    await store.forgetDuplicates(DAY);
    await store.deliveries.link(DAY);
    isBounded();
  });

  it("where all is old, and others keep it longer", async () => {
    await filled(EMITTED);
    clock.time = NOW + 31 * DAY;
    for (const account of ["a1", "a2"]) {
      for (let slice = 0; slice < 3; slice++) {
        assert.equal(await store.retention.deleteOld(account, 30 * DAY), true);
      }
    }
    isBounded();
  });

  it("where what is old is not done", async () => {
    await filled("'parked', NULL, NULL, 0");
    clock.time = NOW + 31 * DAY;
    await store.retention.deleteOld("a1", 30 * DAY);
    assert.equal(await store.retention.deleteOld("a1", 30 * DAY), true);
    isBounded();
  });

  it("where a long queue has become due", async () => {
    await filled(`'queued', ${NOW} - g, NULL, 0`);
    const claimed = await store.claims.claim("a1", "me", 10);
    assert.deepEqual(
      claimed.map(({ id }) => id).at(0),
      ROWS - 509,
      "the one that was due first of those it has woken",
    );
    assert.equal((await store.claims.claim("a1", "me", 10)).length, 10);
    isBounded();
  });

  it("where a long queue waits for its time, or for a rule", async () => {
    await filled(`'queued', ${NOW} + ${DAY} + g, ${NOW} + ${DAY} + g, 0`);
    assert.equal(await store.backlog.limitDelays("a1", 1000), 0);
    isBounded();
    await filled(`'queued', ${NOW} + ${DAY} + g, NULL, 1`);
    assert.equal(await store.backlog.limitDelays("a1", 1000), 0);
    assert.equal(await store.backlog.lookAgain("a1"), ROWS);
    assert.equal(await store.backlog.lookAgain("a1"), 0);
    isBounded();
  });

  it("where reports have counted thousands of days, at an event about one of them", async () => {
    await filled(EMITTED);
    const days = [
      "UPDATE requests SET transfer_id = 't' || id WHERE id < 5",
      `INSERT INTO day_counts (account, starts, ends, token, counts)
        SELECT 'a1', ${NOW - ROWS} + (g - 4000) * CAST(${DAY} AS bigint), ${NOW - ROWS} + (g - 3999) * CAST(${DAY} AS bigint), 't', '{}' FROM generate_series(1, ${ROWS}) g`,
      "ANALYZE day_counts",
    ];
    for (const text of days) await shared.engine.run([once(text)]);
    await store.deliveries.note("a1", [newEvent({ transferId: "t1", number: "411" })]);
    const [[row] = []] = await shared.engine.run([
      once("SELECT count(*) AS count FROM day_counts WHERE counts IS NULL"),
    ]);
    assert.equal(row?.count, 1);
    // It is found, and once more to be written.
    assert.ok((read.get("events_forget_days") ?? ROWS) <= 4, `${read.get("events_forget_days")} rows`);
    isBounded();
  });

  it("where another process has left a long queue", async () => {
    await filled("'queued', NULL, NULL, 0");
    const nodes = ["n1", "n2", "n3", "n4", "n5", "n6"];
    const adopted = await store.recovery.adopt("me", "a1", nodes);
    assert.equal(adopted.length, ROWS - Math.floor(ROWS / 7));
    // Each row of a page is read to be chosen, and once more to be written.
    assert.ok((read.get("recovery_adopt") ?? ROWS) <= 200);
    assert.equal(await store.queue.park("a1", nodes), Math.floor(ROWS / 7));
    assert.equal((await store.recovery.waiting("a1", "me", 0)).size, 6);
    assert.equal(await store.queue.park("a1", [...nodes, "n0"]), 0);
    assert.deepEqual(await store.recovery.settled("a1", "me", nodes, 0, 200), []);
    isBounded();
  });
});

/** Index by which each statement finds its rows, so that it stops where there are no more of them. */
const INDEXES: Readonly<Record<string, string>> = {
  requests_wake_due: "requests_waiting",
  requests_limit_delays: "requests_delayed",
  requests_look_again: "requests_delayed",
  events_link: "events_unlinked",
  retention_find_jobs: "jobs_by_time",
  retention_find_events: "events_by_age",
  retention_find_replies: "replies_by_age",
  retention_find_waits: "waits_by_begin",
  waits_forget_over: "waits_done",
  waits_forget_unclaimed: "replies_unclaimed",
  contacts_forget: "contacts_by_age",
  once_keys_forget: "once_keys_by_end",
  codes_forget: "codes_by_end",
  codes_forget_counts: "PRIMARY KEY (starts<?)",
  digests_forget_abandoned: "digests_by_age",
  digests_next_wake: "digests_by_wake",
  digests_take_due: "digests_by_wake",
  digests_leaving: "digests_leaving",
  limits_forget: "PRIMARY KEY (starts<?)",
  duplicates_forget: "duplicates_by_age",
  pages_open: "requests_open",
  pages_parked: "requests_parked",
  recovery_settled: "requests_settled",
};

describe("what timers look for in SQLite", () => {
  const folder = useFolder();

  it("is found by its index, in its order", async () => {
    const { engine, release } = await shareSqlite(folder());
    const all = new Map(allStatements().map((each) => [each.name, each]));
    for (const [name, index] of Object.entries(INDEXES)) {
      const text = all.get(name)?.text("sqlite") ?? "";
      const explain = statement(`test_found_${name}`)`EXPLAIN QUERY PLAN ${text}`;
      const rows = await rowsOf(engine, explain);
      const steps = rows.map(({ detail }) => String(detail));
      assert.ok(
        steps.some((step) => step.startsWith("SEARCH") && step.includes(index)),
        `${name}: ${steps.join("; ")}`,
      );
      assert.deepEqual(
        steps.filter((step) => step.startsWith("USE TEMP B-TREE FOR ORDER BY")),
        [],
        name,
      );
    }
    await release();
  });

  it("is no more of the counts of days than one day, where a message of it has changed", async () => {
    const { engine, release } = await shareSqlite(folder());
    await new Store(engine, { keepTexts: false }).probe();
    const all = new Map(allStatements().map((each) => [each.name, each]));
    for (const name of ["events_forget_days", "events_forget_settled"]) {
      const text = all.get(name)?.text("sqlite") ?? "";
      const rows = await rowsOf(engine, statement(`test_one_day_${name}`)`EXPLAIN QUERY PLAN ${text}`);
      const found = rows.map(({ detail }) => String(detail)).filter((step) => /^\w+ d\b/.test(step));
      assert.deepEqual(
        found.map((step) => /\(.*\)/.exec(step)?.[0]),
        ["(account=? AND starts>? AND starts<?)"],
        name,
      );
    }
    await release();
  });
});
