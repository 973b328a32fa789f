import assert from "node:assert/strict";
import { Account } from "../../../lib/runtime/account/account";
import { cancelQueue, changeJob, decideStranded } from "../../../lib/runtime/store/history/queue-actions";
import { viewQueue } from "../../../lib/runtime/store/history/queue-view";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { resultOf, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { payloadOf, SLOW, startStored, storeOf, textsAt, TO } from "./stored-flow";

/** What the sidebar uses of the account of a flow. */
async function queueOf(flow: TestFlow) {
  const account = Account.of(flow.account);
  const store = await storeOf(flow);
  return {
    look: () => viewQueue(store, account.nodes.identities, 0),
    stop: () => account.stop.stop(store),
    goOn: () => account.stop.goOn(store),
    cancel: () => cancelQueue(store),
    change: (action: "pause" | "resume", job: number) =>
      changeJob(store, account.nodes.identities, action, job),
    send: async (job: number) => {
      await decideStranded(store, account.nodes.identities, "send", job);
      await account.sending.sendStored();
    },
  };
}

describe("what a person does with the queue of a running account", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const sentTexts = (): string[] => textsAt(simulator);

  /** A flow that has sent one of three messages. */
  async function sendThree(): Promise<TestFlow> {
    const flow = await startStored(simulator, folder(), { account: SLOW });
    for (const payload of ["x0", "x1", "x2"]) {
      flow.send({ to: TO, payload });
    }
    await flow.ports[0]!.until(1);
    return flow;
  }

  it("brings cancelled messages to the output for 'try again' at once, each with its own object", async () => {
    const flow = await sendThree();
    const queue = await queueOf(flow);
    const { requests } = await queue.cancel();
    assert.ok(requests > 0);
    const messages = await flow.ports[2]!.until(requests);
    for (const msg of messages) {
      const { outcome, statusName, source, restored, attempts } = resultOf(msg);
      assert.deepEqual(
        [outcome, statusName, source, restored, attempts],
        ["retry-later", "CANCELLED", "local", undefined, 0],
      );
    }
    await flow.all.until(3);
    await flow.completed.until(3);
    assert.equal(sentTexts().length, 3 - requests);
    assert.deepEqual((await queue.look()).waiting, 0);
  });

  it("holds one message, while others are sent", async () => {
    const flow = await startStored(simulator, folder(), { account: { connections: 1 } });
    const queue = await queueOf(flow);
    await queue.stop();
    flow.send({ to: TO, payload: "first" });
    flow.send({ to: TO, payload: "second" });
    const jobs = await waitFor("both in the store", async () => {
      const view = await queue.look();
      return view.jobs.length === 2 && view.jobs;
    });
    await queue.change("pause", jobs[0]!.id);
    await queue.goOn();
    assert.equal(payloadOf((await flow.ports[0]!.until(1))[0]!), "second");
    assert.deepEqual(sentTexts(), ["second"]);
    await queue.change("resume", jobs[0]!.id);
    assert.equal(payloadOf((await flow.ports[0]!.until(2))[1]!), "first");
  });

  for (const [title, sender] of [
    ["beside another node", { id: "other" }],
    ["in an account without any send node", { id: "other", type: "helper" }],
  ] as const) {
    it(`sends a message without its node, ${title}, and nothing else`, async () => {
      await (await sendThree()).stop();
      const flow = await startStored(simulator, folder(), { sender });
      const queue = await queueOf(flow);
      const [job, ...others] = await waitFor("jobs without a node", async () => {
        const { strandedJobs } = await queue.look();
        return strandedJobs.length > 0 && strandedJobs;
      });
      const before = sentTexts().length;
      await queue.send(job!.id);
      await waitFor("the message to be sent", () => sentTexts().length === before + 1);
      const after = await waitFor("its result to be written", async () => {
        const view = await queue.look();
        return !view.jobs.some(({ id }) => id === job!.id) && view;
      });
      assert.deepEqual(
        after.strandedJobs.map(({ id }) => id),
        others.map(({ id }) => id),
      );
      assert.equal(sentTexts().length, before + 1);
      assert.deepEqual(flow.all.messages, []);
    });
  }
});
