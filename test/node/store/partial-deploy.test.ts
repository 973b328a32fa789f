import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { Account } from "../../../lib/runtime/account/account";
import { QueueControl } from "../../../lib/store/queue-control";
import { Recovery } from "../../../lib/store/recovery";
import { Requests } from "../../../lib/store/requests";
import { useFolder } from "../../unit/store/use-folder";
import { waitFor } from "../../support/wait-for";
import { type Config, resultOf, SENDER } from "../flow";
import { useSimulator } from "../use-simulator";
import { inStore, startStored, TO } from "./stored-flow";

interface Runtime {
  readonly _redNodes: {
    getFlows(): { flows: readonly Config[] };
    setFlows(nodes: readonly Config[], credentials: undefined, type: "nodes"): Promise<unknown>;
  };
}

const { _redNodes: runtime } = helper as unknown as Runtime;

describe("a deploy of a node whose account keeps messages", () => {
  const simulator = useSimulator();
  const folder = useFolder();

  it("emits nothing again of a message that is done while the new node looks for interrupted ones", async () => {
    const heard: NodeMessage[] = [];
    const registerEar = (RED: NodeAPI): void =>
      RED.nodes.registerType("test-ear", function ear(this: Node, config) {
        RED.nodes.createNode(this, config);
        this.on("input", (msg: NodeMessage) => void (this.id === "ear" && heard.push(msg)));
      });
    const flow = await startStored(simulator, folder(), {
      account: { requestsPerSecond: 1, connections: 1 },
      sender: { wires: [["ear"], ["ear"], ["ear"], ["ear"]] },
      register: [registerEar],
      more: [{ id: "ear", z: "tab", type: "test-ear" }],
    });
    const emitted = async (count: number): Promise<boolean> =>
      (await inStore(folder(), "SELECT id FROM requests WHERE state = 'emitted'")).length === count;
    flow.send({ to: [TO, "12"], payload: "list" });
    await waitFor("the first part", () => emitted(1));

    const { interrupted, settled } = Recovery.prototype;
    let found: readonly number[] = [];
    let isRead = false;
    Recovery.prototype.interrupted = async function (...which) {
      const page = await interrupted.apply(this, which);
      if (page.length > 0) {
        found = page;
        await waitFor("the last part", () => emitted(2));
      }
      return page;
    };
    // Comes after what was interrupted.
    Recovery.prototype.settled = async function (...which) {
      isRead ||= found.length > 0;
      return settled.apply(this, which);
    };
    try {
      // The test helper's own nodes do not outlive a deploy.
      const flows = runtime.getFlows().flows.map((node) => ({
        ...node,
        ...(node.type === "helper" ? { type: "test-ear" } : {}),
        ...(node.id === SENDER ? { name: "deployed" } : {}),
      }));
      await runtime.setFlows(structuredClone(flows), undefined, "nodes");
      await waitFor("the new node to look for results", () => isRead);
      assert.deepEqual(found, [1]);
      assert.deepEqual(
        heard.map((msg) => resultOf(msg).recipients),
        [[TO], ["12"]],
      );
    } finally {
      Object.assign(Recovery.prototype, { interrupted, settled });
    }
  });

  it("sets no message aside while the node is gone for a moment, though the store opens only then", async () => {
    let release = (): void => {};
    const opening = new Promise<void>((resolve) => (release = resolve));
    const { lookAgain } = Requests.prototype;
    const { park } = QueueControl.prototype;
    const parked: (readonly string[])[] = [];
    let isOpening = false;
    Requests.prototype.lookAgain = async function (...which) {
      isOpening = true;
      await opening;
      return lookAgain.apply(this, which);
    };
    QueueControl.prototype.park = async function (account, nodes) {
      parked.push(nodes);
      return park.call(this, account, nodes);
    };
    try {
      let storeOf: () => Promise<unknown> = async () => null;
      const endAfterStore = async (done: () => void): Promise<void> => {
        await storeOf();
        done();
      };
      const registerSlow = (RED: NodeAPI): void =>
        RED.nodes.registerType("test-slow", function slow(this: Node, config) {
          RED.nodes.createNode(this, config);
          // The store opens while the nodes of the old flows are gone and those of the new ones are not there yet.
          this.on("close", (done: () => void) => {
            release();
            void endAfterStore(done);
          });
        });
      const flow = await startStored(simulator, folder(), {
        register: [registerSlow],
        more: [{ id: "slow", z: "tab", type: "test-slow" }],
      });
      await waitFor("the store to open", () => isOpening);
      storeOf = async () => {
        const opened = await Account.of(flow.account).store();
        // Asked one after the other, these come after everything that the opening has begun.
        for (let n = 0; n < 30; n++) await opened?.store.requests.counts(opened.account);
      };
      const flows = runtime.getFlows().flows.map((node) => ({
        ...node,
        ...(node.type === "helper" ? { type: "test-slow" } : {}),
        ...(node.id === SENDER || node.id === "slow" ? { name: "deployed" } : {}),
      }));
      await runtime.setFlows(structuredClone(flows), undefined, "nodes");
      await waitFor("the new node to be looked for", () => parked.length > 0);
      assert.deepEqual(parked, [[SENDER]]);
    } finally {
      release();
      Object.assign(Requests.prototype, { lookAgain });
      Object.assign(QueueControl.prototype, { park });
    }
  });
});
