import assert from "node:assert/strict";
import { hostname } from "node:os";
import { Account } from "../../../lib/runtime/account/account";
import type { QueueInstances } from "../../../lib/shared/history/history";
import { usePostgresql } from "../../support/store/use-postgresql";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { ask } from "../dialog-tests/ask";
import { ACCOUNT, accountAt, type TestFlow, startFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { startStored, TO } from "./stored-flow";

/** What the editor is told of the Node-REDs that share the store. */
async function look(): Promise<QueueInstances> {
  const { status, body } = await ask("queue/instances", {});
  assert.equal(status, 200);
  return body as QueueInstances;
}

describe("the route that lists the Node-REDs of a store", () => {
  const simulator = useSimulator();
  const folder = useFolder();

  it("lists none for a file", async () => {
    await startStored(simulator, folder());
    assert.deepEqual(await look(), { instances: null, complete: true });
    assert.deepEqual((await ask("queue/instances", { account: "x" })).status, 400);
  });

  describe("in PostgreSQL", () => {
    const server = usePostgresql();

    async function startShared(): Promise<TestFlow> {
      const { account, credentials } = accountAt(simulator);
      return startFlow({
        account: { ...account, keepMessages: "postgresql", storeSchema: "messaging" },
        credentials: { ...credentials, storeUrl: server().url },
      });
    }

    it("has this one with what it took, and others by the clock of the database", async () => {
      const flow = await startShared();
      const store = await Account.of(flow.account).store();
      await store?.store.queue.pause(ACCOUNT);
      await server().query(
        `INSERT INTO messaging.instances (id, host, process, started_at, heartbeat_at)
          SELECT 'other', 'elsewhere', 9, now - 60000, now - 20000
          FROM (SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now) AS clock`,
        server().url,
      );
      flow.send({ to: TO, payload: "hello" });
      const [other, mine] = await waitFor("the message to be taken", async () => {
        const { instances } = await look();
        return instances?.some(({ taken }) => taken === 1) && instances;
      });
      assert.deepEqual(
        [mine, other].map((each) => [
          each?.host,
          each?.process,
          each?.mine,
          each?.state,
          each?.sending,
          each?.taken,
        ]),
        [
          [hostname(), process.pid, true, "alive", 0, 1],
          ["elsewhere", 9, false, "silent", 0, 0],
        ],
      );
      await flow.stop();
      await startShared();
      const after = await waitFor("this process to go on with its message", async () => {
        const { instances } = await look();
        return instances?.some(({ mine: isMine, taken }) => isMine && taken === 1) && instances;
      });
      assert.deepEqual(
        after.filter(({ host }) => host === hostname()).map(({ mine: isMine, state }) => [isMine, state]),
        [[true, "alive"]],
        "its former life is listed",
      );
    });
  });
});
