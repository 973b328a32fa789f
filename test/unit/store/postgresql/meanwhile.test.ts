import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { allStatements } from "../../../../lib/store/schema/statement";
import { answered, kill, newEvent, takeJob } from "../suite/store-under-test";
import { useMeanwhile } from "./use-meanwhile";

const NUMBER = "41790000001";

/** As PostgreSQL numbers its parameters. */
function textOf(name: string): string {
  const found = allStatements().find((each) => each.name === name) ?? assert.fail(name);
  return found.text("postgresql").replace(/\?(\d)/g, "$$$1");
}

describe("a store in PostgreSQL while others write", () => {
  const { fixture, client, adoptedWhile } = useMeanwhile();

  it("leaves a wait alone that another process adopts at the same moment", async () => {
    const { me, store, engine, clock } = fixture;
    const other = store.instances(randomUUID());
    await other.start();
    const dead = store.instances(randomUUID());
    await dead.start();
    await takeJob(store, [{ recipients: [NUMBER], clientMessageId: "c1" }]);
    const [claimed] = await store.claims.claim("a1", me, 1);
    await store.settlements.settle(me, [answered(Number(claimed?.id), { transferId: "t1" })]);
    await store.waits.start({
      key: "w-1",
      account: "a1",
      scope: "a1",
      node: "n2",
      resultOwner: dead.id,
      kind: "delivered",
      channel: "any",
      transferId: "t1",
      clientMessageId: "c1",
      recipients: [NUMBER],
      until: clock.time + 60_000,
      group: null,
      repeated: false,
      snapshot: "{}",
    });
    await kill(engine, dead.id);
    const adopted = await adoptedWhile(
      () => store.waits.adopt(me, "a1", ["n2"]),
      () => client().query("UPDATE waits SET result_owner = $1", [other.id]),
    );
    assert.equal(adopted, 0);
    const { rows } = await client().query("SELECT result_owner FROM waits");
    assert.deepEqual(rows, [{ result_owner: other.id }]);
  });

  for (const what of ["a newer message", "a report that it arrived"]) {
    it(`sends nothing again when ${what} comes meanwhile`, async () => {
      const { me, keeping: store } = fixture;
      const [id = 0] = await takeJob(store, [{ recipients: ["1001"] }]);
      await store.claims.claim("a1", me, 1);
      await store.settlements.settle(me, [answered(id, { transferId: "t1", emitted: true })]);
      await store.deliveries.note("a1", [newEvent({ transferId: "t1", number: "1001", status: "failed" })]);
      const newId = await store.ids.one();
      const chosen = JSON.stringify([[id, 0, newId]]);
      const repeated = JSON.stringify([[id, newId]]);
      const run = async (name: string, ...values: readonly unknown[]): Promise<number | null> =>
        (await client().query(textOf(name), [...values])).rowCount;
      await client().query("BEGIN");
      await run("again_lock", chosen, "a1");
      await (what === "a newer message"
        ? takeJob(store, [{ recipients: ["1001"] }])
        : store.deliveries.note("a2", [newEvent({ transferId: "t1", number: "1001", status: "delivered" })]));
      const added = await run("again_add_recipients", chosen, "a1", 1, "");
      assert.equal(added, what === "a newer message" ? 0 : 1);
      assert.equal(await run("again_add_messages", repeated, 1, ""), added);
      await client().query("COMMIT");
    });
  }
});
