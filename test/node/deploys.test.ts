// Slow: the account sends at a limited rate, so that each deploy finds people who wait.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import helper from "node-red-node-test-helper";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { SendResult } from "../../lib/runtime/channels/send-result";
import { useFolder } from "../unit/store/use-folder";
import { waitFor } from "../support/wait-for";
import { ACCOUNT, type Config, resultOf, type TestFlow } from "./flow";
import { SimulatedService } from "./simulated-service";

type DeployType = "full" | "flows" | "nodes";

const PEOPLE = Array.from({ length: 60 }, (_none, at) => `99955${String(at).padStart(6, "0")}`);
const SLOW = { connections: 4, requestsPerSecond: 20 };
const FAST = { connections: 4, requestsPerSecond: 0 };
/** Nodes behind the Complete node. */
const HEARD = ["completed"];
const PORTS = [0, 1, 2, 3];

interface Runtime {
  readonly _redNodes: {
    getFlows(): { flows: readonly Config[] };
    setFlows(nodes: readonly Config[], credentials: undefined, type: DeployType): Promise<unknown>;
  };
  readonly _events: NodeJS.EventEmitter;
}

const { _redNodes: runtime, _events: events } = helper as unknown as Runtime;

describe("deploys while people wait at a rate", () => {
  const service = new SimulatedService({ type: "messaging-whatsapp-send", kind: "text" });
  const folder = useFolder();
  /** What each node of the type `test-ear` heard, by its id; it outlives the nodes. */
  const heard = new Map<string, NodeMessage[]>();

  const at = (id: string): NodeMessage[] => heard.get(id) ?? [];
  const results = (): SendResult[] => at("ear").map(resultOf);

  function registerEar(RED: NodeAPI): void {
    RED.nodes.registerType("test-ear", function ear(this: Node, config) {
      RED.nodes.createNode(this, config);
      this.on("input", (msg: NodeMessage) => void heard.set(this.id, [...at(this.id), msg]));
    });
    createRequire(__filename)("@node-red/nodes/core/sequence/17-split.js")(RED);
  }

  function start(sender: Config): Promise<TestFlow> {
    heard.clear();
    return service.start(
      { wires: PORTS.map(() => ["ear", "n-join"]), ...sender },
      {
        account: { ...SLOW, keepMessages: "computer", storeFolder: folder() },
        register: [registerEar],
        more: [
          { id: "ear", z: "tab", type: "test-ear" },
          { id: "n-join", z: "tab", type: "join", mode: "auto", wires: [["joined"]] },
          { id: "joined", z: "tab", type: "test-ear" },
        ],
      },
    );
  }

  /** Deploys the present flows with changes; null removes a node. Returns when Node-RED has stopped the old ones. */
  async function deploy(
    type: DeployType,
    change: Readonly<Record<string, Config | null>>,
    extra: readonly Config[] = [],
  ): Promise<void> {
    const flows = runtime.getFlows().flows.flatMap((node) => {
      // The test helper's own nodes do not outlive a deploy.
      const changed = HEARD.includes(String(node.id)) ? { type: "test-ear" } : change[String(node.id)];
      return changed === null ? [] : [{ ...node, ...changed }];
    });
    await runtime.setFlows(structuredClone([...flows, ...extra]), undefined, type);
  }

  async function deployAndStart(...what: Parameters<typeof deploy>): Promise<void> {
    const started = new Promise((resolve) => events.once("flows:started", resolve));
    await deploy(...what);
    await started;
  }

  /** How many results were on a wire when a full deploy closed the nodes at its ends. The log counts them. */
  const missed = (flow: TestFlow): number =>
    flow
      .log("error")
      .map((line) => {
        const [, results] = /because it was being deployed: (\d+) × sent\./.exec(line) ?? assert.fail(line);
        return Number(results);
      })
      .reduce((sum, people) => sum + people, 0);

  const fewSent = (): Promise<unknown> => waitFor("a few people", () => service.requests.length > 3);

  function assertEachOnce(): void {
    assert.deepEqual(
      service.requests.map(({ fields }) => String(fields.recipient).slice(1)).sort(),
      PEOPLE,
      "each person once",
    );
  }

  for (const type of ["full", "nodes"] as const) {
    it(`keeps a list as one group over two deploys (${type}), each recipient once`, async () => {
      const flow = await start({ clientMessageId: "news", clientMessageIdSource: "str" });
      flow.send({ to: PEOPLE.map((digits) => `+${digits}`), payload: "Hello" });
      await fewSent();
      await deployAndStart(type, { [ACCOUNT]: { ...SLOW, requestsPerSecond: 40 } });
      assert.ok(results().length < PEOPLE.length / 2, "most of them waited");
      const before = service.requests.length;
      await waitFor("some more", () => service.requests.length > before + 3);
      await deployAndStart(type, { [ACCOUNT]: FAST });
      await waitFor(
        () => `a result for each person: ${results().length} of ${service.requests.length}`,
        () => results().length + missed(flow) >= PEOPLE.length,
      );
      assertEachOnce();
      const ids = results().map(({ clientMessageId }) => String(clientMessageId));
      assert.equal(new Set(ids).size, PEOPLE.length - missed(flow), "one result each");
      const numbered = new Set(PEOPLE.map((_digits, index) => `news-${index + 1}`));
      assert.deepEqual(
        ids.filter((id) => !numbered.has(id)),
        [],
      );
      assert.deepEqual([...new Set(results().map(({ outcome }) => outcome))], ["sent"]);
      const parts = at("ear").map((each) => each.parts as { id: string; index: number; count: number });
      assert.equal(new Set(parts.map(({ id }) => id)).size, 1, "one group");
      assert.deepEqual(
        parts.map(({ index }) => `news-${index + 1}`),
        ids,
      );
      if (type === "nodes") {
        await waitFor("the joined group", () => at("joined").length > 0);
        const [joined] = at("joined") as (NodeMessage & { result: SendResult[] })[];
        assert.deepEqual(joined?.result.map(({ recipients: [one] }) => one).sort(), [...PEOPLE].sort());
        await waitFor("its end", () => at("completed").length > 0);
        assert.equal(at("completed").length, 1);
        assert.equal(missed(flow), 0);
      }
    });
  }

  it("delays messages while a node type is missing, and sends them later", async () => {
    const flow = await start({});
    flow.send({ to: PEOPLE.map((digits) => `+${digits}`), payload: "Hello" });
    await fewSent();
    await deploy("full", { [ACCOUNT]: FAST }, [{ id: "missing", z: "tab", type: "missing-type" }]);
    await waitFor("answers of what was under way", () => service.simulator.main.messages.length > 0);
    const lost = missed(flow);
    await deployAndStart("full", { missing: null });
    await waitFor("a result for each person", () => results().length + lost >= PEOPLE.length);
    assert.equal(missed(flow), lost, "no other error");
    assertEachOnce();
  });
});
