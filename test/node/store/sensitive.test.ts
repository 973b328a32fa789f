import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import { Account } from "../../../lib/runtime/account/account";
import { answerQuery } from "../../../lib/runtime/log/log-answer";
import { csvOf } from "../../../lib/runtime/store/history/history-csv";
import { lifeOf, readHistory, searchHistory } from "../../../lib/runtime/store/history/history-view";
import { jobJson } from "../../../lib/runtime/store/history/job-json";
import { viewQueue } from "../../../lib/runtime/store/history/queue-view";
import { Outbox } from "../../../lib/runtime/store/outbox/outbox";
import { csvRequest } from "../../support/csv/csv-request";
import { answer, FaultServer } from "../../support/http/fault-server";
import { freePort } from "../../support/http/free-port";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { ACCOUNT, accountAt, type Config, resultOf, SENDER, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { allInStore, inStore, payloadOf, startStored, storeOf, textsAt, TO } from "./stored-flow";

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

  const start = (account: Config = {}, credentials: Config = {}, sender: Config = {}): Promise<TestFlow> =>
    startStored(simulator, folder(), {
      account,
      credentials: { ...accountAt(simulator).credentials, ...credentials },
      sender,
    });
  const waiting = (flow: TestFlow, count: number): Promise<unknown> =>
    waitFor(`${count} requests to wait`, async () => {
      const { store, account } = await storeOf(flow);
      const counts = await store.backlog.counts(account);
      return counts.ready + counts.waiting === count && counts.leaving === 0;
    });
  const pause = async (flow: TestFlow): Promise<void> => {
    await Account.of(flow.account).stop.stop(await storeOf(flow));
  };
  const resume = async (flow: TestFlow): Promise<void> => {
    await Account.of(flow.account).stop.goOn(await storeOf(flow));
  };
  /** Starts flows whose account has stopped sending, or lets go on what waits there. */
  const startPaused = async (...given: Parameters<typeof start>): Promise<TestFlow> => {
    const flow = await start(...given);
    await pause(flow);
    return flow;
  };
  const goOn = async (...given: Parameters<typeof start>): Promise<TestFlow> => {
    const flow = await start(...given);
    await resume(flow);
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

  /** Ends a flow and what the process has of it, as a restart does. */
  async function restarting(flow: TestFlow): Promise<void> {
    await flow.stop();
    Outbox.of(ACCOUNT).messages.clear();
  }

  /** The same once so many requests wait. */
  async function restartWith(count: number, flow: TestFlow): Promise<void> {
    await waiting(flow, count);
    await restarting(flow);
  }

  it("waits without a readable text, is sent after a restart, and comes back whole", async () => {
    const flow = await startPaused();
    send(flow);
    flow.send({ to: OTHER, payload: PLAIN, sensitive: "true" });
    await restartWith(2, flow);
    const kept = await everything();
    assert.ok(kept.includes(PLAIN), "only true makes a message sensitive");
    assert.ok(!kept.includes(TRACE));
    for (const file of readdirSync(folder())) {
      assert.equal(readFileSync(join(folder(), file)).includes(TRACE), false, file);
    }
    const [job] = await inStore(folder(), "SELECT snapshot FROM snapshots ORDER BY job");
    const [request] = await inStore(folder(), "SELECT content FROM requests ORDER BY id");
    for (const text of [job?.snapshot, request?.content]) {
      assert.match(String(text), /^sealed:1:/);
    }

    const again = await goOn();
    const messages = await again.ports[0]!.until(2);
    assert.deepEqual(sent(), [SECRET, PLAIN].sort());
    const back = messages.find((msg) => resultOf(msg).recipients[0] === TO) as NodeMessage & Config;
    assert.deepEqual(
      [back.payload, back.note, back.sensitive, resultOf(back).restored],
      [SECRET, { of: [SECRET] }, true, true],
    );
    await again.stop();
    assert.ok(!(await everything()).includes("sealed:"));
  });

  it("has no readable text while it waits for its next attempt, because the service is down", async () => {
    const serviceAddress = `http://127.0.0.1:${await freePort()}`;
    const flow = await start({ serviceAddress, attempts: 10 });
    send(flow);
    await waitFor("an attempt to fail", async () => {
      const [row] = await inStore(folder(), "SELECT attempts, state FROM requests");
      return Number(row?.attempts) > 0 && row?.state === "queued";
    });
    assert.ok(!(await everything()).includes(TRACE));
    await restarting(flow);
    await inStore(folder(), "UPDATE requests SET due = NULL");
    const again = await start();
    assert.equal(payloadOf((await again.ports[0]!.until(1))[0]), SECRET);
    assert.deepEqual(sent(), [SECRET]);
  });

  it("leaves as the same object with the same result as any other", async () => {
    const flow = await start();
    const keep = (): void => {};
    send(flow, { keep });
    const [msg] = await flow.ports[0]!.until(1);
    const { payload, sensitive, keep: kept } = msg as unknown as Config;
    assert.deepEqual([payload, sensitive, kept], [SECRET, true, keep]);
    assert.deepEqual([resultOf(msg).outcome, resultOf(msg).restored], ["sent", undefined]);
    assert.deepEqual(sent(), [SECRET]);
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
      `SELECT r.state, r.content, s.snapshot FROM requests r LEFT JOIN snapshots s ON s.job = r.job ORDER BY r.id`,
    );
    assert.ok(rows.every(({ state }) => state === "emitted"));
    const kept = rows.map(({ content, snapshot }) => [content !== null, snapshot !== null]);
    assert.deepEqual(kept, [
      [true, true],
      [false, false],
      [false, false],
      [false, false],
    ]);
    const all = await everything();
    assert.ok(all.includes(PLAIN));
    assert.ok(!all.includes(TRACE) && !all.includes("sealed:"));
  });

  it("is dropped with texts kept where a person discards it, or lets it go on without its node", async () => {
    const flow = await startPaused({ keepTexts: true });
    send(flow);
    send(flow);
    await waiting(flow, 2);
    const { store, account } = await storeOf(flow);
    const [first, second] = await store.recovery.openJobs(account, {}, 0, 2);
    await store.queue.discardJob(first!.id, { outcome: "retry-later", answer: "{}" });
    await store.queue.releaseJob(second!.id, account);
    const snapshots = await inStore(folder(), "SELECT snapshot FROM snapshots");
    assert.deepEqual(snapshots, []);
    await resume(flow);
    await waitFor("the one without a node to be sent", () => sent().length === 1);
    assert.deepEqual(sent(), [SECRET]);
    await flow.stop();
    assert.ok(!(await everything()).includes("sealed:"));
  });

  it("is divided like others when guards hold recipients back, and what was split off is sent after a restart", async () => {
    const limits = { limitHour: "2", limitAction: "hold" };
    const flow = await startPaused(limits);
    send(flow, { to: [TO, OTHER, THIRD] });
    await restartWith(1, flow);
    const again = await goOn(limits);
    assert.deepEqual(summary(await again.all.until(1)), ["OK 2"]);
    await restartWith(1, again);
    const [split] = await inStore(folder(), "SELECT part, content FROM requests WHERE state = 'queued'");
    assert.equal(split?.part, 1);
    assert.match(String(split?.content), /^sealed:1:/);
    assert.ok(!(await everything()).includes(TRACE));
    const last = await start({ limitHour: "4", limitAction: "hold" });
    const messages = await last.all.until(1);
    assert.deepEqual(summary(messages), ["OK 1"]);
    assert.ok(messages.every((msg) => payloadOf(msg) === SECRET));
    assert.deepEqual(sent(), [SECRET, SECRET]);
  });

  it("of many requests is encrypted page by page", async () => {
    const flow = await startPaused();
    send(flow, { to: Array.from({ length: 2_500 }, (_, at) => String(41790000000 + at)) });
    await restartWith(3, flow);
    assert.ok(!(await everything()).includes(TRACE));
    const again = await goOn();
    const messages = await again.all.until(3);
    assert.deepEqual(messages.map((msg) => resultOf(msg).recipients.length).sort(), [1000, 1000, 500]);
    assert.deepEqual(messages.map(payloadOf), [SECRET, SECRET, SECRET]);
    assert.deepEqual(sent(), [SECRET, SECRET, SECRET]);
  });

  it("is not sent with another key, and says so in a result of its own, while others are sent", async () => {
    const flow = await startPaused();
    send(flow);
    flow.send({ to: OTHER, payload: PLAIN });
    await restartWith(2, flow);
    const again = await goOn({}, { clientSecret: "another one" });
    const messages = await again.all.until(2);
    const unread = messages.find((msg) => resultOf(msg).statusName !== "OK");
    const { outcome, statusName, source, recipients, restored } = resultOf(unread);
    assert.deepEqual(
      { outcome, statusName, source, recipients, restored },
      { outcome: "denied", statusName: "TEXT_UNREADABLE", source: "local", recipients: [TO], restored: true },
    );
    assert.match(resultOf(unread).advice, /Send the message again/);
    assert.equal(payloadOf(unread), undefined);
    assert.deepEqual(sent(), [PLAIN]);
    assert.equal(again.log("warn").filter((line) => line.includes("cannot be decrypted")).length, 1);
  });

  it("is not sent where its row was exchanged", async () => {
    const flow = await startPaused();
    send(flow);
    send(flow, { to: OTHER, payload: `${SECRET} too` });
    await restartWith(2, flow);
    await inStore(
      folder(),
      `UPDATE requests SET content = (SELECT o.content FROM requests o WHERE o.id <> requests.id)
        WHERE id = (SELECT max(id) FROM requests)`,
    );
    const again = await goOn();
    const messages = await again.all.until(2);
    const unread = messages.find((msg) => resultOf(msg).statusName === "TEXT_UNREADABLE");
    assert.deepEqual(resultOf(unread).recipients, [OTHER]);
    assert.equal(payloadOf(unread), `${SECRET} too`);
    assert.deepEqual(sent(), [SECRET]);
  });

  it("waits while its key cannot be read, and the badge says why", async () => {
    // Without a secret the key is in a file.
    const unsigned = { service: "simulator" };
    const none = { username: "", password: "", clientId: "", clientSecret: "" };
    const flow = await startPaused(unsigned, none);
    send(flow);
    await restartWith(1, flow);
    const file = join(folder(), "key");
    const key = readFileSync(file);
    writeFileSync(file, "cut");
    const broken = await goOn(unsigned, none);
    await waitFor("the badge to say why", async () =>
      broken.statuses.messages.some((msg) => (msg as { status?: { fill?: string } }).status?.fill === "red"),
    );
    await waiting(broken, 1);
    assert.ok(broken.log("warn").some((line) => line.includes("The message store is damaged")));
    send(broken);
    const [refused] = await broken.all.until(1);
    assert.equal(resultOf(refused).statusName, "STORE_UNAVAILABLE");
    assert.equal(payloadOf(refused), SECRET);
    broken.send({ to: OTHER, payload: PLAIN });
    assert.deepEqual(resultOf((await broken.all.until(2))[1]).recipients, [OTHER]);
    await restarting(broken);
    writeFileSync(file, key);
    await inStore(folder(), "UPDATE requests SET due = NULL");
    const mended = await start(unsigned, none);
    const [back] = await mended.all.until(1);
    assert.deepEqual([resultOf(back).outcome, payloadOf(back)], ["sent", SECRET]);
  });

  it("is in no view of the history, the queue or the log, in no file of them, before and after", async () => {
    const flow = await startPaused({ keepTexts: true });
    send(flow, { to: [TO, OTHER] });
    flow.send({ to: THIRD, payload: PLAIN });
    await waiting(flow, 2);
    const shown = async (): Promise<string> => {
      const place = await storeOf(flow);
      const { store, account } = place;
      const { entries } = await searchHistory(place, { account }, null);
      const texts: unknown[] = [entries, await viewQueue(place, [SENDER], 0)];
      for (const { request, place: at } of entries) {
        texts.push(await lifeOf(place, request, at));
      }
      for await (const line of csvOf(readHistory(place, { account }), csvRequest(), () => "")) {
        texts.push(line);
      }
      for (const number of [TO, OTHER, THIRD]) {
        const query = { kind: "number", number, until: undefined } as const;
        texts.push(await answerQuery(store, account, query, "UTC", Date.now()));
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
      const { leaving, settled } = await store.backlog.counts(account);
      return leaving + settled === 0;
    });
    for (const text of [before, await shown()]) {
      assert.ok(!text.includes(TRACE) && !text.includes("sealed:"));
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
      const answers = (await inStore(folder(), "SELECT answer FROM requests ORDER BY id")).map((row) =>
        String(row.answer).includes(TRACE),
      );
      assert.deepEqual(answers, [false, true]);
    } finally {
      await server.close();
    }
  });

  it("is quoted by no error in the log, whoever refused it, with texts in memory or kept, before and after a restart", async () => {
    const server = await quotingServer();
    const limited = { maxSmsPerMessage: "most", maxSmsPerMessageSource: "msg" };
    const lines = (flow: TestFlow): string => [...flow.log("error"), ...flow.log("warn")].join("\n");
    try {
      for (const keepMessages of ["memory", "computer"]) {
        const flow = await start({ serviceAddress: server.url, keepMessages }, {}, { wires: [], ...limited });
        send(flow, { most: 3 });
        send(flow, { most: 3, to: [OTHER, "12"] });
        send(flow, { most: SECRET });
        const caught = await flow.caught.until(4);
        const errors = caught.map((msg) => (msg as { error?: { message: string } }).error?.message ?? "");
        assert.ok(
          errors.some((each) => /stands only in the result.* 4999/.test(each)),
          errors.join("\n"),
        );
        assert.ok(
          errors.some((each) => /^“Max\. SMS”: .* FIELD_INVALID\. /.test(each)),
          errors.join("\n"),
        );
        assert.ok(!errors.join().includes(TRACE) && !lines(flow).includes(TRACE), errors.join("\n"));
        flow.send({ to: THIRD, payload: PLAIN, most: PLAIN });
        const open = (await flow.caught.until(5))[4] as { error?: { message: string } };
        assert.match(
          open.error?.message ?? "",
          new RegExp(`^“Max\\. SMS” .*'${PLAIN}' \\(maxSmsPerMessage\\)`),
        );
        await flow.stop();
      }
      const small = { serviceAddress: server.url, snapshotLimit: "1" };
      const flow = await start(small);
      await pause(flow);
      send(flow, { more: "x".repeat(2_000) });
      await restartWith(1, flow);
      const again = await goOn(small, {}, { wires: [] });
      const [back] = (await again.caught.until(1)) as (NodeMessage & Config)[];
      assert.deepEqual([back?.payload, back?.sensitive], [undefined, true]);
      assert.ok(!lines(again).includes(TRACE), lines(again));
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
    const hashes = await inStore(folder(), "SELECT hash FROM once_keys");
    assert.deepEqual(hashes, [{ hash: "sensitive" }]);
    assert.deepEqual(sent(), [SECRET]);
  });
});
