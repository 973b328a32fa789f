import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { NodeAPI } from "node-red";
import { FlowLifecycle } from "../../../../lib/runtime/node-red/flow-lifecycle";

describe("flow lifecycle", () => {
  const first = { flows: [] };
  const second = { flows: [] };

  /** What the lifecycle says at each step. */
  function states(...steps: readonly (readonly ["started" | "stopping", object])[]): string[] {
    const events = new EventEmitter();
    const lifecycle = FlowLifecycle.of({ events } as unknown as NodeAPI);
    return steps.map(([what, event]) => {
      events.emit(`flows:${what}`, event);
      const { partial, deploying, running } = lifecycle;
      return [running && "running", deploying && "deploying", partial && "partial"].filter(Boolean).join(" ");
    });
  }

  it("distinguishes a full deploy and a restart of flows from a stop", () => {
    assert.deepEqual(
      states(
        ["started", { config: first, type: "full" }],
        ["stopping", { config: second, type: "full" }],
        ["started", { config: second, type: "full" }],
        ["stopping", { config: second, type: "full" }],
        ["started", { config: second, type: "full" }],
      ),
      ["running", "deploying", "running", "", "running"],
    );
  });

  it("recognises a partial deploy by its type", () => {
    assert.deepEqual(
      states(
        ["started", { config: first, type: "full" }],
        ["stopping", { config: second, type: "nodes" }],
        ["started", { config: second, type: "nodes" }],
        ["stopping", { config: first, type: "flows" }],
      ),
      ["running", "deploying partial", "running", "deploying partial"],
    );
  });
});
