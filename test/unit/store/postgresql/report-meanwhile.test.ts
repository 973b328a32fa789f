import assert from "node:assert/strict";
import { Client } from "pg";
import { rowsOf } from "../../../../lib/store/engine/query";
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import type { DayCounts } from "../../../../lib/store/history/report-counts";
import { countDays } from "../../../../lib/store/history/report-days";
import { statement } from "../../../../lib/store/schema/statement";
import { Store } from "../../../../lib/store/store";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { answered, takeJob, TestClock } from "../suite/store-under-test";

const DAY = 86_400_000;
const KEPT = statement("test_meanwhile_kept")`SELECT starts FROM day_counts WHERE counts IS NOT NULL`;

describe("a report of PostgreSQL while others are amid a change", () => {
  const server = usePostgresql();
  const clock = new TestClock();
  const starts = Math.floor(clock.time / DAY) * DAY;
  const day = { starts, ends: starts + DAY, from: starts, to: starts + DAY };
  let shared: Awaited<ReturnType<typeof sharePostgresql>>;
  let other: Client;

  before(async () => {
    const url = await server().newDatabase();
    shared = await sharePostgresql({ url, schema: "messaging", tls: null });
    const store = new Store(shared.engine, { keepTexts: false, clock });
    await store.instances("me").start();
    const [id = 0] = await takeJob(store, 1);
    await store.claims.claim("a1", "me", 1);
    await store.settlements.settle("me", [answered(id, { emitted: true })]);
    other = new Client({ connectionString: url, options: "-c search_path=messaging" });
    await other.connect();
  });
  after(async () => {
    await other.end();
    await shared.release();
  });
  beforeEach(() => other.query("BEGIN"));

  async function ask(): Promise<DayCounts | undefined> {
    let found: DayCounts | undefined;
    for await (const { counts } of countDays(shared.engine, "a1", [day], starts, starts + 3 * DAY)) {
      found = counts;
    }
    return found;
  }
  const outcomes = async (): Promise<unknown> => (await ask())?.people.map(({ outcome }) => outcome);
  const kept = async (): Promise<number> => (await rowsOf(shared.engine, KEPT)).length;

  it("keeps nothing that may lack the change, does not wait for its end, and keeps it after that", async () => {
    // It has looked for what is counted before the report begins.
    await other.query("UPDATE requests SET outcome = 'denied'");
    await other.query("UPDATE day_counts SET token = '', counts = NULL");
    const begun = process.hrtime.bigint();
    assert.deepEqual(await outcomes(), ["sent"]);
    assert.ok(process.hrtime.bigint() - begun < 1_000_000_000n, "it waits for a moment at most");
    assert.equal(await kept(), 0);
    await other.query("COMMIT");
    assert.deepEqual(await outcomes(), ["denied"]);
    assert.equal(await kept(), 1);
  });

  it("does not care about changes of anything else, in this or another schema", async () => {
    await other.query("UPDATE day_counts SET token = '', counts = NULL");
    await other.query("COMMIT");
    await other.query("BEGIN");
    await other.query("CREATE TABLE of_somebody_else (id bigint)");
    await other.query("INSERT INTO of_somebody_else VALUES (1)");
    await other.query("SELECT * FROM requests FOR UPDATE");
    assert.deepEqual(await outcomes(), ["denied"]);
    assert.equal(await kept(), 1);
    await other.query("ROLLBACK");
  });
});
