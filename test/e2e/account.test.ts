import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator/index";
import type { Flows } from "../support/node-red/admin-client";
import { END, sender, tab, textTo } from "../support/node-red/flow-nodes";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { waitFor } from "../support/wait-for";

const ACCOUNT = "real-account";

/** An account that knows the simulator only as a service at an address, with secrets of its own. */
function flows(simulator: Simulator, account: Record<string, unknown> = {}): Flows {
  const { username, password } = simulator.credentials;
  return [
    tab("account"),
    {
      id: ACCOUNT,
      type: "messaging-account",
      name: "",
      service: "service",
      serviceAddress: simulator.url,
      legacyAuth: "basic",
      keepMessages: "memory",
      credentials: { username, password },
      ...account,
    },
    textTo("one", "41791234567"),
    sender("send", "sms-send", ACCOUNT),
    { ...END, active: true, console: true, complete: "true" },
  ];
}

onEachNodeRed("messaging-account", (bench) => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator();
  });
  beforeEach(async () => {
    simulator.main.reset();
    await bench.nodeRed.deploy(flows(simulator));
    await bench.nodeRed.clearRecording();
  });
  after(() => simulator?.close());

  it("keeps every secret out of messages, log, statuses and admin answers", async () => {
    const { username, password } = simulator.credentials;
    await bench.nodeRed.inject("one");
    const [accepted] = await bench.nodeRed.messages("send", 0);
    assert.equal(accepted?.msg.result.simulated, false);
    // Wrong ones travel too, and come back in the error of the service.
    await bench.nodeRed.deploy(
      flows(simulator, { credentials: { username, password: "wr0ng-Passw0rd" } }),
      "nodes",
    );
    await bench.nodeRed.inject("one");
    const [denied] = await bench.nodeRed.messages("send", 1);
    assert.equal(denied?.msg.result.statusName, "INVALID_CREDENTIALS");
    const stored = await bench.nodeRed.request("GET", `/credentials/messaging-account/${ACCOUNT}`);
    assert.equal((stored as { has_password: boolean }).has_password, true);
    const seen = [
      bench.nodeRed.logs(),
      JSON.stringify(await bench.nodeRed.recording()),
      JSON.stringify(await bench.nodeRed.flows()),
      JSON.stringify(stored),
      JSON.stringify(await bench.nodeRed.request("GET", "/nodes")),
      JSON.stringify(bench.statuses.history("send")),
    ].join("\n");
    assert.match(seen, /Hello/, "the messages are among what is searched");
    for (const secret of [password, "wr0ng-Passw0rd"]) {
      for (const form of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString("base64"),
        Buffer.from(`${username}:${secret}`).toString("base64"),
      ]) {
        assert.equal(seen.includes(form), false, `${form} was found`);
      }
    }
  });

  it("is back after an outage without a deploy", async () => {
    await simulator.pause();
    await bench.nodeRed.deploy(flows(simulator, { attempts: "1" }), "full");
    await bench.nodeRed.inject("one");
    const [late] = await bench.nodeRed.messages("send", 2);
    assert.equal(late?.msg.result.statusName, "CONNECT_FAILED");
    await simulator.resume();
    await bench.nodeRed.inject("one");
    await bench.nodeRed.messages("send", 0);
    assert.equal(simulator.main.messages.length, 1);
  });

  for (const type of ["full", "flows", "nodes"] as const) {
    it(`waits for the answer when a deploy (${type}) comes between, and the new node says what became of it`, async () => {
      simulator.main.addFault({ answer: { statusCode: 2000, delayMs: 2_000 } });
      await bench.nodeRed.clearRecording();
      await bench.nodeRed.inject("one");
      await waitFor("the request", () => simulator.main.requests.length === 1);
      await bench.nodeRed.deploy(flows(simulator, { connections: "3" }), type);
      const { msg } = await bench.nodeRed.nextFrom("send");
      assert.equal(msg.result.clientMessageId, simulator.main.messages[0]?.clientMessageId);
      assert.equal(msg.result.outcome, "sent");
      assert.equal(simulator.main.requestCount, 1);
      await waitFor("the old connections to close", () => simulator.openConnections() === 0);
      await bench.nodeRed.inject("one");
      await waitFor("a message by the new flow", () => simulator.main.messages.length === 2);
    });
  }

  it("shows a fault of the set-up in the badge as soon as it is deployed, and raises it with each message", async () => {
    await bench.nodeRed.deploy(flows(simulator, { serviceAddress: "http://sms.example.com" }), "full");
    await bench.statuses.waitFor(
      "send",
      ({ text, fill }) => text === "address is not https" && fill === "red",
    );
    await bench.nodeRed.inject("one");
    await bench.nodeRed.waitForLog(
      /service address starts with http:\/\/, which sends messages and credentials unencrypted/,
    );
  });
});
