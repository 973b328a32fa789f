import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import type { Endpoint } from "../../../simulator/endpoints/endpoint";
import { ENDPOINTS } from "../../../simulator/endpoints/endpoints";
import { startSimulator } from "../../../simulator/index";
import { LEGACY_BASIC, rawRequest, sendForm, until } from "./raw-request";
import { selfSigned } from "./self-signed";

const GOOD = "recipientAddressList=41790000000&messageContent=Hello";

describe("simulator: listening", () => {
  it("refuses connections while it is paused, then serves again on the same port with its state", async () => {
    const simulator = await startSimulator();
    await sendForm(simulator.url, GOOD);
    const idle = connect(simulator.port, "127.0.0.1");
    const idleClosed = once(idle, "close");
    await until(() => simulator.openConnections() === 1);
    await simulator.pause();
    await simulator.pause();
    await idleClosed;
    await assert.rejects(sendForm(simulator.url, GOOD), { code: "ECONNREFUSED" });
    await simulator.resume();
    await simulator.resume();
    await sendForm(simulator.url, GOOD);
    assert.equal(simulator.main.messages.length, 2);
    await simulator.close();
  });

  it("closes more than once, also while it is paused, and does not come back", async () => {
    const simulator = await startSimulator();
    await Promise.all([simulator.pause(), simulator.close(), simulator.close()]);
    await assert.rejects(simulator.resume(), /closed/);
    await assert.rejects(rawRequest(simulator.url), { code: "ECONNREFUSED" });
  });

  it("keeps connections alive and counts them", async () => {
    const simulator = await startSimulator();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; count < 3; count += 1) {
      const [answer] = await once(get(`${simulator.url}/_sim/health`, { agent }), "response");
      answer.resume();
      await once(answer, "end");
    }
    assert.deepEqual([simulator.connections(), simulator.openConnections()], [1, 1]);
    agent.destroy();
    await until(() => simulator.openConnections() === 0);
    assert.equal(simulator.connections(), 1);
    await simulator.close();
  });

  it("speaks https with a certificate", async () => {
    const simulator = await startSimulator({ tls: selfSigned() });
    assert.match(simulator.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.match((await sendForm(simulator.url, GOOD)).body, /^statusCode=2000&/);
    const stalled = sendForm(simulator.url, "recipientAddressList=999020002&messageContent=x");
    const settled = assert.rejects(stalled);
    await until(() => simulator.main.messages.length === 2);
    await simulator.close();
    await settled;
  });

  it("says so when the port is taken", async () => {
    const simulator = await startSimulator();
    await assert.rejects(startSimulator({ port: simulator.port }), { code: "EADDRINUSE" });
    await simulator.close();
  });

  it("keeps the process alive unless it is told not to", async () => {
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
    const others = servers();
    const simulator = await startSimulator();
    assert.equal(servers(), others + 1);
    simulator.unref();
    assert.equal(servers(), others);
    simulator.ref();
    assert.equal(servers(), others + 1);
    await simulator.close();
  });

  it("survives a caller that leaves in the middle of a request", async () => {
    const simulator = await startSimulator();
    const socket = connect(simulator.port, "127.0.0.1");
    socket.write("POST /oauth/token HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\nabc");
    await until(() => simulator.openConnections() === 1);
    socket.destroy();
    await until(() => simulator.openConnections() === 0);
    await sendForm(simulator.url, GOOD);
    assert.deepEqual([simulator.main.requestCount, simulator.main.messageCount], [1, 1]);
    await simulator.close();
  });

  it("reports a defect of its own", async () => {
    const [endpoint] = ENDPOINTS;
    assert.ok(endpoint);
    const reply = () => {
      throw new Error("oops");
    };
    const broken: Endpoint = { ...endpoint, path: "/broken", fields: [], action: { kind: "answer", reply } };
    const simulator = await startSimulator({ endpoints: [broken] });
    const answer = await rawRequest(`${simulator.url}/broken`, { headers: { authorization: LEGACY_BASIC } });
    assert.equal(answer.httpStatus, 500);
    assert.equal(answer.headers["x-simulator-reason"], "defect in the simulator: Error: oops");
    await simulator.close();
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
    const { stdout, status } = spawnSync(process.execPath, ["--import", "tsx", "-e", program], {
      timeout: 8000,
    });
    assert.deepEqual([stdout.toString(), status], ["ready", 0]);
  });
});
