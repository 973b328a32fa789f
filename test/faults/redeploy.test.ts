import assert from "node:assert/strict";
import { createRequire } from "node:module";
import helper from "node-red-node-test-helper";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type Simulator, startSimulator } from "../../simulator/index";
import { ACCOUNT, type Config, resultOf, startFlow, stopServer, type TestFlow } from "../node/flow";
import { waitFor } from "../support/wait-for";
import { FaultProxy } from "./fault-proxy";
import { GatewayLog } from "./ledger";

const FULL = process.env.TEST_FULL === "1";
const MESSAGES = FULL ? 10_000 : 900;
const DEPLOYS = FULL ? 24 : 6;
const SENDER = "under-load";
/** ms, so that some answers are awaited whenever a deploy comes. */
const LATENCY = 10;
const OUTSTANDING = 40;

type Nodes = readonly Config[];
type DeployType = "full" | "flows" | "nodes";

/** Where a message can turn up again. */
type Fate = "accepted" | "not sent" | "unknown";

const FATES: Readonly<Record<string, Fate>> = {
  sent: "accepted",
  queued: "accepted",
  unknown: "unknown",
  "retry-later": "not sent",
  rejected: "not sent",
  denied: "not sent",
};

/** What the log says of the people of a closing node: how many there are of each fate. Each message here is for one. */
const LINES: readonly (readonly [RegExp, Fate])[] = [
  [/^People not sent to: ([\d,]+)/, "not sent"],
  [/^People for whom it is unknown whether their message was sent: ([\d,]+)/, "unknown"],
  [/^People whose message was refused: ([\d,]+)/, "not sent"],
  [/^People whose message the service accepted: ([\d,]+)/, "accepted"],
];

const changed = (nodes: Nodes, id: string, change: Config): Nodes =>
  nodes.map((node) => (node.id === id ? { ...node, ...change } : node));

interface Deploy {
  readonly name: string;
  readonly type: DeployType;
  readonly change: (nodes: Nodes, time: number, credentials: Config) => Nodes;
}

const DEPLOYMENTS: readonly Deploy[] = [
  { name: "everything anew", type: "full", change: (nodes) => nodes },
  {
    name: "the flow changed",
    type: "flows",
    change: (nodes, time) => changed(nodes, "bystander", { name: `changed ${time}` }),
  },
  {
    name: "the send node changed",
    type: "nodes",
    change: (nodes, time) => changed(nodes, SENDER, { name: `changed ${time}` }),
  },
  {
    name: "the account changed",
    type: "nodes",
    change: (nodes, time) => changed(nodes, ACCOUNT, { connections: 8 + (time % 8) }),
  },
  {
    name: "the credentials changed to wrong ones",
    type: "nodes",
    change: (nodes, _time, credentials) =>
      changed(nodes, ACCOUNT, { credentials: { ...credentials, password: "wrong" } }),
  },
  {
    name: "the credentials changed to the right ones",
    type: "nodes",
    change: (nodes, _time, credentials) => changed(nodes, ACCOUNT, { credentials }),
  },
];

describe("deploys while messages pass", () => {
  let simulator: Simulator;
  let proxy: FaultProxy;
  let flow: TestFlow | null = null;
  /** Messages that the runtime handed to the send node. */
  const received = new Set<string>();
  const seen = new Map<string, Set<Fate>>();
  const { hooks } = createRequire(require.resolve("node-red"))("@node-red/util") as {
    hooks: { add(name: string, hook: (event: never) => void): void; remove(name: string): void };
  };

  before(async () => {
    simulator = await startSimulator();
    proxy = new FaultProxy(simulator.port);
    await proxy.start();
    proxy.disturb({
      every: 1,
      onRequest: async (exchange) => {
        const answer = await exchange.forward();
        setTimeout(() => exchange.answer(answer), LATENCY);
      },
    });
    hooks.add("onReceive.accounting", (event: { msg: { id?: string }; destination: { id: string } }) => {
      if (event.destination.id === SENDER) {
        received.add(String(event.msg.id));
      }
    });
  });
  after(async () => {
    hooks.remove("*.accounting");
    await flow?.stop();
    await proxy.stop();
    await simulator.close();
    await stopServer();
  });

  const found = (id: string, fate: Fate): void => {
    seen.set(id, (seen.get(id) ?? new Set()).add(fate));
  };

  /** How many people of each fate closing nodes wrote into the log. */
  function logged(running: TestFlow): Record<Fate, number> {
    const counts: Record<Fate, number> = { accepted: 0, "not sent": 0, unknown: 0 };
    for (const line of running.log("error")) {
      for (const [pattern, fate] of LINES) {
        counts[fate] += Number(pattern.exec(line)?.[1]?.replaceAll(",", "") ?? 0);
      }
    }
    return counts;
  }

  /** Both sides of the send node: what feeds it, and what its results come to. */
  function registerEnds(feeders: Set<Node>): (RED: NodeAPI) => void {
    return (RED) => {
      RED.nodes.registerType("test-feeder", function feeder(this: Node, config) {
        RED.nodes.createNode(this, config);
        feeders.add(this);
        this.on("close", () => void feeders.delete(this));
      });
      RED.nodes.registerType("test-results", function results(this: Node, config) {
        RED.nodes.createNode(this, config);
        this.on("input", (msg: NodeMessage) => {
          const { outcome } = resultOf(msg);
          found(String((msg as { id?: unknown }).id), FATES[outcome] ?? assert.fail(outcome));
        });
      });
    };
  }

  /** Deploys, and resolves when the flows run again. */
  async function deploy(nodes: Nodes, type: DeployType): Promise<void> {
    const { _redNodes, _events } = helper as unknown as {
      _redNodes: { setFlows(nodes: Nodes, credentials: undefined, type: DeployType): Promise<unknown> };
      _events: NodeJS.EventEmitter;
    };
    const started = new Promise((resolve) => _events.once("flows:started", resolve));
    await _redNodes.setFlows(structuredClone(nodes) as Nodes, undefined, type);
    await started;
  }

  it("report an outcome for every message, and send none twice", async () => {
    const log = new GatewayLog(simulator);
    const feeders = new Set<Node>();
    const { username, password, clientId, clientSecret, applicationId } = simulator.credentials;
    const credentials = { username, password, clientId, clientSecret };
    const account = {
      service: "service",
      legacyAuth: "basic",
      applicationId,
      serviceAddress: proxy.url,
      attempts: 5,
    };
    const more: Nodes = [
      { id: "bystander", z: "tab", type: "helper" },
      { id: "feeder", z: "tab", type: "test-feeder", wires: [[SENDER]] },
      {
        id: SENDER,
        z: "tab",
        type: "sms-send",
        account: ACCOUNT,
        interface: "json",
        clientMessageId: "id",
        clientMessageIdSource: "msg",
        outputs: 6,
        wires: [0, 1, 2, 3, 4, 5].map(() => ["results"]),
      },
      { id: "results", z: "tab", type: "test-results" },
    ];
    // A copy: Node-RED writes changed credentials into the object that it was given.
    flow = await startFlow({
      account,
      credentials: { ...credentials },
      more,
      register: [registerEnds(feeders)],
    });
    const running = flow;
    let nodes = (helper as unknown as { _redNodes: { getFlows(): { flows: Nodes } } })._redNodes.getFlows()
      .flows;

    let handed = 0;
    let deploying: Promise<void> | null = null;
    for (let time = 0; handed < MESSAGES || deploying !== null; ) {
      const [feeder] = feeders;
      // Messages go on coming while a deploy is under way, as far as there are nodes to send and to take them.
      if (feeder !== undefined && running.node(SENDER) && received.size - seen.size < OUTSTANDING) {
        for (let some = 0; some < 5; some++) {
          const id = `m-${handed++}`;
          feeder.send({ id, to: "41790000001", payload: "Hello" } as never);
        }
      }
      if (deploying === null && time < DEPLOYS && handed >= ((time + 1) * MESSAGES) / (DEPLOYS + 1)) {
        const { type, change } = DEPLOYMENTS[time % DEPLOYMENTS.length]!;
        nodes = change(nodes, time, credentials);
        time++;
        deploying = deploy(nodes, type).then(() => {
          deploying = null;
        });
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    const untold = (): string[] => [...received].filter((id) => !seen.has(id));
    const inLog = (): number => Object.values(logged(running)).reduce((sum, count) => sum + count, 0);
    await waitFor(
      () => `a word on ${untold().length} messages, of which the log counts ${inLog()}`,
      () => inLog() >= untold().length,
    );

    log.read();
    const breaches: string[] = [];
    const left = logged(running);
    const silent = untold();
    // One more would be said twice: by a result and by the log.
    assert.equal(inLog(), silent.length, "the log counts each message without a result once");
    const arrived = silent.filter((id) => (log.taken.get(id) ?? 0) > 0).length;
    assert.ok(
      arrived >= left.accepted && arrived <= left.accepted + left.unknown,
      `${arrived} of those in the log were sent: ${JSON.stringify(left)}`,
    );
    const twice = silent.filter((id) => (log.taken.get(id) ?? 0) > 1);
    assert.deepEqual(twice, []);
    const count = { ...left, double: 0 };
    for (const id of received) {
      if (!seen.has(id)) {
        continue;
      }
      const fates = [...(seen.get(id) ?? [])];
      const taken = log.taken.get(id) ?? 0;
      const [fate] = fates;
      if (fates.length !== 1 || fate === undefined) {
        breaches.push(`${id}: said to be ${fates.join(" and ") || "nothing"}`);
        continue;
      }
      count[fate]++;
      count.double += taken > 1 ? 1 : 0;
      if (taken > 1 || (fate === "accepted" && taken === 0) || (fate === "not sent" && taken > 0)) {
        breaches.push(`${id}: ${fate}, and ${taken} times in the gateway's log`);
      }
    }
    const { accepted, unknown, double, "not sent": notSent } = count;
    console.log(
      `      ${DEPLOYS} deploys, ${handed} messages, ${handed - received.size} of them never reached the node: ` +
        `${accepted} accepted, ${notSent} not sent, ${unknown} unknown, ${double} double sends, 0 lost`,
    );
    assert.deepEqual(breaches.slice(0, 10), []);
    assert.ok(accepted > MESSAGES / 2 && notSent > 0);
  });
});
