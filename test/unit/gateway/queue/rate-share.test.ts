import assert from "node:assert/strict";
import { RateShare } from "../../../../lib/gateway/queue/rate-share";
import type { Rates } from "../../../../lib/store/jobs/rates";
import { HEARTBEAT_INTERVAL } from "../../../../lib/store/instances";

describe("RateShare", () => {
  const { now } = performance;
  const shares: RateShare[] = [];
  afterEach(() => {
    performance.now = now;
    for (const share of shares.splice(0)) share.stop();
  });

  /** Moves the clock that no user sets. */
  const pass = (ms: number): void => {
    const time = performance.now() + ms;
    performance.now = () => time;
  };

  async function join(count: number): Promise<RateShare> {
    const rates = { renewShare: async () => {}, countShares: async () => count } as unknown as Rates;
    await new Promise<void>((resolve) => {
      shares.push(
        new RateShare(
          rates,
          "https://service.example",
          "me",
          () => resolve(),
          () => {},
        ),
      );
    });
    return shares.at(-1) as RateShare;
  }

  it("holds a new process for two heartbeats when another one sends", async () => {
    pass(0);
    const share = await join(2);
    assert.equal(Math.round(share.heldFor), 2 * HEARTBEAT_INTERVAL);
    pass(2 * HEARTBEAT_INTERVAL);
    assert.equal(share.heldFor, 0);
  });

  it("holds nothing when no other process sends", async () => {
    assert.equal((await join(1)).heldFor, 0);
  });

  it("holds a process that has not counted the others for two heartbeats", async () => {
    pass(0);
    const share = await join(1);
    pass(2 * HEARTBEAT_INTERVAL + 1);
    assert.ok(share.heldFor > 0);
  });
});
