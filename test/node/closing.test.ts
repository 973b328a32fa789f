import assert from "node:assert/strict";
import { SENDER, startAt, type TestFlow } from "./flow";
import { useSimulator } from "./use-simulator";

/** Resolves when a condition holds; looked at each turn of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("sms-send: closing", () => {
  const simulator = useSimulator();

  /** Stops the flow and returns what the sender wrote into the log as errors, each without a message. */
  async function stopAndRead(running: TestFlow): Promise<string[]> {
    const errors: string[] = [];
    (running.sender as unknown as { error: (text: unknown, msg?: unknown) => void }).error = (text, msg) => {
      assert.equal(msg, undefined, "from a closing node no Catch node is sure to run");
      errors.push(String(text));
    };
    await running.stop();
    return errors;
  }

  it("waits for responses, starts no further requests, and logs the outcome of every message", async () => {
    const flow = await startAt(simulator, { connections: 2 });
    simulator.main.addFault({ times: 2, answer: { statusCode: 2000, delayMs: 2_000 } });
    for (let at = 0; at < 5; at++) {
      flow.send({ to: "41790000001", payload: `x${at}` });
    }
    await until(() => simulator.main.requests.length === 2);
    const lines = await stopAndRead(flow);
    assert.equal(simulator.main.requestCount, 2);
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? "", /^People not sent to: 3 \(\+4179…001\)\. The flows were stopped /);
    assert.match(lines[1] ?? "", /^People whose message the service accepted: 2 \(\+4179…001\)\. /);
    for (const { clientMessageId } of simulator.main.messages) {
      assert.doesNotMatch(lines.join(), new RegExp(String(clientMessageId)), "people know no ids");
    }
    await until(() => simulator.openConnections() === 0);
  });

  it("logs a result that was on the wire when the nodes behind it closed", async () => {
    const running = await startAt(simulator);
    const sender = running.sender as unknown as { send: (...messages: unknown[]) => void };
    const send = sender.send.bind(sender);
    const stopped = new Promise<string[]>((resolve) => {
      sender.send = (...messages) => {
        send(...messages);
        process.nextTick(() => resolve(stopAndRead(running)));
      };
    });
    running.send({ to: "41790000001", payload: "x" });
    const lines = await stopped;
    assert.equal(running.all.messages.length, 0, "nobody behind it saw the result");
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /^People whose message the service accepted: 1 \([^)]*\)\. /);
  });

  it("leaves no timer and no socket open", async () => {
    const cycle = async (): Promise<string[]> => {
      const flow = await startAt(simulator, { requestsPerSecond: 1 });
      for (let at = 0; at < 3; at++) {
        flow.send({ to: "41790000001", payload: `x${at}` });
      }
      await flow.ports[0]!.until(1);
      await flow.stop();
      await until(() => simulator.openConnections() === 0);
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
