import assert from "node:assert/strict";
import { useFolder } from "../unit/store/use-folder";
import { waitFor } from "../support/wait-for";
import { resultOf, startAt } from "./flow";
import { requestCount, startStored, TO } from "./store/stored-flow";
import { useSimulator } from "./use-simulator";

describe("sms-send: closing", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const connectionsClosed = () => waitFor("connections to close", () => simulator.openConnections() === 0);

  it("finishes open requests, starts no others, and sends the rest once when the flows start again", async () => {
    const first = await startStored(simulator, folder(), { account: { connections: 2 } });
    simulator.main.addFault({ times: 2, answer: { statusCode: 2000, delayMs: 200 } });
    for (let at = 0; at < 5; at++) {
      first.send({ to: TO, payload: `x${at}` });
    }
    await waitFor("five messages in the store", async () => (await requestCount(folder())) === 5);
    await waitFor("two requests", () => simulator.main.requests.length === 2);
    await first.stop();
    assert.equal(simulator.main.requestCount, 2);
    assert.equal(simulator.main.messages.length, 2);
    await connectionsClosed();
    const second = await startStored(simulator, folder());
    await waitFor(
      () => `five results, not ${first.all.messages.length} and ${second.all.messages.length}`,
      () => first.all.messages.length + second.all.messages.length === 5,
    );
    const results = [...first.all.messages, ...second.all.messages].map(resultOf);
    assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(["sent"]));
    assert.equal(new Set(results.map(({ transferId }) => transferId)).size, 5);
    assert.deepEqual(simulator.main.messages.map(({ content }) => content).sort(), [
      "x0",
      "x1",
      "x2",
      "x3",
      "x4",
    ]);
  });

  it("logs a result in transit when the nodes behind it closed", async () => {
    const running = await startAt(simulator);
    const errors: string[] = [];
    const sender = running.sender as unknown as {
      send: (...messages: unknown[]) => void;
      error: (text: unknown, msg?: unknown) => void;
    };
    sender.error = (text, msg) => {
      assert.equal(msg, undefined, "from a closing node no Catch node is sure to run");
      errors.push(String(text));
    };
    const send = sender.send.bind(sender);
    const stopped = new Promise<void>((resolve) => {
      sender.send = (...messages) => {
        send(...messages);
        process.nextTick(() => resolve(running.stop()));
      };
    });
    running.send({ to: TO, payload: "x" });
    await stopped;
    assert.equal(running.all.messages.length, 0, "nobody behind it saw the result");
    assert.equal(errors.length, 1);
    assert.match(
      errors[0] ?? "",
      /^Results that the flow may not have received, because the flows stopped: 1 × sent\. /,
    );
  });

  it("closes every timer and socket", async () => {
    const cycle = async (): Promise<string[]> => {
      const flow = await startAt(simulator, { requestsPerSecond: 1 });
      for (let at = 0; at < 3; at++) {
        flow.send({ to: TO, payload: `x${at}` });
      }
      await flow.ports[0]!.until(1);
      await flow.stop();
      await connectionsClosed();
      // The thread of the store ends a moment after the flows.
      await waitFor("the thread to end", () => !process.getActiveResourcesInfo().includes("MessagePort"));
      return process
        .getActiveResourcesInfo()
        .filter((kind) => kind !== "Immediate")
        .sort();
    };
    // The first cycle starts what Node-RED itself keeps.
    const first = await cycle();
    assert.deepEqual(await cycle(), first);
  });
});
