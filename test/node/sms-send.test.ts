import assert from "node:assert/strict";
import { startFlow, stopServer, type TestFlow } from "./flow";

describe("sms-send", () => {
  let flow: TestFlow | null = null;
  afterEach(async () => {
    await flow?.stop();
    flow = null;
  });
  after(stopServer);

  it("sends through the built-in simulator", async () => {
    flow = await startFlow();
    flow.send({ to: "+41790000001", payload: "Hello" });
    const [msg] = await flow.ports[0].until(1);
    console.log(msg);
    assert.equal((msg as any).result.outcome, "sent");
  });
});
