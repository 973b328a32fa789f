import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { useFolder } from "../../unit/store/use-folder";
import { waitFor } from "../../support/wait-for";
import { resultOf } from "../flow";
import { useSimulator } from "../use-simulator";
import { type Config, killed, requestCount, SLOW, startStored, textsAt } from "./stored-flow";

const SENDER: Config = {
  braces: "fill",
  recipientAddressList: "payload",
  recipientAddressListSource: "msg",
  messageContent: "Dear {{name}}",
  messageContentSource: "str",
  onceKey: "reminder {{id}}",
  onceKeySource: "str",
};
const rows = (count: number): Config[] =>
  Array.from({ length: count }, (_none, at) => ({ id: at, name: `P${at}`, mobile: `+4179000000${at}` }));
const names = (messages: readonly NodeMessage[]): unknown[] =>
  messages.map(({ payload }) => (payload as Config).name).sort();

describe("rows of an account that keeps messages", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const sentTexts = (): string[] => textsAt(simulator);
  const stored = (): Promise<number> => requestCount(folder());

  it("leave once after a kill, each with its row; a second run sends only what was not there", async () => {
    const first = await startStored(simulator, folder(), { account: SLOW, sender: SENDER });
    // The process ends when these rows of a longer list are in the store.
    first.send({ payload: rows(3) });
    await first.ports[0]!.until(1);
    await waitFor("the rows in the store", async () => (await stored()) >= 3);
    await first.stop();
    await killed(folder());
    const second = await startStored(simulator, folder(), { sender: SENDER });
    const restored = [...(await second.ports[0]!.until(2))];
    assert.deepEqual(names(restored), ["P1", "P2"]);
    for (const msg of restored) {
      assert.equal(resultOf(msg).restored, true);
      const { index, rows: path } = (msg as unknown as { parts: Config }).parts;
      assert.equal(path, "payload");
      assert.ok(resultOf(msg).clientMessageId?.endsWith(`-${Number(index) + 1}`));
    }
    second.send({ payload: rows(5) });
    const all = await second.all.until(7);
    const again = all.slice(2);
    assert.deepEqual(names(again.filter((msg) => resultOf(msg).outcome === "sent")), ["P3", "P4"]);
    assert.deepEqual(names(again.filter((msg) => resultOf(msg).statusName === "ALREADY_SENT")), [
      "P0",
      "P1",
      "P2",
    ]);
    assert.deepEqual(
      sentTexts(),
      rows(5).map(({ name }) => `Dear ${String(name)}`),
    );
  });

  it("do not keep the flows from stopping; the log counts those that the store had no place for", async () => {
    const account = { ...SLOW, queueLimit: 2 };
    const flow = await startStored(simulator, folder(), { account, sender: SENDER });
    flow.send({ payload: rows(9) });
    await flow.ports[0]!.until(1);
    const lines: string[] = [];
    (flow.sender as unknown as { error: (text: unknown) => void }).error = (text) => lines.push(String(text));
    const begin = performance.now();
    await flow.stop();
    // Node-RED waits 15 s for a node that does not close.
    assert.ok(performance.now() - begin < 10_000);
    assert.match(lines.join("\n"), /The account is being closed\. Not sent: \d of 9 rows\./);
  });

  it("are cancelled, those that have not begun included", async () => {
    const flow = await startStored(simulator, folder(), { account: SLOW, sender: SENDER });
    flow.send({ payload: rows(5) });
    flow.send({ cancel: true });
    const messages = await flow.all.until(5);
    const cancelled = messages.filter((msg) => resultOf(msg).statusName === "CANCELLED");
    assert.ok(cancelled.length >= 4, `${cancelled.length} are cancelled`);
    assert.equal(simulator.main.messages.length, 5 - cancelled.length);
  });
});
