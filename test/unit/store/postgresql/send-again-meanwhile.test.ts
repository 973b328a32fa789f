import assert from "node:assert/strict";
import { allStatements } from "../../../../lib/store/schema/statement";
import { answered, newEvent, takeJob } from "../suite/store-under-test";
import { useMeanwhile } from "./use-meanwhile";

/** As PostgreSQL numbers its parameters. */
function textOf(name: string): string {
  const found = allStatements().find((each) => each.name === name) ?? assert.fail(name);
  return found.text("postgresql").replace(/\?(\d)/g, "$$$1");
}

describe("sending again in PostgreSQL, while others write", () => {
  const { fixture, client } = useMeanwhile();

  for (const step of ["again_add_jobs", "again_add_requests"]) {
    for (const what of ["a newer message", "a report that it arrived"]) {
      it(`leaves nothing behind where ${what} comes after ${step}`, async () => {
        const { me, keeping: store } = fixture;
        const [id = 0] = await takeJob(store, [{ recipients: ["1001"] }]);
        await store.claims.claim("a1", me, 1);
        await store.settlements.settle(me, [answered(id, { transferId: "t1", emitted: true })]);
        await store.deliveries.note("a1", [newEvent({ transferId: "t1", number: "1001", status: "failed" })]);
        const list = JSON.stringify([[id, 0]]);
        const made = [list, "a1", "k-"];
        const chosen = [...made, 1, 0];
        const run = async (name: string, values: readonly unknown[]): Promise<number | null> => {
          const { rowCount } = await client().query(textOf(name), [...values]);
          if (name === step) {
            assert.equal(rowCount, 1);
            await (what === "a newer message"
              ? takeJob(store, [{ recipients: ["1001"] }])
              : store.deliveries.note("a1", [
                  newEvent({ transferId: "t1", number: "1001", status: "delivered" }),
                ]));
          }
          return rowCount;
        };
        await client().query("BEGIN");
        await run("again_lock", [list, "a1"]);
        await run("again_add_jobs", [...chosen, me]);
        await run("again_add_snapshots", made);
        await run("again_add_requests", chosen);
        assert.equal(await run("again_add_recipients", chosen), 0);
        for (const name of ["again_drop_requests", "again_drop_snapshots", "again_drop_jobs"]) {
          await run(name, made);
        }
        await client().query("COMMIT");
        const left = await client().query(
          `SELECT (SELECT count(*) FROM jobs WHERE job_key LIKE 'k-%') AS jobs, (SELECT count(*) FROM requests r
              WHERE NOT EXISTS (SELECT 1 FROM recipients c WHERE c.request = r.id)) AS requests,
              (SELECT count(*) FROM snapshots s WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = s.job)) AS snapshots`,
        );
        assert.deepEqual(left.rows, [{ jobs: "0", requests: "0", snapshots: "0" }]);
      });
    }
  }
});
