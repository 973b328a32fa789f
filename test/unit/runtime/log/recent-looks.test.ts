import assert from "node:assert/strict";
import { LastResults } from "../../../../lib/runtime/activity/last-results";
import type { LastOfStore } from "../../../../lib/runtime/log/last-of-all";
import { RecentLooks } from "../../../../lib/runtime/log/recent-looks";
import type { Present } from "../../../../lib/store/history/present";

const LAST: LastOfStore = { acceptedAt: 1, failure: null, lasting: null };

describe("what was read of the store for the state of an account", () => {
  /** @returns how often it was read by looks at these times, of an account with so many requests that wait */
  async function reads(
    times: readonly number[],
    waiting = 0,
  ): Promise<readonly [last: number, present: number]> {
    const looks = RecentLooks.of(new LastResults());
    let [last, present] = [0, 0];
    for (const now of times) {
      await looks.last(now, async () => {
        last++;
        return LAST;
      });
      await looks.present(now, async () => {
        present++;
        return { ready: 1, waiting } as Present;
      });
    }
    return [last, present];
  }

  it("is as good as new for a second, but for what waits, which is counted each time", async () => {
    assert.deepEqual(await reads([5, 500, 1_004]), [1, 3]);
    assert.deepEqual(await reads([5, 1_005]), [2, 2]);
    assert.deepEqual(await reads([5, 4]), [2, 2], "a clock that was put back");
  });

  it("has what waits, too, where that is so much that counting takes a while", async () => {
    assert.deepEqual(await reads([5, 500, 1_004, 1_005], 10_000), [2, 2]);
    assert.deepEqual(await reads([5, 500], 9_999), [1, 2]);
  });

  it("has what took long to count for twenty times as long", async () => {
    const looks = RecentLooks.of(new LastResults());
    let [elapsed, present] = [0, 0];
    const read = async (): Promise<Present> => {
      present++;
      elapsed += 150;
      return { ready: 0, waiting: 200_000 } as Present;
    };
    for (const now of [5, 1_005, 3_004]) {
      await looks.present(now, read, () => elapsed);
    }
    assert.equal(present, 1);
    await looks.present(3_005, read, () => elapsed);
    assert.equal(present, 2);
  });

  it("belongs to one account, and is read again after a failure", async () => {
    const here = new LastResults();
    assert.equal(RecentLooks.of(here), RecentLooks.of(here));
    assert.notEqual(RecentLooks.of(here), RecentLooks.of(new LastResults()));
    const looks = RecentLooks.of(here);
    await assert.rejects(
      looks.last(1, () => Promise.reject(new Error("away"))),
      /away/,
    );
    assert.equal(await looks.last(1, async () => LAST), LAST);
  });
});
