// Slow: each test starts the nodes of a stored account twice.
import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { Outbox } from "../../../lib/runtime/store/outbox/outbox";
import { ACCOUNT, resultOf } from "../flow";
import { useFolder } from "../../unit/store/use-folder";
import { waitFor } from "../../support/wait-for";
import { useSimulator } from "../use-simulator";
import { inStore, killed, payloadOf, requestCount, SLOW, startStored, textsAt, TO } from "./stored-flow";

type Parts = { readonly id: string; readonly index: number; readonly count: number };
const partsOf = (msg: NodeMessage): Parts => (msg as { parts: Parts }).parts;

describe("an account that keeps messages", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  // What a test leaves in its store does not wait in this process.
  afterEach(() => Outbox.of(ACCOUNT).messages.clear());
  const sentTexts = (): string[] => textsAt(simulator);

  /** Sends so many messages, of which one is sent, and stops. */
  async function stopAfterOne(count: number, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const flow = await startStored(simulator, folder(), { account: SLOW });
    for (let at = 0; at < count; at++) {
      flow.send({ to: TO, payload: `x${at}`, ...more });
    }
    await flow.ports[0]!.until(1);
    await waitFor("all messages in the store", async () => (await requestCount(folder())) >= count);
    await flow.stop();
  }
  const emittedCount = (): Promise<number> => requestCount(folder(), "emitted");

  it("goes on after a deploy with the same message objects, and sends each once", async () => {
    const keep = (): void => {};
    await stopAfterOne(4, { keep });
    const flow = await startStored(simulator, folder());
    const messages = await flow.ports[0]!.until(3);
    assert.deepEqual(messages.map(payloadOf), ["x1", "x2", "x3"]);
    for (const msg of messages) {
      assert.equal((msg as { keep?: unknown }).keep, keep);
      assert.equal(resultOf(msg).restored, undefined);
    }
    assert.deepEqual(sentTexts(), ["x0", "x1", "x2", "x3"]);
  });

  it("goes on after a restart with restored messages, and sends each once", async () => {
    const bytes = Buffer.from([0, 255, 7]);
    await stopAfterOne(4, { bytes, when: new Date(5), req: new (class Request {})() });
    await killed(folder());
    const flow = await startStored(simulator, folder());
    const messages = await flow.ports[0]!.until(3);
    assert.deepEqual(messages.map(payloadOf).sort(), ["x1", "x2", "x3"]);
    for (const msg of messages) {
      const { bytes: restored, when, req } = msg as unknown as Record<string, unknown>;
      assert.deepEqual(restored, bytes);
      assert.deepEqual(when, new Date(5));
      assert.equal(req, undefined);
      assert.equal(resultOf(msg).restored, true);
      assert.equal(resultOf(msg).outcome, "sent");
      assert.deepEqual(resultOf(msg).recipients, [TO]);
    }
    assert.deepEqual(sentTexts(), ["x0", "x1", "x2", "x3"]);
    await flow.stop();
    assert.deepEqual(await inStore(folder(), "SELECT id FROM outbox"), []);
  });

  it("reports what was being sent when the process ended as unknown, and does not send it again", async () => {
    await stopAfterOne(2);
    await killed(folder(), "UPDATE outbox SET state = 'sending', owner = 'gone' WHERE state = 'queued'");
    const flow = await startStored(simulator, folder());
    const [msg] = await flow.ports[3]!.until(1);
    assert.equal(payloadOf(msg!), "x1");
    const { outcome, statusName, restored, source } = resultOf(msg);
    assert.deepEqual(
      { outcome, statusName, restored, source },
      { outcome: "unknown", statusName: "PROCESS_ENDED", restored: true, source: "local" },
    );
    assert.deepEqual(sentTexts(), ["x0"]);
  });

  it("emits a result once more that was settled and had not left", async () => {
    await stopAfterOne(1);
    await killed(
      folder(),
      `INSERT INTO outbox (id, job, part, account, destination, operation, node, state, result_owner, priority, attempts)
        SELECT id, job, part, account, 'simulator', operation, node, 'settled', 'gone', 0, 1 FROM messages`,
    );
    const flow = await startStored(simulator, folder());
    const result = resultOf((await flow.ports[0]!.until(1))[0]);
    assert.equal(result.restored, true);
    assert.equal(result.statusCode, 2000);
    assert.match(result.transferId ?? "", /./);
    assert.equal(sentTexts().length, 1);
    await flow.stop();
    const again = await startStored(simulator, folder());
    again.send({ to: TO, payload: "new" });
    assert.equal(payloadOf((await again.all.until(1))[0]!), "new");
  });

  it("gives Join a group of what of a list had not left before the restart, and nothing again that had", async () => {
    const flow = await startStored(simulator, folder(), { account: SLOW });
    const to = [...Array.from({ length: 2_500 }, (_, at) => String(41790000000 + at)), "12"];
    flow.send({ to, payload: "list" });
    const [before] = await flow.ports[0]!.until(1);
    await flow.all.until(2);
    await waitFor("both marks on the disk", async () => (await emittedCount()) === 2);
    await flow.stop();
    await killed(folder());
    const again = await startStored(simulator, folder());
    const messages = await again.all.until(2);
    const [{ id }] = messages.map(partsOf) as [Parts];
    assert.notEqual(id, partsOf(before!).id);
    assert.deepEqual(
      messages.map((msg) => partsOf(msg)).map((parts) => [parts.id, parts.index, parts.count]),
      [
        [id, 0, 2],
        [id, 1, 2],
      ],
    );
    assert.deepEqual(
      messages.map((msg) => resultOf(msg).recipients.length).sort((one, other) => one - other),
      [1, 500],
    );
    const numbers = simulator.main.messages.flatMap(({ recipients }) => recipients);
    assert.equal(numbers.length, 2_500);
    assert.equal(new Set(numbers).size, 2_500);
  });

  it("emits a rejection of a list once, however often Node-RED restarts while the others wait", async () => {
    const sender = { notBefore: "2h", notBeforeSource: "str" };
    await stopAfterOne(1);
    const flow = await startStored(simulator, folder(), { sender });
    flow.send({ to: [TO, "12", "13"], payload: "list" });
    const rejected = await flow.ports[1]!.until(1);
    assert.deepEqual(resultOf(rejected[0]).recipients, ["12", "13"]);
    await waitFor("its mark on the disk", async () => (await emittedCount()) === 2);
    await flow.stop();
    for (let restarts = 0; restarts < 2; restarts++) {
      await killed(folder());
      const again = await startStored(simulator, folder(), { sender });
      again.send({ to: "14", payload: "new" });
      assert.deepEqual((await again.all.until(1)).map(payloadOf), ["new"]);
      await again.stop();
    }
  });

  it("sets messages of a removed node aside, and sends them when it is back", async () => {
    await stopAfterOne(3);
    const other = await startStored(simulator, folder(), { sender: { id: "other" } });
    await waitFor("a warning", () =>
      other.log("warn").some((line) => /2 messages wait in the store/.test(line)),
    );
    assert.deepEqual(sentTexts(), ["x0"]);
    await other.stop();
    const back = await startStored(simulator, folder());
    await back.ports[0]!.until(2);
    assert.deepEqual(sentTexts(), ["x0", "x1", "x2"]);
  });

  it("emits at 'try again' that nothing was sent where the store cannot be opened", async () => {
    const flow = await startStored(simulator, folder(), { account: { storeFolder: __filename } });
    flow.send({ to: TO, payload: "x" });
    const { outcome, statusName, statusMessage, source } = resultOf((await flow.ports[2]!.until(1))[0]);
    assert.deepEqual([outcome, statusName, source], ["retry-later", "STORE_UNAVAILABLE", "local"]);
    assert.match(statusMessage, /The folder of the message store cannot be used/);
    assert.equal(simulator.main.requestCount, 0);
  });
});
