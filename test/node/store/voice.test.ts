import assert from "node:assert/strict";
import { answerQuery, type LogRecord } from "../../../nodes/message-log/runtime/log-answer";
import type { LogReport } from "../../../lib/runtime/report/log-report";
import { viewConversation } from "../../../lib/runtime/store/history/conversation";
import { toCsv } from "../../../lib/runtime/store/history/history-csv";
import { filterOf, readHistory } from "../../../lib/runtime/store/history/history-view";
import { csvRequest } from "../../support/csv/csv-request";
import { useFolder } from "../../unit/store/use-folder";
import { useSimulator } from "../use-simulator";
import { startStored, storeOf, TO } from "./stored-flow";

describe("a call that speaks its text", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const VOICE = { messageType: "voice", messageTypeSource: "str" };

  it("is one in the log, its sums, the conversation and the file", async () => {
    const flow = await startStored(simulator, folder(), { account: { keepTexts: true }, sender: VOICE });
    flow.send({ to: TO, payload: "Your server is down." });
    await flow.all.until(1);
    const place = await storeOf(flow);
    const ask = async (query: object) => (await answerQuery(place, query as never, "UTC")).value;
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
    for await (const text of toCsv(readHistory(place, filterOf(place, {}, "")), csvRequest(), () => "")) {
      file += text;
    }
    assert.match(file, /,Voice,.*,SMS,/, "the node is called as in the palette");
  });
});
