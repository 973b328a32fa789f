import assert from "node:assert/strict";
import { ClaimAhead } from "../../../../../lib/gateway/queue/stored/claim-ahead";

describe("what is claimed ahead of a free connection", () => {
  /** Answers at this pace from 0 on, for so many ms. */
  const pacedAt = (connections: number, pause: number, until: number): ClaimAhead => {
    const ahead = new ClaimAhead(connections);
    for (let now = 0; now < until; now += pause) {
      ahead.answered(now);
    }
    return ahead;
  };

  it("is nothing before there were answers, and none where one process has the store", () => {
    assert.equal(new ClaimAhead(8).most(0), 0);
    assert.equal(pacedAt(0, 1, 300).most(300), 0);
  });

  it("is what starts within 25 ms, and not more than there are connections", () => {
    assert.equal(pacedAt(8, 10, 300).most(300), 2);
    assert.equal(pacedAt(8, 2.5, 300).most(300), 8);
    assert.equal(pacedAt(8, 1_000, 10_000).most(10_000), 0);
  });

  it("ends when answers no longer come", () => {
    const ahead = pacedAt(8, 2.5, 300);
    assert.equal(ahead.most(500), 0);
  });
});
