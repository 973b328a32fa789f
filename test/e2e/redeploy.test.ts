import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FlowNode, Flows } from "../support/node-red/admin-client";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { sharedNodeRed } from "../support/node-red/shared-node-red";
import { waitFor } from "../support/wait-for";

const SILENT = "41790000009";
const MESSAGES = 400;
const CREDENTIALS = { username: "user", password: "password" };
/** One message a turn of a 2 ms timer, for as long as the test lasts; it goes on through deploys of other nodes. */
const TRAFFIC = `
  let sent = 0;
  const timer = setInterval(() => {
    sent++;
    node.send({ id: "m-" + sent, to: "41790000001", payload: "Hello" });
    if (sent === ${MESSAGES}) clearInterval(timer);
  }, 2);
`;

const PEOPLE = 2_000;
/** One message to each of many people, all in one turn. */
const BURST = `
  for (let at = 1; at <= ${PEOPLE}; at++) {
    node.send({ id: "p-" + at, to: "4179" + (1000000 + at), payload: "Hello" });
  }
`;

function flowsFor(address: string, change: Readonly<Record<string, Partial<FlowNode>>> = {}): Flows {
  const nodes: FlowNode[] = [
    { id: "tab", type: "tab", label: "redeploy" },
    {
      id: "account",
      type: "messaging-account",
      name: "before",
      service: "service",
      serviceAddress: address,
      legacyAuth: "basic",
      connections: 2,
      keepMessages: "memory",
      credentials: CREDENTIALS,
    },
    {
      id: "silent",
      type: "inject",
      z: "tab",
      props: [
        { p: "id", v: "m-silent", vt: "str" },
        { p: "to", v: SILENT, vt: "str" },
        { p: "payload", v: "Hello", vt: "str" },
      ],
      wires: [["send"]],
    },
    { id: "go", type: "inject", z: "tab", props: [], wires: [["traffic"]] },
    { id: "many", type: "inject", z: "tab", props: [], wires: [["burst"]] },
    { id: "burst", type: "function", z: "tab", func: BURST, outputs: 1, wires: [["send"]] },
    { id: "traffic", type: "function", z: "tab", func: TRAFFIC, outputs: 1, wires: [["send"]] },
    {
      id: "send",
      type: "sms-send",
      z: "tab",
      name: "before",
      account: "account",
      interface: "form",
      clientMessageId: "id",
      clientMessageIdSource: "msg",
      outputs: 4,
      wires: [["end"], ["end"], ["end"], ["end"]],
    },
    { id: "slow", type: "test-slow-close", z: "tab", wires: [] },
    { id: "end", type: "debug", z: "tab", active: false, wires: [] },
  ];
  return nodes.map((node) => ({ ...node, ...change[node.id] }));
}

/** A service that accepts everything at once, but leaves one number without an answer until told otherwise. */
class Gateway {
  /** How often each clientMessageId arrived. */
  readonly arrived = new Map<string, number>();
  readonly #waiting: ServerResponse[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((req, res) => {
      let body = "";
      req.on("data", (chunk: Buffer) => {
        body += chunk.toString("latin1");
      });
      req.on("end", () => {
        const fields = new URLSearchParams(body);
        const id = fields.get("clientMessageId") ?? "";
        this.arrived.set(id, (this.arrived.get(id) ?? 0) + 1);
        if (fields.get("recipientAddressList") === SILENT) {
          this.#waiting.push(res);
        } else {
          this.#accept(res);
        }
      });
    });
  }

  static async start(): Promise<Gateway> {
    const gateway = new Gateway();
    gateway.#server.listen(0, "127.0.0.1");
    await once(gateway.#server, "listening");
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #accept(res: ServerResponse): void {
    res.setHeader("content-type", "application/x-www-form-urlencoded");
    res.end("statusCode=2000&statusMessage=OK&transferId=0123456789abcdef0123&smsCount=1");
  }

  answerAll(): void {
    for (const res of this.#waiting.splice(0)) {
      this.#accept(res);
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

onEachNodeRed("deploys", (bench) => {
  let gateway: Gateway;

  beforeEach(async () => {
    gateway = await Gateway.start();
  });
  afterEach(async () => {
    gateway.answerAll();
    await gateway.close();
  });

  async function idsThatLeft(): Promise<string[]> {
    const { messages } = await bench.nodeRed.recording();
    return messages.filter(({ from }) => from === "send").map(({ msg }) => String(msg.id));
  }

  for (const [what, change] of [
    ["account", { account: { name: "after" } }],
    ["send node", { send: { name: "after" } }],
    ["send node beside a slow one", { send: { name: "after" }, slow: { name: "after" } }],
  ] as const) {
    it(`of parts lose nothing that other nodes send while the ${what} is replaced and an answer is awaited`, async () => {
      await bench.nodeRed.deploy(flowsFor(gateway.url));
      await bench.nodeRed.clearRecording();
      await bench.nodeRed.inject("silent");
      await waitFor("a request without an answer", () => gateway.arrived.get("m-silent") === 1);
      await bench.nodeRed.inject("go");
      await waitFor("traffic", () => gateway.arrived.size > 20);

      await bench.nodeRed.deploy(flowsFor(gateway.url, change), "nodes");
      const before = await idsThatLeft();
      assert.ok(!before.includes("m-silent"), "the deploy waited for the answer");
      gateway.answerAll();

      await waitFor("a result for each message", async () => (await idsThatLeft()).length >= MESSAGES + 1);
      const left = await idsThatLeft();
      assert.equal(new Set(left).size, MESSAGES + 1);
      assert.equal(left.length, MESSAGES + 1, "one result each");
      assert.deepEqual(
        [...gateway.arrived].filter(([, times]) => times !== 1),
        [],
        "nothing was sent twice",
      );
      const { messages, completions } = await bench.nodeRed.recording();
      const outcomes = messages.filter(({ from }) => from === "send").map(({ msg }) => msg.result.outcome);
      assert.deepEqual([...new Set(outcomes)], ["sent"]);
      assert.deepEqual(
        completions.filter(({ node, error }) => node === "send" && error !== null),
        [],
      );
    });
  }

  it("hand the queue to the node that comes back, and log what is left of one that does not", async () => {
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account: { requestsPerSecond: 2 } }));
    await bench.nodeRed.clearRecording();
    await bench.nodeRed.inject("go");
    await waitFor("traffic", () => gateway.arrived.size > 1);
    // The new account has no limit, so the rest leaves at once.
    await bench.nodeRed.deploy(flowsFor(gateway.url), "nodes");
    await waitFor("a result for each message", async () => (await idsThatLeft()).length >= MESSAGES);
    assert.equal(new Set(await idsThatLeft()).size, MESSAGES);

    await bench.nodeRed.deploy(flowsFor(gateway.url));
    await bench.nodeRed.inject("silent");
    await waitFor("a request without an answer", () => (gateway.arrived.get("m-silent") ?? 0) >= 1);
    const flows = flowsFor(gateway.url).filter(({ id }) => id !== "send");
    await bench.nodeRed.deploy(
      flows.map((node) => ({ ...node, ...(node.wires && { wires: node.wires.map(() => []) }) })),
      "nodes",
    );
    gateway.answerAll();
    await bench.nodeRed.waitForLog(
      /People whose message the service accepted: 1 \([^)]*\)\. The node 'before' was removed/,
    );
  });

  it("of everything hand people who wait at a rate to the node that comes back, and the answer that is awaited", async () => {
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account: { requestsPerSecond: 20 } }));
    await bench.nodeRed.clearRecording();
    bench.nodeRed.clearLogs();
    await bench.nodeRed.inject("silent");
    await waitFor("a request without an answer", () => gateway.arrived.get("m-silent") === 1);
    await bench.nodeRed.inject("many");
    await waitFor("a few of many", () => gateway.arrived.size > 5);

    assert.ok(gateway.arrived.size < PEOPLE / 2, "most of them wait");
    // A node that has nothing to do with it is moved. The new account has no limit, so the rest leaves at once.
    await bench.nodeRed.deploy(flowsFor(gateway.url, { slow: { x: 100 } }), "full");
    assert.ok(!(await idsThatLeft()).includes("m-silent"), "the deploy waited for the answer");
    gateway.answerAll();

    await waitFor("a result for each person", async () => (await idsThatLeft()).length >= PEOPLE + 1);
    const left = await idsThatLeft();
    assert.deepEqual([left.length, new Set(left).size], [PEOPLE + 1, PEOPLE + 1], "one result each");
    assert.equal(gateway.arrived.size, PEOPLE + 1);
    assert.deepEqual(
      [...gateway.arrived].filter(([, times]) => times !== 1),
      [],
      "nothing was sent twice",
    );
    const { messages } = await bench.nodeRed.recording();
    const outcomes = messages.filter(({ from }) => from === "send").map(({ msg }) => msg.result.outcome);
    assert.deepEqual([...new Set(outcomes)], ["sent"]);
  });

  it("of everything count the people of a node that does not come back, and name some by masked numbers", async () => {
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account: { requestsPerSecond: 20 } }));
    bench.nodeRed.clearLogs();
    await bench.nodeRed.inject("many");
    await waitFor("a few of many", () => gateway.arrived.size > 5);
    await bench.nodeRed.deploy(flowsFor(gateway.url, { send: { d: true } }), "full");
    const [line, people] = await bench.nodeRed.waitForLog(
      /People not sent to: ([\d,]+) \([^)]*\)\. The node 'before' was [^\n]*/,
    );
    assert.equal(Number(people?.replaceAll(",", "")), PEOPLE - gateway.arrived.size);
    assert.match(line ?? "", /\+4179…\d{3}, /);
    assert.doesNotMatch(bench.nodeRed.logs(), /p-\d|4179\d/);
  });

  it("are no gap for a stop of the process in the middle of one", async () => {
    const slow = { ms: 10_000 };
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account: { requestsPerSecond: 20 }, slow }));
    bench.nodeRed.clearLogs();
    await bench.nodeRed.inject("many");
    await waitFor("a few of many", () => gateway.arrived.size > 5);
    const deployed = bench.nodeRed.deploy(flowsFor(gateway.url), "full").catch(() => "cut off");
    await bench.nodeRed.waitForLog(/Stopping flows/);
    await bench.nodeRed.stop();
    assert.equal(await deployed, "cut off", "the process ended before the deploy");
    const [, left] = /Messages without a result: (\d+)\. The process ended/.exec(bench.nodeRed.logs()) ?? [];
    assert.ok(Number(left) >= PEOPLE - gateway.arrived.size, bench.nodeRed.logs());
    assert.doesNotMatch(bench.nodeRed.logs(), /p-\d|4179\d/);
    Object.assign(bench, await sharedNodeRed(bench.version));
  });

  it("leave a stop of the process as it was: what had not left is counted", async () => {
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account: { requestsPerSecond: 20 } }), "full");
    bench.nodeRed.clearLogs();
    await bench.nodeRed.inject("many");
    await waitFor("a few of many", () => gateway.arrived.size > 5);
    await bench.nodeRed.stop();
    const [, people] =
      /People not sent to: ([\d,]+) \([^)]*\)\. The flows were stopped/.exec(bench.nodeRed.logs()) ?? [];
    assert.equal(Number(people?.replaceAll(",", "")), PEOPLE - gateway.arrived.size);
  });
});
