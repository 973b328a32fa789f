import assert from "node:assert/strict";
import { assertFields, pluck, useSimulators } from "../../../support/simulator";

describe("simulator: logs", () => {
  const start = useSimulators();

  it("are bounded in each account", async () => {
    const sim = await start({ logEntries: 2 });
    for (const clientMessageId of ["1", "2", "3"]) await sim.sms(undefined, { clientMessageId });
    assert.deepEqual(pluck(sim.main.messages, "clientMessageId"), ["2", "3"]);
    assert.deepEqual(pluck(sim.main.requests, "id"), [2, 3]);
    assertFields(sim.main, { messageCount: 3, requestCount: 3 });
  });
});
