import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { answerQuery, type LogRecord } from "../../../nodes/message-log/runtime/log-answer";
import type { LogReport } from "../../../lib/runtime/report/log-report";
import { toCsv } from "../../../lib/runtime/store/history/history-csv";
import { filterOf, readHistory, searchHistory } from "../../../lib/runtime/store/history/history-view";
import { csvRequest } from "../../support/csv/csv-request";
import { useFolder } from "../../unit/store/use-folder";
import { sentItems } from "../../support/store/sent-items";
import { waitFor } from "../../support/wait-for";
import { resultOf, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { type Config, inStore, requestCount, ROWS, startStored, storeOf, TO } from "./stored-flow";

const LIST = [
  { name: "Anna", mobile: "+41790000001" },
  { name: "Beat", mobile: "079 12a 45" },
  { name: "Carla", mobile: "" },
  { name: "Dora", mobile: "+41790000004, +41790000005" },
  { name: "", mobile: "+41790000006" },
  { name: "Fritz", mobile: "+41790000007" },
];
/** Rows go into the store as they can. */
function sorted(rows: readonly unknown[][]): readonly unknown[][] {
  return rows.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
}

/** What the history has of them: who was not sent to, with the place in the list where no number could be read. */
const REJECTED = sorted([
  ["+41790000006", null, null, "FIELD_UNRESOLVED"],
  ["+41790000004, +41790000005", "Dora", 4, "FIELD_INVALID"],
  ["", "Carla", 3, "FIELD_UNRESOLVED"],
  ["079 12a 45", "Beat", 2, "RECIPIENTS_INVALID"],
]);

const shownOf = ({ recipient, name, row, statusName }: LogRecord): unknown[] => [
  recipient,
  name,
  row,
  statusName,
];

describe("numbers that cannot be read, of an account that keeps messages", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const start = (sender: Config = ROWS, account: Config = {}): Promise<TestFlow> =>
    startStored(simulator, folder(), { account, sender });
  const sentTo = (): string[] => simulator.main.messages.flatMap(({ recipients }) => recipients).sort();

  async function ask(flow: TestFlow, query: object): Promise<readonly LogRecord[] | LogReport> {
    const place = await storeOf(flow);
    const asked = { outcome: undefined, node: undefined, from: undefined, to: undefined, ...query };
    return (await answerQuery(place, asked as never, "UTC")).value as never;
  }
  const rejected = async (flow: TestFlow, limit = 50): Promise<readonly LogRecord[]> =>
    (await ask(flow, { kind: "search", number: undefined, outcome: "rejected", limit })) as never;
  const settled = (count: number) =>
    waitFor("all in the store", async () => (await requestCount(folder(), "emitted")) === count);

  it("are rejected rows of the history, of its file, of the log and of its sums, with their place in the list", async () => {
    const flow = await start();
    flow.send({ payload: LIST });
    const messages = await flow.all.until(LIST.length);
    await settled(LIST.length);
    assert.deepEqual(sorted((await rejected(flow)).map(shownOf)), REJECTED);
    const place = await storeOf(flow);
    const page = await searchHistory(place, filterOf(place, { outcome: "rejected" }, ""), null);
    assert.deepEqual(
      sorted(sentItems(page).map((record) => shownOf(record))).map((each) => each.slice(0, 3)),
      REJECTED.map((each) => each.slice(0, 3)),
    );
    assert.deepEqual(page.tally?.count, 4);
    const all = await searchHistory(place, filterOf(place, {}, ""), null);
    assert.deepEqual([all.tally?.count, all.tally?.outcomes], [6, { sent: 2, rejected: 4 }]);
    let file = "";
    for await (const text of toCsv(readHistory(place, filterOf(place, {}, "")), csvRequest(), () => "")) {
      file += text;
    }
    assert.match(file, /,079 12a 45,Beat,2,SMS,/);
    const { messages: count, byOutcome } = (await ask(flow, {
      kind: "report",
      to: Date.now() + 1,
      step: "day",
    })) as LogReport;
    assert.deepEqual([count, byOutcome.sent, byOutcome.rejected], [6, 2, 4]);
    assert.deepEqual(sentTo(), ["41790000001", "41790000007"]);
    const recipients = (name: string): readonly string[] =>
      resultOf(messages.find(({ payload }) => (payload as Config).name === name)).recipients;
    assert.deepEqual(
      ["Beat", "Carla", "Dora"].map(recipients),
      [["079 12a 45"], [], ["+41790000004, +41790000005"]],
      "results say what the rows have",
    );
    const said = messages.map((msg) => resultOf(msg).statusMessage).join("\n");
    assert.match(said, /Beat \(row 2\), '079 12a 45': /);
    assert.match(said, /^Carla \(row 3\): .*nothing in the column 'mobile'/m);
  });

  it("of a plain list stand in the history each by itself, and in one result", async () => {
    const flow = await start({});
    flow.send({ to: [TO, "hello", "", null, "+41 79 x"], payload: "x" });
    const bad = (await flow.all.until(2)).find((msg) => resultOf(msg).outcome === "rejected");
    await settled(2);
    assert.deepEqual(resultOf(bad).recipients, ["hello", "null (entry 4)", "+41 79 x"]);
    assert.deepEqual(
      (await rejected(flow)).map(({ recipient, row }) => [recipient, row]),
      [
        ["hello", 2],
        ["null", 4],
        ["+41 79 x", 5],
      ],
    );
    assert.deepEqual(sentTo(), [TO]);
  });

  it("of a sensitive message are in the store without their text, which may be anything", async () => {
    const flow = await start({});
    flow.send({ to: ["code 483920", TO], payload: "x", sensitive: true });
    const messages: readonly NodeMessage[] = await flow.all.until(2);
    assert.deepEqual(resultOf(messages.find((msg) => resultOf(msg).outcome === "rejected")).recipients, [
      "code 483920",
    ]);
    await settled(2);
    assert.deepEqual(
      (await rejected(flow)).map(({ recipient, row }) => [recipient, row]),
      [["…", 1]],
    );
    assert.doesNotMatch(JSON.stringify(await inStore(folder(), "SELECT * FROM recipients")), /4839/);
  });

  it("of a sensitive list are in the store without the names of its rows", async () => {
    const flow = await start();
    flow.send({ payload: LIST, sensitive: true });
    for (const payload of LIST) flow.send({ payload, sensitive: true });
    await flow.all.until(2 * LIST.length);
    await settled(2 * LIST.length);
    assert.doesNotMatch(JSON.stringify(await inStore(folder(), "SELECT * FROM recipients")), /Beat|Anna/);
  });
});
