import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { Account } from "../../../lib/runtime/account/account";
import { filterOf } from "../../../lib/runtime/store/history/history-view";
import { cancelQueue } from "../../../lib/runtime/store/history/queue-actions";
import { type AgainAccount, planAgain, sendAgain } from "../../../lib/runtime/store/history/send-again";
import type { AgainPlan, HistoryQuery } from "../../../lib/shared/history/history";
import { useFolder } from "../../unit/store/use-folder";
import { waitFor } from "../../support/wait-for";
import { resultOf, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { type Config, control, requestCount, ROWS, startStored, storeOf, textsAt } from "./stored-flow";

const LIST = [
  { name: "Anna", mobile: "+41790000001" },
  { name: "Beat", mobile: "079 12a 45" },
  { name: "Carla", mobile: "+41790000003" },
];
const REFUSED = { statusCode: 4013 };

describe("those who failed, sent to again", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const start = (sender: Config, account: Config = {}): Promise<TestFlow> =>
    startStored(simulator, folder(), {
      account: { keepTexts: true, connections: 1, ...account },
      sender,
    });
  const accountOf = (flow: TestFlow): AgainAccount => {
    const { nodes, destination } = Account.of(flow.account);
    return { nodes: nodes.identities, destination };
  };

  async function plan(flow: TestFlow, query: HistoryQuery = {}): Promise<AgainPlan> {
    const place = await storeOf(flow);
    return planAgain(place, filterOf(place, query, ""), accountOf(flow));
  }
  async function again(flow: TestFlow, most: number, query: HistoryQuery = {}): Promise<number> {
    const place = await storeOf(flow);
    const { people } = await sendAgain(place, filterOf(place, query, ""), accountOf(flow), most);
    await Account.of(flow.account).sending.sendStored();
    return people;
  }
  const done = (count: number) =>
    waitFor("all in the store", async () => (await requestCount(folder(), "emitted")) === count);

  it("gets one message more, whose result leaves the node with its row, and no second one", async () => {
    const flow = await start(ROWS);
    simulator.main.addFault({ times: 1, answer: REFUSED });
    flow.send({ payload: LIST, topic: "kept" });
    await flow.all.until(3);
    await done(3);
    const planned = await plan(flow);
    assert.deepEqual(
      [planned.people, planned.segments, planned.more, planned.keepsTexts],
      [1, 1, null, true],
    );
    assert.deepEqual({ ...planned.leftOut, unreadable: 1 }, planned.leftOut);
    assert.equal(await again(flow, planned.people), 1);
    const [, , , msg] = (await flow.all.until(4)) as readonly (NodeMessage & Config)[];
    assert.deepEqual([msg?.payload, msg?.topic, msg?.parts], [LIST[0], "kept", undefined]);
    assert.equal(planned.mayRetry, 1);
    assert.deepEqual([resultOf(msg!).outcome, resultOf(msg!).restored], ["sent", true]);
    assert.deepEqual(textsAt(simulator), ["Dear Anna", "Dear Carla"]);
    await done(4);
    assert.equal((await plan(flow)).people, 0);
    assert.equal(await again(flow, 10), 0);
    assert.equal(simulator.main.requestCount, 3);
  });

  it("leaves with its own people, so that a flow that tries again reaches nobody twice", async () => {
    const flow = await start({});
    const to = Array.from({ length: 1_500 }, (_unused, at) => `+4179${1_000_000 + at}`);
    simulator.main.addFault({ times: 1, answer: REFUSED });
    flow.send({ to, payload: "x", topic: "kept" });
    await flow.all.until(2);
    await done(2);
    assert.equal((await plan(flow)).people, 1_000);
    simulator.main.addFault({ times: 1, answer: REFUSED });
    assert.equal(await again(flow, 700), 700);
    const messages = (await flow.all.until(4)).slice(2) as readonly (NodeMessage & Config)[];
    const lists = messages.map((msg) => msg.to as readonly string[]);
    assert.deepEqual(lists.map(({ length }) => length).toSorted(), [200, 500]);
    for (const msg of messages) {
      assert.deepEqual(
        [resultOf(msg).recipients.length, msg.topic, msg.parts],
        [(msg.to as unknown[]).length, "kept", undefined],
      );
    }
    const failed = messages.find((msg) => resultOf(msg).outcome === "retry-later") ?? assert.fail();
    flow.send({ ...failed });
    await flow.all.until(5);
    const reached = simulator.main.messages.flatMap(({ recipients }) => recipients);
    assert.deepEqual([reached.length, new Set(reached).size], [1_200, 1_200]);
  });

  it("leaves out what somebody has cancelled", async () => {
    const flow = await start({});
    await control(flow, "pause");
    flow.send({ to: "+41790000001", payload: "x" });
    await waitFor("the message in the store", async () => (await requestCount(folder(), "queued")) === 1);
    await cancelQueue(await storeOf(flow));
    await flow.all.until(1);
    await done(1);
    const { people, leftOut } = await plan(flow);
    assert.deepEqual([people, leftOut.cancelled, leftOut.text], [0, 1, 0]);
  });

  it("takes a text that is kept, and a once key that is free again", async () => {
    const flow = await start({ ...ROWS, onceKey: "k {{name}}", onceKeySource: "str" }, { keepTexts: false });
    simulator.main.addFault({ times: 1, answer: REFUSED });
    flow.send({ payload: LIST.slice(0, 1) });
    await flow.all.until(1);
    await done(1);
    const { people, leftOut, keepsTexts } = await plan(flow);
    assert.deepEqual([people, leftOut.text, keepsTexts], [0, 1, false]);
    await flow.stop();
    const keeping = await start({ ...ROWS, onceKey: "k {{name}}", onceKeySource: "str" });
    simulator.main.addFault({ times: 1, answer: REFUSED });
    keeping.send({ payload: LIST.slice(2) });
    await keeping.all.until(1);
    await done(2);
    assert.equal(await again(keeping, 5), 1);
    const [, msg] = await keeping.all.until(2);
    assert.equal(resultOf(msg!).outcome, "sent");
  });
});
