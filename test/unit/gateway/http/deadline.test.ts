import assert from "node:assert/strict";
import { Deadline } from "../../../../lib/gateway/http/deadline";

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

/** When it runs out, in ms from now. */
const end = (make: (expire: () => void) => void): Promise<number> =>
  new Promise((resolve) => {
    const began = performance.now();
    make(() => resolve(performance.now() - began));
  });

describe("gateway deadline", () => {
  it("runs out after its allowance, and after a longer one given later, not before", async () => {
    assert.ok((await end((expire) => new Deadline(20, expire))) >= 20);
    assert.ok((await end((expire) => new Deadline(20, expire).restart(60))) >= 60);
  });

  it("runs out sooner where a later allowance is shorter", async () => {
    const deadline = end((expire) => new Deadline(60_000, expire).restart(20));
    assert.ok((await deadline) < 10_000);
  });

  it("keeps one timer however often it begins again, and none when it is stopped", () => {
    const before = timers();
    const deadline = new Deadline(60_000, assert.fail);
    deadline.restart(90_000);
    deadline.restart(30_000);
    assert.equal(timers(), before + 1);
    deadline.stop();
    assert.equal(timers(), before);
  });

  // A file that was handed over whole says so even when its request was given up meanwhile.
  it("stays stopped, whatever it is told afterwards", () => {
    const before = timers();
    const deadline = new Deadline(60_000, assert.fail);
    deadline.stop();
    deadline.progress(1);
    deadline.restart(60_000);
    assert.equal(timers(), before);
  });
});
