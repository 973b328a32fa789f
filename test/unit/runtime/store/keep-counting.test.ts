import assert from "node:assert/strict";
import { keepCounting } from "../../../../lib/runtime/store/keep-counting";
import { waitFor } from "../../../support/wait-for";

const NEVER = 1_000_000;
/** Something is always on its way to the disk. */
const written = {
  get committedAt() {
    return Date.now() + 1;
  },
};
const QUICK = { first: 1, rest: 5, busy: NEVER, next: NEVER };

describe("the counting of days for reports", () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  function keep(
    pauses: Partial<typeof QUICK>,
    engine: { committedAt: number | null },
    isMore: (at: number) => boolean,
  ) {
    const told = { steps: 0, looks: 0 };
    const watched = {
      get committedAt() {
        told.looks++;
        return engine.committedAt;
      },
    };
    const step = () => Promise.resolve(isMore(++told.steps));
    ends.push(keepCounting(watched, step, { ...QUICK, ...pauses }));
    return told;
  }

  it("goes on while there is more, then pauses", async () => {
    const told = keep({ rest: 0 }, { committedAt: Date.now() }, (at) => at < 3);
    await waitFor("three days", () => told.steps === 3);
    assert.equal(told.looks, 3);
  });

  it("waits while the store is written to", async () => {
    const waiting = keep({}, written, () => true);
    await waitFor("several looks", () => waiting.looks > 3);
    assert.equal(waiting.steps, 0);
  });

  it("does not wait for a clock that was set back", async () => {
    const told = keep({ rest: 1 }, { committedAt: Date.now() + NEVER }, () => true);
    await waitFor("two days", () => told.steps > 1);
  });

  it("does one now and then where that never ends", async () => {
    const told = keep({ busy: 30 }, written, () => true);
    await waitFor("two days", () => told.steps === 2);
    assert.ok(told.looks > 4, `${told.looks} looks`);
  });

  it("goes on after a failure at its next time, and ends", async () => {
    let [steps, end] = [0, (): void => {}];
    end = keepCounting(
      { committedAt: null },
      () => {
        steps++;
        if (steps === 1) return Promise.reject(new Error("away"));
        // While a day is being counted.
        end();
        return Promise.resolve(true);
      },
      { ...QUICK, next: 1 },
    );
    await waitFor("a second step", () => steps > 1);
    const other = keep({}, { committedAt: null }, () => true);
    await waitFor("time for a third one", () => other.steps > 3);
    assert.equal(steps, 2);
  });
});
