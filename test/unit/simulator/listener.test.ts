import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import type { Endpoint } from "../../../simulator/endpoints/endpoint";
import { ENDPOINTS } from "../../../simulator/endpoints/endpoints";
import { makeCertificates } from "../../support/http/certificates";
import { assertFields, LEGACY_BASIC, until, useSimulators } from "../../support/simulator";

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

  it("closes more than once, also while it is paused, and does not come back", async () => {
    const sim = await start();
    await Promise.all([sim.pause(), sim.close(), sim.close()]);
    await assert.rejects(sim.resume(), /closed/);
    await assert.rejects(sim.request(""), { code: "ECONNREFUSED" });
  });

  it("keeps connections alive and counts them", async () => {
    const sim = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; count < 3; count += 1) {
      const [answer] = await once(get(`${sim.url}/_sim/health`, { agent }), "response");
      answer.resume();
      await once(answer, "end");
    }
    assert.deepEqual([sim.connections(), sim.openConnections()], [1, 1]);
    agent.destroy();
    await until(() => sim.openConnections() === 0);
    assert.equal(sim.connections(), 1);
  });

  it("speaks https with a certificate", async () => {
    const sim = await start({ tls: makeCertificates().authority });
    assert.match(sim.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await sim.sms()).code, 2000);
    const settled = assert.rejects(sim.sms("999020002"));
    await until(() => sim.main.messages.length === 2);
    await sim.close();
    await settled;
  });

  it("says so when the port is taken", async () => {
    const { port } = await start();
    await assert.rejects(start({ port }), { code: "EADDRINUSE" });
  });

  it("keeps the process alive unless it is told not to", async () => {
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
    const others = servers();
    const sim = await start();
    assert.equal(servers(), others + 1);
    sim.unref();
    assert.equal(servers(), others);
    sim.ref();
    assert.equal(servers(), others + 1);
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

  it("reports a defect of its own", async () => {
    const reply = () => {
      throw new Error("oops");
    };
    const action = { kind: "answer", reply } as const;
    const broken: Endpoint = { ...ENDPOINTS[0]!, path: "/broken", fields: [], action };
    const sim = await start({ endpoints: [broken] });
    const answer = await sim.request("/broken", { headers: { authorization: LEGACY_BASIC } });
    assertFields(answer, { httpStatus: 500, reason: "defect in the simulator: Error: oops" });
  });

  it("lets the process end once it is told to, with an open connection and after a pause", () => {
    const program = `
      const { startSimulator } = require("./simulator/index");
      (async () => {
        const simulator = await startSimulator();
        simulator.unref();
        await simulator.pause();
        await simulator.resume();
        const socket = require("node:net").connect(simulator.port, "127.0.0.1");
        await new Promise((resolve) => socket.once("connect", resolve));
        socket.unref();
        process.stdout.write("ready");
      })();`;
    const args = [...process.execArgv, "-e", program];
    const { stdout, status } = spawnSync(process.execPath, args, { timeout: 120_000 });
    assert.deepEqual([stdout.toString(), status], ["ready", 0]);
  });
});
