import assert from "node:assert/strict";
import { WorkerPool } from "../../../../lib/gateway/queue/worker-pool";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** WorkerPool whose work ends when it is told to. */
function controlled(size: number) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const pool: WorkerPool<string> = new WorkerPool<string>(size, (entry, worker) => {
    started.push(entry);
    ends.set(entry, () => pool.free(worker));
    return true;
  });
  const end = async (entry: string): Promise<void> => {
    ends.get(entry)?.();
    await turn();
  };
  return { pool, started, end };
}

describe("gateway worker pool", () => {
  it("starts within the call what has a worker, and the rest only when one is free", async () => {
    const { pool, started, end } = controlled(2);
    for (const entry of ["a", "b", "c", "d"]) {
      pool.add(entry, 0);
    }
    assert.deepEqual(started, ["a", "b"]);
    await end("b");
    assert.deepEqual(started, ["a", "b", "c"]);
    await end("c");
    await end("a");
    await end("d");
    pool.add("e", 0);
    pool.add("f", 0);
    pool.add("g", 0);
    assert.deepEqual(started, ["a", "b", "c", "d", "e", "f"]);
  });

  it("takes the highest rank first, and of equal ones the one that came first", async () => {
    const { pool, started, end } = controlled(1);
    pool.add("under way", 0);
    pool.add("new 1", 0);
    pool.add("second try 1", 1);
    pool.add("third try", 2);
    pool.add("new 2", 0);
    pool.add("second try 2", 1);
    for (let at = 0; at < 6; at++) {
      await end(started.at(-1) as string);
    }
    assert.deepEqual(started, ["under way", "third try", "second try 1", "second try 2", "new 1", "new 2"]);
  });

  it("keeps the order of thousands that wait, never works on more than its size, and loses none", async () => {
    const order: number[] = [];
    let busy = 0;
    let most = 0;
    const pool: WorkerPool<number> = new WorkerPool<number>(3, (entry, worker) => {
      most = Math.max(most, ++busy);
      order.push(entry);
      void turn().then(() => {
        busy--;
        pool.free(worker);
      });
      return true;
    });
    for (let entry = 1; entry <= 5000; entry++) {
      pool.add(entry, 0);
    }
    while (order.length < 5000 || busy > 0) {
      await turn();
    }
    assert.equal(most, 3);
    assert.deepEqual(
      order,
      Array.from({ length: 5000 }, (_none, at) => at + 1),
    );
  });
});
