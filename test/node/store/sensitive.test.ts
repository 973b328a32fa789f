import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import { Account } from "../../../lib/runtime/account/account";
import { answerQuery } from "../../../nodes/message-log/runtime/log-answer";
import { toCsv } from "../../../lib/runtime/store/history/history-csv";
import {
  filterOf,
  readLife,
  readHistory,
  searchHistory,
} from "../../../lib/runtime/store/history/history-view";
import { jobJson } from "../../../lib/runtime/store/history/job-json";
import { planAgain } from "../../../lib/runtime/store/history/send-again";
import { viewQueue } from "../../../lib/runtime/store/history/queue-view";
import { csvRequest } from "../../support/csv/csv-request";
import { answer, FaultServer } from "../../support/http/fault-server";
import { sentItems } from "../../support/store/sent-items";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { ACCOUNT, accountAt, type Config, type FlowOptions, resultOf, SENDER, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import {
  allInStore,
  deployWith,
  ears,
  inStore,
  killed,
  payloadOf,
  requestCount,
  startStored,
  storeOf,
  textsAt,
  TO,
} from "./stored-flow";

const SECRET = "Your code is 4711-0815";
/** What any form of the text has, escaped or not. */
const TRACE = "4711-0815";
const PLAIN = "an open text";
const OTHER = "41790000002";
const THIRD = "41790000003";

const summary = (messages: readonly NodeMessage[]): string[] =>
  messages.map((msg) => `${resultOf(msg).statusName} ${resultOf(msg).recipients.length}`).sort();

/** A service that refuses messages, and quotes the text. */
function quotingServer(): Promise<FaultServer> {
  const said = `statusCode=4999&statusMessage=${encodeURIComponent(`Not allowed: ${SECRET}`)}`;
  return FaultServer.start({
    onRequest: (_request, socket) => void socket.end(answer(200, said, { connection: "close" })),
  });
}

describe("a sensitive message in a store", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const sent = (): string[] => textsAt(simulator);

  const start = (
    account: Config = {},
    credentials: Config = {},
    sender: Config = {},
    more: Partial<FlowOptions> = {},
  ): Promise<TestFlow> =>
    startStored(simulator, folder(), {
      account,
      credentials: { ...accountAt(simulator).credentials, ...credentials },
      sender,
      ...more,
    });
  const waiting = (flow: TestFlow, count: number): Promise<unknown> =>
    waitFor(`${count} requests to wait`, async () => {
      const { store, account } = await storeOf(flow);
      const counts = await store.backlog.counts(account);
      return counts.ready + counts.waiting === count && counts.sending === 0;
    });
  const pause = async (flow: TestFlow): Promise<void> => {
    await Account.of(flow.account).stop.stop(await storeOf(flow));
  };
  const resume = async (flow: TestFlow): Promise<void> => {
    await Account.of(flow.account).stop.goOn(await storeOf(flow));
  };
  const startPaused = async (...given: Parameters<typeof start>): Promise<TestFlow> => {
    const flow = await start(...given);
    await pause(flow);
    return flow;
  };
  const send = (flow: TestFlow, more: Readonly<Record<string, unknown>> = {}): void =>
    flow.send({ to: TO, payload: SECRET, sensitive: true, note: { of: [SECRET] }, ...more });

  /** Every value of every table. */
  async function everything(): Promise<string> {
    const tables = await inStore(folder(), "SELECT name FROM sqlite_master WHERE type = 'table'");
    assert.ok(tables.length > 10);
    // In one go: each time that nobody else has it open, a thread starts.
    return JSON.stringify(
      await allInStore(
        folder(),
        tables.map(({ name }) => `SELECT * FROM ${name}`),
      ),
    );
  }

  it("writes no sensitive text to the disk while the message waits", async () => {
    const flow = await startPaused();
    send(flow);
    flow.send({ to: OTHER, payload: PLAIN, sensitive: "true" });
    await waiting(flow, 2);
    const kept = await everything();
    assert.ok(kept.includes(PLAIN), "only true makes a message sensitive");
    assert.ok(!kept.includes(TRACE));
    for (const file of readdirSync(folder())) {
      assert.equal(readFileSync(join(folder(), file)).includes(TRACE), false, file);
    }
    await resume(flow);
    const messages = await flow.ports[0]!.until(2);
    assert.deepEqual(sent(), [SECRET, PLAIN].sort());
    const back = messages.find((msg) => resultOf(msg).recipients[0] === TO) as NodeMessage & Config;
    assert.deepEqual([back.payload, back.note, back.sensitive], [SECRET, { of: [SECRET] }, true]);
  });

  it("sends its text after a deploy that closes the store", async () => {
    const flow = await startPaused();
    send(flow);
    await waiting(flow, 1);
    await flow.stop();
    const next = await start();
    await resume(next);
    const [back] = await next.ports[0]!.until(1);
    assert.deepEqual([payloadOf(back), resultOf(back).restored], [SECRET, undefined]);
    assert.deepEqual(sent(), [SECRET]);
  });

  it("sends its text after its node was disabled for a while", async () => {
    const other = { id: "other", z: "tab", type: "messaging-sms-send", account: ACCOUNT, wires: [] };
    const flow = await start({}, {}, {}, { register: [ears()], more: [other] });
    await pause(flow);
    flow.node("other").receive({ to: TO, payload: SECRET, sensitive: true } as NodeMessage);
    await waiting(flow, 1);
    await deployWith("full", { other: { d: true } });
    const orphaned = async (): Promise<boolean> => (await requestCount(folder(), "orphaned")) === 1;
    await waitFor("the message without a node", orphaned);
    await deployWith("full", { other: { d: false } });
    await waitFor("the new node", () => flow.node("other") !== null);
    const account = Account.of(flow.node(ACCOUNT));
    await account.stop.goOn((await account.store()) ?? assert.fail());
    await waitFor("the end", async () => (await requestCount(folder(), "emitted")) === 1);
    assert.deepEqual(sent(), [SECRET]);
  });

  it("ends as retry-later, and is not sent again, when its process ended before it was sent", async () => {
    const flow = await startPaused({ keepTexts: true });
    send(flow);
    await waiting(flow, 1);
    await flow.stop();
    await killed(folder());
    const next = await start({ keepTexts: true });
    const [back] = await next.ports[2]!.until(1);
    const { outcome, statusName, restored, attempts } = resultOf(back);
    assert.deepEqual([outcome, statusName, restored, attempts], ["retry-later", "TEXT_NOT_STORED", true, 0]);
    assert.deepEqual([payloadOf(back), (back as Config).sensitive], [undefined, true]);
    assert.match(next.log("warn").join(), /text of a sensitive message was not stored/);
    await waitFor("the mark", async () => (await requestCount(folder(), "emitted")) === 1);
    const place = await storeOf(next);
    const { nodes, destination } = Account.of(next.account);
    const page = await searchHistory(place, { account: place.account }, null);
    assert.deepEqual(
      sentItems(page).map((entry) => [entry.statusName, entry.attempts]),
      [["TEXT_NOT_STORED", 0]],
    );
    const plan = await planAgain(place, filterOf(place, {}, ""), { nodes: nodes.identities, destination });
    assert.deepEqual([plan.people, plan.leftOut.text], [0, 1]);
    assert.deepEqual(sent(), []);
  });

  it("is dropped when it is done, also where texts are kept", async () => {
    const flow = await startPaused({ keepTexts: true });
    flow.send({ to: OTHER, payload: PLAIN });
    send(flow);
    send(flow, { to: [TO, OTHER, "12"] });
    await waiting(flow, 4);
    await resume(flow);
    await flow.all.until(4);
    await flow.stop();
    const rows = await inStore(
      folder(),
      "SELECT o.state, t.content FROM messages m LEFT JOIN outbox o ON o.id = m.id LEFT JOIN texts t ON t.id = m.id ORDER BY m.id",
    );
    assert.ok(rows.every(({ state }) => state === null));
    assert.deepEqual(
      rows.map(({ content }) => content !== null),
      [true, false, false, false],
    );
    const all = await everything();
    assert.ok(all.includes(PLAIN));
    assert.ok(!all.includes(TRACE));
  });

  it("is in no view of the history, the queue or the log, in no file of them, before and after", async () => {
    const flow = await startPaused({ keepTexts: true });
    send(flow, { to: [TO, OTHER] });
    flow.send({ to: THIRD, payload: PLAIN });
    await waiting(flow, 2);
    const shown = async (): Promise<string> => {
      const place = await storeOf(flow);
      const { store, account } = place;
      const entries = sentItems(await searchHistory(place, { account }, null));
      const texts: unknown[] = [entries, await viewQueue(place, [SENDER], 0)];
      for (const { request, place: at } of entries) {
        texts.push(await readLife(place, request, at));
      }
      for await (const line of toCsv(readHistory(place, { account }), csvRequest(), () => "")) {
        texts.push(line);
      }
      for (const number of [TO, OTHER, THIRD]) {
        const query = { kind: "number", number, until: undefined } as const;
        texts.push(await answerQuery(place, query, "UTC"));
      }
      for (const { id } of await store.recovery.openJobs(account, {}, 0, 10)) {
        for await (const chunk of await jobJson(place, id)) {
          texts.push(chunk);
        }
      }
      return JSON.stringify(texts);
    };
    const before = await shown();
    assert.ok(before.includes(PLAIN), "a job that is not sensitive is handed out with its text");
    assert.match(before, /\\"message\\":null,\\"sensitive\\":true/);
    assert.match(before, /\\"fields\\":null/);
    await resume(flow);
    await flow.all.until(2);
    // Their marks are written a moment after they have left.
    const { store, account } = await storeOf(flow);
    await waitFor("nothing on its way", async () => {
      const { sending, settled } = await store.backlog.counts(account);
      return sending + settled === 0;
    });
    for (const text of [before, await shown()]) {
      assert.ok(!text.includes(TRACE));
      assert.ok(text.includes(TO) && text.includes(OTHER));
    }
  });

  it("leaves nothing in the store of what the service said about it, and all of it in the result", async () => {
    const server = await quotingServer();
    try {
      const flow = await start({ serviceAddress: server.url });
      send(flow);
      flow.send({ to: OTHER, payload: PLAIN });
      const messages = await flow.all.until(2);
      for (const msg of messages) {
        assert.ok(resultOf(msg).statusMessage.includes(SECRET));
      }
      await flow.stop();
      const answers = (await inStore(folder(), "SELECT response FROM messages ORDER BY id")).map((row) =>
        String(row.response).includes(TRACE),
      );
      assert.deepEqual(answers, [false, true]);
    } finally {
      await server.close();
    }
  });

  it("quotes a sensitive text in no error, whoever refuses the message", async () => {
    const server = await quotingServer();
    const limited = { maxSmsPerMessage: "most", maxSmsPerMessageSource: "msg" };
    try {
      const flow = await start({ serviceAddress: server.url }, {}, { wires: [], ...limited });
      send(flow, { most: 3 });
      send(flow, { most: 3, to: [OTHER, "12"] });
      send(flow, { most: SECRET });
      const caught = await flow.caught.until(4);
      const errors = caught.map((msg) => (msg as { error?: { message: string } }).error?.message ?? "");
      assert.ok(
        errors.some((each) => /stands only in the result.* 4999/.test(each)),
        errors.join("\n"),
      );
      const lines = [...errors, ...flow.log("error"), ...flow.log("warn")].join("\n");
      assert.ok(!lines.includes(TRACE), lines);
    } finally {
      await server.close();
    }
  });

  it("has no once key from which its text could be guessed, and is still sent once", async () => {
    const once = { onceKey: "key", onceKeySource: "msg", onceWithin: "24h" };
    const flow = await start({}, {}, once);
    send(flow, { key: "login" });
    await flow.all.until(1);
    send(flow, { key: "login", payload: "another code" });
    const messages = await flow.all.until(2);
    assert.deepEqual(summary(messages), ["ALREADY_SENT 1", "OK 1"]);
    const hashes = await inStore(folder(), "SELECT content_hash FROM idempotency_keys");
    assert.deepEqual(hashes, [{ content_hash: "sensitive" }]);
    assert.deepEqual(sent(), [SECRET]);
  });
});
