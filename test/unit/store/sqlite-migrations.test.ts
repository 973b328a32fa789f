import assert from "node:assert/strict";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { Engine, Row } from "../../../lib/store/engine/engine";
import type { ClaimGuard } from "../../../lib/store/guards/guard-calls";
import { SQLITE } from "../../../lib/store/schema/dialect";
import { MIGRATIONS, SCHEMA_VERSION } from "../../../lib/store/schema/migrations";
import { statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { useFolder } from "./use-folder";

const ANNA = "41790000001";

let made = 0;
const run = async (engine: Engine, text: string): Promise<readonly Row[]> => {
  const [rows = []] = await engine.run([
    { statement: statement(`test_migrations_${++made}`, () => text), values: [] },
  ]);
  return rows;
};

describe("a file of the version before there were guards", () => {
  const folder = useFolder();

  /** The third step of the schema and those after it are taken back, and rows are written that know nothing of it. */
  const makeOld = async (): Promise<void> => {
    const { engine, release } = await shareSqlite(folder());
    const columns = (MIGRATIONS[2]?.statements(SQLITE) ?? []).flatMap((text) => {
      const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(text) ?? [];
      return table === undefined ? [] : [`ALTER TABLE ${table} DROP COLUMN ${column}`];
    });
    const later = MIGRATIONS.slice(3).flatMap(({ statements }) => statements(SQLITE));
    const laterIndexes = later.flatMap((text) => /^CREATE INDEX (\w+)/.exec(text)?.[1] ?? []);
    const laterTables = later.flatMap((text) => /^CREATE TABLE (\w+)/.exec(text)?.[1] ?? []);
    for (const text of [
      ...laterIndexes.map((index) => `DROP INDEX ${index}`),
      ...laterTables.map((table) => `DROP TABLE ${table}`),
      "DROP TABLE once_keys",
      "DROP TABLE opt_outs",
      "DROP TABLE spent",
      "CREATE INDEX requests_by_failure ON requests (outcome, id) WHERE outcome <> 'sent' AND outcome <> 'queued'",
      "DROP INDEX requests_by_once_key",
      "DROP INDEX requests_leaving",
      "CREATE INDEX requests_leaving ON requests (owner, id) WHERE state = 'leaving'",
      ...columns,
      "DELETE FROM schema_versions WHERE version > 2",
      `INSERT INTO jobs (id, job_key, account, node, taker, channel, taken_at, sealed, snapshot)
        VALUES (1, 'old', 'a1', 'n1', 'i1', 'sms', 1, 1, NULL)`,
      `INSERT INTO requests (id, job, part, account, operation, state, priority, due, since, attempts, content, outcome)
        VALUES (1, 1, 0, 'a1', 'sms', 'queued', 0, NULL, 1, 0, '{}', NULL),
          (2, 1, 1, 'a1', 'sms', 'queued', 0, 99999999999999, 1, 1, '{}', NULL),
          (3, 1, 2, 'a1', 'sms', 'settled', 0, NULL, 1, 1, NULL, 'sent')`,
      `INSERT INTO recipients (request, place, number, delivery_rank)
        VALUES (1, 0, '${ANNA}', 0), (2, 0, '${ANNA}', 0), (3, 0, '${ANNA}', 0)`,
    ]) {
      await run(engine, text);
    }
    assert.ok(columns.length > 10);
    await release();
  };

  it("keeps what waits, and its messages keep to opt-outs, limits and hours from then on", async () => {
    await makeOld();
    const { engine, release } = await shareSqlite(folder());
    const store = new Store(engine, { keepTexts: false });
    await store.instances("me").start();
    assert.deepEqual(await run(engine, "SELECT max(version) AS version FROM schema_versions"), [
      { version: SCHEMA_VERSION },
    ]);
    // A pause before another try, which the clock has made too long.
    assert.equal(await store.requests.limitDelays("a1", 0), 1);
    await store.optOuts("a1").add([ANNA], "advertisement", "import");
    const limits = { hour: 1, day: null, numberHour: null, numberDay: null, hourStarts: 0, dayStarts: 0 };
    const guard: ClaimGuard = { limits, onSpent: () => {} };
    const claimed = await store.requests.claim("a1", "me", 10, "", guard);
    assert.deepEqual(
      claimed.map(({ id, rules, held }) => [id, rules, held.map(({ reason }) => reason)]),
      [1, 2].map((id) => [
        id,
        { uselessAfter: null, category: "", zone: "", cost: 1, once: false },
        id === 1 ? [] : ["limit"],
      ]),
    );
    const settled = await store.recovery.settled("a1", "i1", ["n1"], 0, 10);
    assert.deepEqual(
      settled.map(({ id, outcome, numbers }) => [id, outcome, numbers]),
      [[3, "sent", [ANNA]]],
    );
    await release();
  });
});
