import assert from "node:assert/strict";
import { Account } from "../../../lib/runtime/account/account";
import { changeJob } from "../../../lib/runtime/store/history/queue-actions";
import { viewQueue } from "../../../lib/runtime/store/history/queue-view";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { type Config, type TestFlow, untilBadge } from "../flow";
import { useSimulator } from "../use-simulator";
import { payloadOf, requestCount, startStored, textsAt, TO } from "./stored-flow";

describe("an account that sends elsewhere than before", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  let flow: TestFlow;
  const start = async (account: Config): Promise<void> => {
    flow = await startStored(simulator, folder(), { account });
  };

  /** Lets a message wait in an account, and stops the flows. */
  async function leaveWaiting(account: Config): Promise<void> {
    await start({ ...account, stopSending: true });
    flow.send({ to: TO, payload: "before" });
    await waitFor("the message in the queue", async () => (await requestCount(folder(), "queued")) === 1);
    await flow.stop();
  }

  /** Lets a message wait in an account, starts the flows with another one, and sends a message there. */
  async function changeWhileWaiting(before: Config, after: Config): Promise<void> {
    await leaveWaiting(before);
    await start(after);
    flow.send({ to: TO, payload: "after" });
    await flow.all.until(1);
    assert.deepEqual(flow.all.messages.map(payloadOf), ["after"]);
  }
  async function look() {
    const account = Account.of(flow.account);
    const store = await account.store();
    const { jobs } = await viewQueue(store, account.nodes.identities, 0);
    return { account, store, jobs };
  }

  for (const [before, after, live] of [
    ["simulator", "service", "after"],
    ["service", "simulator", "before"],
  ] as const) {
    describe(`from ${before} to ${after}`, () => {
      it("sends no waiting message elsewhere, and sends it after it is set back", async () => {
        await changeWhileWaiting({ service: before }, { service: after });
        await untilBadge(flow, /elsewhere: 1/);
        const { account, store, jobs } = await look();
        assert.equal(jobs[0]?.elsewhere, before);
        const action = [account.nodes.identities, "use-address", jobs[0]!.id] as const;
        assert.deepEqual(await changeJob(store, ...action), { requests: 0 });
        const warnings = flow.log("warn").filter((line) => line.includes("another destination"));
        assert.equal(warnings.length, 1);
        await flow.stop();
        await start({ service: before });
        await flow.all.until(1);
        assert.deepEqual(textsAt(simulator), [live]);
      });
    });
  }

  it("warns of a limit again after the account goes live", async () => {
    const limits = { limitDay: "1", limitAction: "refuse" };
    for (const service of ["simulator", "service"]) {
      await start({ ...limits, service });
      flow.send({ to: TO, payload: service });
      await flow.all.until(1);
      const warnings = flow.log("warn").filter((line) => line.includes("limit of 1 messages a day"));
      assert.equal(warnings.length, 1, service);
      await flow.stop();
    }
  });

  it("keeps the address of a waiting message when the new one is not valid", async () => {
    await leaveWaiting({});
    await start({ serviceAddress: "no address" });
    const { account, store, jobs } = await look();
    const action = [account.nodes.identities, "use-address", jobs[0]!.id] as const;
    assert.deepEqual(await changeJob(store, ...action), { requests: 0 });
  });

  it("sends a waiting message to a new address when a person says so", async () => {
    const serviceAddress = simulator.url.replace("127.0.0.1", "localhost");
    assert.notEqual(serviceAddress, simulator.url);
    await changeWhileWaiting({}, { serviceAddress });
    const { account, store, jobs } = await look();
    assert.deepEqual([jobs[0]?.elsewhere, jobs[0]?.formerAddress], ["address", simulator.url]);
    assert.deepEqual(textsAt(simulator), ["after"]);
    const action = [account.nodes.identities, "use-address", jobs[0]!.id] as const;
    assert.deepEqual(await changeJob(store, ...action), { requests: 1 });
    await flow.all.until(2);
    assert.deepEqual(textsAt(simulator), ["after", "before"]);
  });
});
