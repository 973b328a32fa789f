// Slow: it deploys, kills and stops Node-RED processes amid traffic.
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type LocalServer, startLocalServer } from "../support/http/local-server";
import type { FlowNode, Flows } from "../support/node-red/admin-client";
import { button, END, sender, tab, textTo } from "../support/node-red/flow-nodes";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { restart } from "../support/node-red/restart";
import { waitFor } from "../support/wait-for";

const SILENT = "41790000009";
const MESSAGES = 300;
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

const PEOPLE = 300;
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
    sender("send", "messaging-sms-send", "account", {
      name: "before",
      interface: "form",
      clientMessageId: "id",
      clientMessageIdSource: "msg",
    }),
    END,
  ];
  return nodes.map((node) => ({ ...node, ...change[node.id] }));
}

/** Settings of an account that stores its messages in a folder of its own. */
const storedIn = (storeFolder: string): Partial<FlowNode> => ({ keepMessages: "computer", storeFolder });

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

  /** Each clientMessageId that arrived more than once. */
  get repeated(): readonly string[] {
    return [...this.arrived].filter(([, times]) => times > 1).map(([id]) => id);
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

onEachNodeRed("deploys and restarts", (bench) => {
  let gateway: Gateway;

  beforeEach(async () => {
    gateway = await Gateway.start();
  });
  afterEach(async () => {
    gateway.answerAll();
    await gateway.close();
  });

  const emitted = async () => {
    const { messages } = await bench.nodeRed.recording();
    return messages.filter(({ from }) => from === "send").map(({ msg }) => msg);
  };
  const emittedIds = async (): Promise<string[]> => (await emitted()).map(({ id }) => String(id));

  async function assertEachSentOnce(count: number): Promise<void> {
    await waitFor("a result for each message", async () => (await emitted()).length >= count);
    const results = await emitted();
    assert.deepEqual([results.length, new Set(results.map(({ id }) => id)).size], [count, count]);
    assert.deepEqual(
      results.filter(({ result }) => result.outcome !== "sent"),
      [],
    );
    assert.equal(gateway.arrived.size, count);
    assert.deepEqual(gateway.repeated, []);
  }

  /** Deploys with a rate, and waits until one request has no answer and a few of many messages arrived. */
  async function startBurst(storage: Partial<FlowNode> = {}): Promise<void> {
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account: { ...storage, requestsPerSecond: 20 } }));
    await bench.nodeRed.clearRecording();
    bench.nodeRed.clearLogs();
    await bench.nodeRed.inject("silent");
    await waitFor("a request without an answer", () => gateway.arrived.get("m-silent") === 1);
    await bench.nodeRed.inject("many");
    await waitFor("a few of many", () => gateway.arrived.size > 5);
  }

  for (const what of ["account", "send"] as const) {
    it(`sends each message once when a deploy replaces the ${what} amid traffic`, async () => {
      await bench.nodeRed.deploy(flowsFor(gateway.url));
      await bench.nodeRed.clearRecording();
      await bench.nodeRed.inject("silent");
      await waitFor("a request without an answer", () => gateway.arrived.get("m-silent") === 1);
      await bench.nodeRed.inject("go");
      await waitFor("traffic", () => gateway.arrived.size > 20);

      await bench.nodeRed.deploy(flowsFor(gateway.url, { [what]: { name: "after" } }), "nodes");
      assert.ok(!(await emittedIds()).includes("m-silent"), "the deploy waited for the answer");
      gateway.answerAll();
      await assertEachSentOnce(MESSAGES + 1);
    });
  }

  it("sends each stored message once when a full deploy comes amid an answer", async () => {
    const account = storedIn("redeploy");
    await startBurst(account);
    assert.ok(gateway.arrived.size < PEOPLE / 2, "most of them wait");
    // The new account has no limit, so it sends the rest at once.
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account }), "full");
    gateway.answerAll();
    await assertEachSentOnce(PEOPLE + 1);
  });

  it("sends waiting stored messages once when Node-RED was killed, a started one never again", async () => {
    const account = storedIn("kill");
    await startBurst(account);
    await restart(bench, "kill");
    await bench.nodeRed.deploy(flowsFor(gateway.url, { account }), "full");
    const outcomes = new Map<string, string>();
    await waitFor("all messages", async () => {
      for (const { id, result } of await emitted()) outcomes.set(String(id), result.outcome);
      return (
        outcomes.has("m-silent") &&
        new Set([...gateway.arrived.keys(), ...outcomes.keys()]).size === PEOPLE + 1
      );
    });
    assert.equal(outcomes.get("m-silent"), "unknown", "its answer was lost");
    assert.deepEqual(gateway.repeated, []);
  });

  it("logs how many messages were not sent when the process stops, without their numbers", async () => {
    await startBurst();
    gateway.answerAll();
    await waitFor("the answer", async () => (await emittedIds()).includes("m-silent"));
    await bench.nodeRed.stop();
    const logs = bench.nodeRed.logs();
    const [, unsent] = /Messages not sent: ([\d,]+)\. Messages with an unknown/.exec(logs) ?? [];
    assert.equal(Number(unsent?.replaceAll(",", "")), PEOPLE + 1 - gateway.arrived.size);
    assert.doesNotMatch(logs, /p-\d|4179\d/);
  });
});
