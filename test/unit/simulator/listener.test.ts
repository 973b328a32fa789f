import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { assertFields, until, useSimulators } from "../../support/simulator";

describe("simulator: listening", () => {
  const start = useSimulators();

  it("refuses connections while it is paused, then serves again on the same port with its state", async () => {
    const sim = await start();
    await sim.sms();
    const idleClosed = once(connect(sim.port, "127.0.0.1"), "close");
    await until(() => sim.openConnections() === 1);
    await sim.pause();
    await sim.pause();
    await idleClosed;
    await assert.rejects(sim.sms(), { code: "ECONNREFUSED" });
    await sim.resume();
    await sim.resume();
    await sim.sms();
    assert.equal(sim.main.messages.length, 2);
  });

  it("survives a caller that leaves in the middle of a request", async () => {
    const sim = await start();
    const socket = connect(sim.port, "127.0.0.1");
    socket.write("POST /oauth/token HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\nabc");
    await until(() => sim.openConnections() === 1);
    socket.destroy();
    await until(() => sim.openConnections() === 0);
    await sim.sms();
    assertFields(sim.main, { requestCount: 1, messageCount: 1 });
  });
});
