import assert from "node:assert/strict";
import { OwnRequests } from "../../../../../lib/gateway/queue/stored/own-requests";

describe("requests that a process accepted itself", () => {
  const of = (count: number, keyed = false): OwnRequests => {
    const own = new OwnRequests();
    for (let id = 1; id <= count; id++) {
      own.add(id, keyed);
    }
    own.next(0, 0);
    return own;
  };

  it("are claimed first, in their order and each once", () => {
    const own = of(5);
    assert.deepEqual(own.next(2, 1), { ids: [1, 2], keyed: false });
    assert.deepEqual(own.next(3, 2), { ids: [3, 4, 5], keyed: false });
    assert.equal(own.next(1, 3), null);
  });

  it("are not asked for again when somebody has claimed them", () => {
    const own = of(3);
    own.delete(1);
    assert.deepEqual(own.next(2, 1), { ids: [2, 3], keyed: false });
  });

  it("leave claims to all that wait where they are too few, and from time to time", () => {
    const own = of(10);
    assert.equal(own.next(11, 1), null);
    assert.deepEqual(own.next(1, 2)?.ids, [1]);
    assert.equal(own.next(1, 1_300), null);
    assert.deepEqual(own.next(1, 1_301)?.ids, [2]);
  });

  it("wait while older ones of the same process are found that are not known here", () => {
    const own = of(10);
    own.found(
      [
        { id: 3, resultOwner: "me" },
        { id: 99, resultOwner: "another" },
      ],
      "me",
    );
    assert.deepEqual(own.next(1, 1)?.ids, [1]);
    own.found([{ id: 99, resultOwner: "me" }], "me");
    assert.equal(own.next(1, 2), null);
    assert.deepEqual(own.next(1, 3)?.ids, [2]);
  });

  it("say whether one of them may have a once key", () => {
    const own = of(2);
    own.add(3, true);
    assert.equal(own.next(2, 1)?.keyed, false);
    assert.equal(own.next(1, 2)?.keyed, true);
  });

  it("are not remembered without end", () => {
    const own = of(20_000);
    assert.equal(own.next(10_001, 1), null);
    assert.equal(own.next(10_000, 2)?.ids.length, 10_000);
  });
});
