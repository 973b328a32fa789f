import assert from "node:assert/strict";
import { activityOf } from "../../../lib/runtime/activity/activity-of";
import { answerQuery, type LogRecord } from "../../../lib/runtime/log/log-answer";
import type { LogReport } from "../../../lib/runtime/log/log-report";
import { viewConversation } from "../../../lib/runtime/store/history/conversation";
import { csvOf } from "../../../lib/runtime/store/history/history-csv";
import { filterOf, readHistory } from "../../../lib/runtime/store/history/history-view";
import { csvRequest } from "../../support/csv/csv-request";
import { useFolder } from "../../unit/store/use-folder";
import type { NodeAPI } from "node-red";
import { useSimulator } from "../use-simulator";
import { SENDER, startAt } from "../flow";
import { waitFor } from "../../support/wait-for";
import { control, deploy, ears, killed, startStored, storeOf, TO } from "./stored-flow";

describe("a call that speaks its text", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const VOICE = { messageType: "voice", messageTypeSource: "str" };
  let RED: NodeAPI;
  const register = [
    (api: NodeAPI): void => {
      RED = api;
    },
  ];
  const start = () =>
    startStored(simulator, folder(), { account: { keepTexts: true }, sender: VOICE, register });
  const lastChannel = () => activityOf(RED).watch().entries.at(-1)?.channel;

  it("is one in the activity, the log, its sums, the conversation and the file", async () => {
    const flow = await start();
    flow.send({ to: TO, payload: "Your server is down." });
    await flow.all.until(1);
    assert.equal(lastChannel(), "voice");
    const place = await storeOf(flow);
    const { store, account } = place;
    const ask = async (query: object) =>
      (await answerQuery(store, account, query as never, "UTC", Date.now() + 1)).value;
    const [record] = (await ask({ kind: "number", number: TO })) as readonly LogRecord[];
    assert.equal(record?.channel, "Voice");
    const lastHour = { from: Date.now() - 3_600_000, to: Date.now() + 1 };
    const { rows } = (await ask({ kind: "report", step: "hour", ...lastHour })) as LogReport;
    assert.deepEqual(
      rows.map(({ channel }) => channel),
      ["Voice"],
    );
    const { messages } = await viewConversation(place, TO, 10, "");
    assert.deepEqual(
      messages.map(({ channel }) => channel),
      ["voice"],
    );
    let file = "";
    for await (const text of csvOf(readHistory(place, filterOf(place, {}, "")), csvRequest(), () => "")) {
      file += text;
    }
    assert.match(file, /,Voice,.*,SMS,/, "the node is called as in the palette");
  });

  it("is one also where a field of it is wrong", async () => {
    const flow = await start();
    flow.send({ to: TO, payload: "" });
    await flow.all.until(1);
    assert.equal(lastChannel(), "voice");
  });

  it("is one whose result leaves after a deploy, in memory", async () => {
    const heard: unknown[] = [];
    const flow = await startAt(
      simulator,
      {},
      {
        sender: { ...VOICE, wires: [["ear"]] },
        register: [...register, ears(heard)],
        more: [{ id: "ear", z: "tab", type: "test-ear" }],
      },
    );
    simulator.main.addFault({ times: 1, answer: { statusCode: 2000, delayMs: 1_000 } });
    flow.send({ to: TO, payload: "x" });
    await waitFor("the call at the service", () => simulator.main.requests.length > 0);
    await deploy("nodes", SENDER);
    await waitFor("its result", () => heard.length > 0);
    assert.equal(lastChannel(), "voice");
  });

  it("is one after a restart, too", async () => {
    const first = await start();
    await control(first, "pause");
    first.send({ to: TO, payload: "x" });
    await first.stop();
    await killed(folder());
    const second = await start();
    await control(second, "resume");
    await second.all.until(1);
    assert.equal(lastChannel(), "voice");
  });
});
