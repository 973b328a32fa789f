import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { answered, kill, takeJob } from "../suite/store-under-test";
import { useMeanwhile } from "./use-meanwhile";

const NUMBER = "41790000001";

describe("waits in PostgreSQL, while others write", () => {
  const { fixture, client, adoptedWhile } = useMeanwhile();

  it("what another living process adopts at the same moment is not adopted again", async () => {
    const { me, store, engine, clock } = fixture;
    const other = store.instances(randomUUID());
    await other.start();
    const dead = store.instances(randomUUID());
    await dead.start();
    await takeJob(store, [{ recipients: [NUMBER], clientMessageId: "c1" }]);
    const [claimed] = await store.claims.claim("a1", me, 1);
    await store.settlements.settle(me, [answered(Number(claimed?.id), { transferId: "t1" })]);
    await store.waits.begin({
      key: "w-1",
      account: "a1",
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
});
