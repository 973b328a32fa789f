import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mock } from "node:test";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { RedeployHandover } from "../../../../lib/runtime/node-red/redeploy-handover";

type Hold = (event: { msg: NodeMessage; destination: { id: string } }) => false | undefined;

/** Only what a handover uses of Node-RED. */
class Runtime {
  readonly events = new EventEmitter();
  hold: Hold | null = null;
  readonly hooks = {
    add: (_name: string, hold: Hold) => {
      assert.equal(this.hold, null, "one hook at a time");
      this.hold = hold;
    },
    remove: () => {
      this.hold = null;
    },
  };
  readonly handover: RedeployHandover;

  constructor() {
    this.handover = RedeployHandover.of(this as unknown as NodeAPI);
    this.events.emit("flows:started", { config: {} });
  }

  deploy(): void {
    this.events.emit("flows:stopping", { config: {}, type: "full" });
  }

  node(name: string): Node & { readonly received: NodeMessage[] } {
    const received: NodeMessage[] = [];
    const receive = (msg: NodeMessage): number => received.push(msg);
    return { id: "send", name, received, receive } as unknown as Node & { received: NodeMessage[] };
  }
}

describe("redeploy handover", () => {
  it("hands over to the successor when a second deploy precedes the flows' start", async () => {
    const runtime = new Runtime();
    const { handover } = runtime;
    const [first, second, third] = [runtime.node("first"), runtime.node("second"), runtime.node("third")];
    const successors: [string, string][] = [];
    const settled =
      (of: Node) =>
      (successor: unknown): void =>
        void successors.push([of.name ?? "", (successor as Node | null)?.name ?? "none"]);

    runtime.deploy();
    handover.begin(first, settled(first));
    const held = { _msgid: "held" };
    assert.equal(runtime.hold?.({ msg: held, destination: { id: "send" } }), false);
    handover.arrive(second);
    runtime.deploy();
    handover.begin(second, settled(second));
    assert.deepEqual(successors, [["first", "second"]], "the second passes on what it gets");
    handover.arrive(third);
    runtime.events.emit("flows:started", { config: {} });
    assert.deepEqual(successors, [
      ["first", "second"],
      ["second", "third"],
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([second.received, third.received], [[], [held]]);
    assert.equal(runtime.hold, null);
  });

  it("retains messages until the flows start, and warns after a minute", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const runtime = new Runtime();
      const successors: unknown[] = [];
      const warnings: string[] = [];
      const node = Object.assign(runtime.node("first"), { warn: (text: string) => warnings.push(text) });
      const config = {};
      runtime.events.emit("flows:stopping", { config, type: "full" });
      runtime.handover.begin(node, (successor) => successors.push(successor));
      mock.timers.tick(59_999);
      assert.deepEqual(warnings, []);
      mock.timers.tick(1);
      assert.match(warnings.join(), /^The deploy has ended, but the flows have not started/);
      assert.deepEqual(successors, []);
      runtime.events.emit("flows:stopping", { config, type: "full" });
      assert.deepEqual(successors, [null]);
    } finally {
      mock.timers.reset();
    }
  });
});
