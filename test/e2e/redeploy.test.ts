import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { assertAll } from "../support/assert-all";
import { type LocalServer, startLocalServer } from "../support/http/local-server";
import type { FlowNode, Flows } from "../support/node-red/admin-client";
import { button, END, sender, tab, textTo } from "../support/node-red/flow-nodes";
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
    tab("redeploy"),
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
    textTo("silent", SILENT, {
      props: [{ p: "id", v: "m-silent", vt: "str" }, { p: "to", v: SILENT, vt: "str" }, { p: "payload" }],
    }),
    button("go", "traffic"),
    button("many", "burst"),
    { id: "burst", type: "function", z: "tab", func: BURST, outputs: 1, wires: [["send"]] },
    { id: "traffic", type: "function", z: "tab", func: TRAFFIC, outputs: 1, wires: [["send"]] },
    sender("send", "sms-send", "account", {
      name: "before",
      interface: "form",
      clientMessageId: "id",
      clientMessageIdSource: "msg",
    }),
    { id: "slow", type: "test-slow-close", z: "tab", wires: [] },
    END,
  ];
  return nodes.map((node) => ({ ...node, ...change[node.id] }));
}

/** A service that accepts everything at once, but leaves one number without an answer until told otherwise. */
class Gateway {
  /** How often each clientMessageId arrived. */
  readonly arrived = new Map<string, number>();
  readonly #waiting: ServerResponse[] = [];
  #server!: LocalServer;

  static async start(): Promise<Gateway> {
    const gateway = new Gateway();
    gateway.#server = await startLocalServer((req, res) => void gateway.#handle(req, res));
    return gateway;
  }

  get url(): string {
    return this.#server.url;
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const fields = new URLSearchParams(await text(req));
    const id = fields.get("clientMessageId") ?? "";
    this.arrived.set(id, (this.arrived.get(id) ?? 0) + 1);
    if (fields.get("recipientAddressList") === SILENT) this.#waiting.push(res);
    else accept(res);
  }

  answerAll(): void {
    for (const res of this.#waiting.splice(0)) accept(res);
  }

  close(): Promise<void> {
    return this.#server.stop();
  }
}

function accept(res: ServerResponse): void {
  res.setHeader("content-type", "application/x-www-form-urlencoded");
  res.end("statusCode=2000&statusMessage=OK&transferId=0123456789abcdef0123&smsCount=1");
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

  async function results() {
    const { messages } = await bench.nodeRed.recording();
    return messages.filter(({ from }) => from === "send").map(({ msg }) => msg);
  }
  const idsThatLeft = async (): Promise<string[]> => (await results()).map(({ id }) => String(id));

  async function assertAllSentOnce(): Promise<void> {
    assertAll(gateway.arrived, ([, times]) => times === 1, "nothing was sent twice");
    const outcomes = (await results()).map(({ result }) => result.outcome);
    assert.deepEqual([...new Set(outcomes)], ["sent"]);
  }

  /** Deploys with a rate, and waits until a few of many messages have left. */
  async function sendMany(slow: Partial<FlowNode> = {}): Promise<void> {
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account: { requestsPerSecond: 20 }, slow }));
    bench.nodeRed.clearLogs();
    await bench.nodeRed.inject("many");
    await waitFor("a few of many", () => gateway.arrived.size > 5);
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
      await assertAllSentOnce();
      const { completions } = await bench.nodeRed.recording();
      assertAll(completions, ({ node, error }) => node !== "send" || error === null);
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
    await assertAllSentOnce();
  });

  it("of everything count the people of a node that does not come back, and name some by masked numbers", async () => {
    await sendMany();
    await bench.nodeRed.deploy(flowsFor(gateway.url, { send: { d: true } }), "full");
    const [line, people] = await bench.nodeRed.waitForLog(
      /People not sent to: ([\d,]+) \([^)]*\)\. The node 'before' was [^\n]*/,
    );
    assert.equal(Number(people?.replaceAll(",", "")), PEOPLE - gateway.arrived.size);
    assert.match(line ?? "", /\+4179…\d{3}, /);
    assert.doesNotMatch(bench.nodeRed.logs(), /p-\d|4179\d/);
  });

  it("are no gap for a stop of the process in the middle of one", async () => {
    await sendMany({ ms: 10_000 });
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
    await sendMany();
    await bench.nodeRed.stop();
    const [, people] =
      /People not sent to: ([\d,]+) \([^)]*\)\. The flows were stopped/.exec(bench.nodeRed.logs()) ?? [];
    assert.equal(Number(people?.replaceAll(",", "")), PEOPLE - gateway.arrived.size);
  });
});
