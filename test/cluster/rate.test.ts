import assert from "node:assert/strict";
import type { FrontReport } from "./front-process";
import { busiestSecond } from "./rate";

const report = (times: readonly number[], stalls: FrontReport["stalls"] = []): FrontReport => ({
  arrivals: times.map((at) => [at, "/messaging/rcs/send", at === 900 ? 5 : 500]),
  stalls,
});

describe("the busiest second of the cluster suite", () => {
  it("is found wherever it begins", () => {
    const times = [0, 900, 1_500, 1_700, 1_899, 2_499, 2_500];
    const { requests, at, all, requestsAt } = busiestSecond(report(times), 0, 5_000);
    assert.deepEqual([requests, at, all], [4, 900, 7]);
    assert.deepEqual(requestsAt, ["0+", "600", "800", "999"]);
  });

  it("does not count two requests a whole second apart", () => {
    assert.equal(busiestSecond(report([0, 1_000]), 0, 5_000).requests, 1);
  });

  it("leaves out requests for tokens, and those of another time", () => {
    const { arrivals, stalls } = report([10, 20, 5_000]);
    const { all } = busiestSecond({ arrivals: [...arrivals, [15, "/oauth/token", 500]], stalls }, 0, 5_000);
    assert.equal(all, 2);
  });

  it("says which requests came when its own process was held up", () => {
    const held = report([100, 500, 502, 503], [[200, 500]]);
    const { requests, late } = busiestSecond(held, 0, 5_000);
    assert.deepEqual([requests, late], [1, 0]);
  });
});
