import assert from "node:assert/strict";
import { resultOf, SENDER, startAt } from "./flow";
import { useFolder } from "../unit/store/use-folder";
import { waitFor } from "../support/wait-for";
import { useSimulator } from "./use-simulator";

const TO = "41790000001";

describe("a message that comes back to its node", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  /** A send node whose failures are wired to itself. */
  const start = () =>
    startAt(
      simulator,
      { keepMessages: "computer", storeFolder: folder(), attempts: 1 },
      { sender: { wires: [[], [SENDER], [SENDER], [SENDER]] } },
    );

  it("sends a message that fails five times, then raises one error", async () => {
    const flow = await start();
    for (const [at, [outcome, statusCode]] of (
      [
        ["rejected", 4031],
        ["unknown", 5000],
      ] as const
    ).entries()) {
      simulator.main.reset();
      simulator.main.addFault({ times: 1_000, answer: { statusCode } });
      flow.send({ to: TO, payload: "round and round" });
      const caught = (await flow.caught.until(at + 1))[at];
      const { error, result } = caught as unknown as { error: { message: string }; result: object };
      assert.match(error.message, /failed here five times .* wire only 'try again' back/);
      assert.equal(simulator.main.requestCount, 5);
      assert.equal(resultOf(caught).outcome, outcome);
      assert.ok(!JSON.stringify(result).includes("loop-count"));
    }
  });

  it("stops a message that is rejected before it is sent", async () => {
    const flow = await start();
    flow.send({ to: "12", payload: "no number" });
    await flow.caught.until(1);
    assert.equal(simulator.main.requestCount, 0);
  });

  it("sends a retry-later message any number of times", async () => {
    const flow = await start();
    simulator.main.addFault({ times: 6, answer: { statusCode: 5003 } });
    flow.send({ to: TO, payload: "again" });
    await waitFor("seven requests", () => simulator.main.requestCount === 7);
    assert.deepEqual(flow.caught.messages, []);
  });
});
