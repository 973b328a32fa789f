import assert from "node:assert/strict";
import { Client } from "pg";
import { rowsOf } from "../../../../lib/store/engine/query";
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import type { DayCounts } from "../../../../lib/store/history/report-counts";
import { countDays } from "../../../../lib/store/history/report-days";
import { statement } from "../../../../lib/store/schema/statement";
import { Store } from "../../../../lib/store/store";
import { waitFor } from "../../../support/wait-for";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { answered, newEvent, takeJob, TestClock } from "../suite/store-under-test";

const DAY = 86_400_000;
const KEPT = statement("test_meanwhile_kept")`SELECT starts FROM day_counts WHERE counts IS NOT NULL`;

describe("a report of PostgreSQL while others are amid a change", () => {
  const server = usePostgresql();
  const clock = new TestClock();
  const starts = Math.floor(clock.time / DAY) * DAY;
  const day = { starts, ends: starts + DAY, from: starts, to: starts + DAY };
  let shared: Awaited<ReturnType<typeof sharePostgresql>>;
  let store: Store;
  let other: Client;

  before(async () => {
    const url = await server().newDatabase();
    other = new Client({ connectionString: url, options: "-c search_path=messaging" });
    await other.connect();
    // Without it the planner happens to sort what it does not need to.
    await other.query(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_sort = off', current_database()); END $$",
    );
    shared = await sharePostgresql({ url, schema: "messaging", tls: null });
    store = new Store(shared.engine, { keepTexts: false, clock });
    await store.instances("me").start();
    const [id = 0] = await takeJob(store, 1);
    await store.claims.claim("a1", "me", 1);
    await store.settlements.settle("me", [answered(id, { emitted: true })]);
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

  it("locks days in the order of their keys, so that two who change several do not wait for each other in a circle", async () => {
    const ids = [...(await takeJob(store, 1))];
    for (let at = 1; at < 30; at++) {
      clock.time += DAY;
      ids.push(...(await takeJob(store, 1)));
    }
    const claimed = await store.claims.claim("a1", "me", 30);
    await store.settlements.settle(
      "me",
      claimed.map(({ id }) => answered(id, { emitted: true, transferId: `t${id}` })),
    );
    const days = ids.map((_id, at) => at * DAY);
    await other.query(
      `INSERT INTO day_counts SELECT 'a1', starts, starts + ${DAY}, 't', '{}' FROM unnest($1::bigint[]) starts
        ON CONFLICT (account, starts, ends) DO UPDATE SET token = 't', counts = '{}'`,
      [days.map((at) => starts + at)],
    );
    await other.query("COMMIT");
    await other.query("BEGIN");
    const lock = (day: number): Promise<unknown> =>
      other.query("SELECT 1 FROM day_counts WHERE starts = $1 FOR UPDATE NOWAIT", [day]);
    await lock(starts);
    const noted = store.deliveries.note(
      "a1",
      ids.reverse().map((id) => newEvent({ transferId: `t${id}` })),
    );
    await waitFor("the one who waits for the first day", async () => {
      const { rows } = await other.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      return rows.length > 0;
    });
    for (const at of days.slice(1)) {
      await lock(starts + at);
    }
    await other.query("COMMIT");
    await noted;
    assert.equal(await kept(), 0);
  });
});
