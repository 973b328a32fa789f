import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Digests } from "../../../../nodes/message-digest/store/digests";
import { useMeanwhile } from "../../../unit/store/postgresql/use-meanwhile";
import { kill } from "../../../unit/store/suite/store-under-test";
import { newItem, NODE } from "../digest-store-contract";

describe("Digests in PostgreSQL while others write", () => {
  const { fixture, client, adoptedWhile } = useMeanwhile();

  it("leaves a digest alone that another process adopts at the same moment", async () => {
    const { me, store, engine } = fixture;
    const digests = store.of(Digests, "a1");
    const other = store.instances(randomUUID());
    await other.start();
    const dead = store.instances(randomUUID());
    await dead.start();
    await digests.add(NODE, newItem());
    await digests.claimEmissions(NODE, dead.id, 10);
    await kill(engine, dead.id);
    const departing = await adoptedWhile(
      () => digests.claimEmissions(NODE, me, 10),
      () => client().query("UPDATE digests SET owner = $1, emission = 'adopted'", [other.id]),
    );
    assert.deepEqual(departing, []);
    const { rows } = await client().query("SELECT emission FROM digests");
    assert.deepEqual(rows, [{ emission: "adopted" }]);
  });
});
