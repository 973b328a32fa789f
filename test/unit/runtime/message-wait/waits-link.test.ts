import assert from "node:assert/strict";
import { WaitsLink } from "../../../../lib/runtime/message-wait/waits-link";
import type { WaitListener } from "../../../../lib/runtime/waits/waits";
import { FakeWaits } from "../../../support/waits/fake-waits";
import { waitFor } from "../../../support/wait-for";

/** What the node is told of the store. */
function listenerWith(troubles: (string | null)[]): WaitListener {
  return {
    matches: () => true,
    others: "output",
    emit: () => {},
    counted: () => {},
    clone: (msg) => msg,
    textless: () => {},
    trouble: (error) => void troubles.push(error?.message ?? null),
  };
}

/** Resolves after every timer of no time that was set before. */
const afterTimers = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 0));

describe("the link of a node to the waits of its account", () => {
  it("tries again by itself until the store is there, and says both", async () => {
    const waits = new FakeWaits();
    const troubles: (string | null)[] = [];
    let left = 3;
    const open = async (): Promise<FakeWaits> => {
      if (left-- > 0) {
        throw new Error("away");
      }
      return waits;
    };
    const link = new WaitsLink("n", listenerWith(troubles), open, 1);
    await assert.rejects(link.open(), /away/);
    await waitFor("the node to join", () => waits.joined.has("n"));
    assert.deepEqual(troubles, ["away", "away", "away", null]);
    link.close();
  });

  it("neither joins nor tries again after it was closed", async () => {
    const waits = new FakeWaits();
    const troubles: (string | null)[] = [];
    let opened = 0;
    let arrive = (): void => {};
    const late = new WaitsLink("n", listenerWith(troubles), async () => {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      return waits;
    });
    const opening = late.open();
    late.close();
    arrive();
    await opening;
    assert.equal(waits.joined.size, 0);
    const away = new WaitsLink(
      "n",
      listenerWith(troubles),
      async () => {
        opened++;
        throw new Error("away");
      },
      0,
    );
    await assert.rejects(away.open(), /away/);
    away.close();
    await afterTimers();
    assert.deepEqual([opened, troubles], [1, ["away"]]);
  });
});
