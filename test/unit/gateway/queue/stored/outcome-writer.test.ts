import assert from "node:assert/strict";
import type { Verdict } from "../../../../../lib/gateway/codec/verdict";
import { type Answered, OutcomeWriter } from "../../../../../lib/gateway/queue/stored/outcome-writer";
import type { QueueCore } from "../../../../../lib/gateway/queue/stored/stored-messages";
import { PendingWrites } from "../../../../../lib/gateway/queue/stored/pending-writes";
import { answered as settledOf } from "../../../store/suite/store-under-test";
import { waitFor } from "../../../../support/wait-for";
import type { ClaimedRequest } from "../../../../../lib/store/jobs/request-claims";
import { SENT, useQueue } from "../queue-fixture";

const answeredOf = (id: number): Answered => ({
  request: { id, resultOwner: "me" } as ClaimedRequest,
  verdict: SENT,
  answeredAt: 0,
  settled: settledOf(id),
});

describe("outcomes and marks", () => {
  const fixture = useQueue();
  const writers: OutcomeWriter[] = [];
  // A mark that is still to come would be tried again for ever in a store that is closed.
  afterEach(() => Promise.all(writers.splice(0).map((writer) => writer.close())));

  interface Opened {
    readonly writer: OutcomeWriter;
    readonly pending: PendingWrites;
    /** What was told, in order. */
    readonly told: string[];
    /** Answers the request with this id; `emits` marks the result as soon as it leaves. */
    readonly answer: (id: number, emits?: boolean) => void;
  }

  function open(pending = new PendingWrites("a1"), marked?: (ids: readonly number[]) => void): Opened {
    const told: string[] = [];
    const emitting = new Set<number>();
    const results = {
      settled: ({ id }: ClaimedRequest, { outcome }: Verdict): void => {
        told.push(`left ${id} ${outcome}`);
        if (emitting.has(id)) {
          writer.emitted(id);
        }
      },
      marked: (ids: readonly number[]) => {
        told.push(...ids.map((id) => `marked ${id}`));
        marked?.(ids);
      },
    };
    const health = {
      works: () => {},
      failed: () => void told.push("fault"),
    };
    const core = {
      place: { store: fixture().store, instances: { id: "me" } },
      memory: { pending },
      results,
      listener: { late: () => void told.push("late") },
      work: { health },
    } as unknown as QueueCore;
    const writer = new OutcomeWriter(core, { forget: (id) => void told.push(`settled ${id}`) });
    writers.push(writer);
    const answer = (id: number, emits = true): void => {
      if (emits) {
        emitting.add(id);
      }
      writer.add(answeredOf(id));
    };
    return { writer, pending, told, answer };
  }

  /** Ids of requests that are leaving. */
  async function leaving(count: number): Promise<number[]> {
    const { take, store } = fixture();
    await take(...Array.from({ length: count }, (_unused, at) => `r${at}`));
    return (await store.claims.claim("a1", "me", count)).map(({ id }) => id);
  }

  /** A request that is leaving, and a writer. */
  async function one() {
    const [id = 0] = await leaving(1);
    const { engine, rows } = fixture();
    return { id, engine, rows, ...open() };
  }

  it("lets a result leave when its outcome is on the disk, and marks it then", async () => {
    const { id, engine, rows, told, answer } = await one();
    const free = engine.hold("requests_settle");
    answer(id);
    await waitFor("the write", () => engine.ran.includes("requests_settle"));
    assert.deepEqual(told, []);
    free();
    await waitFor("the mark", () => told.length === 3);
    assert.deepEqual(told, [`settled ${id}`, `left ${id} sent`, `marked ${id}`]);
    assert.deepEqual(await rows(), ["r0 emitted sent 1"]);
  });

  it("marks no result before the next nodes of the flow have got it", async () => {
    const ids = await leaving(2);
    const { engine } = fixture();
    const { writer, answer, told } = open(undefined, ([id]) => {
      if (id === ids[0]) {
        // Leaves at the very end of an operation with marks; what Node-RED does with it comes in a later turn.
        writer.emitted(ids[1] ?? 0);
        const before = marksBegun();
        setImmediate(() => told.push(marksBegun() === before ? "next node first" : "mark first"));
      }
    });
    const marksBegun = (): number => engine.ran.filter((name) => name === "requests_emitted").length;
    answer(ids[0] ?? 0);
    answer(ids[1] ?? 0, false);
    await waitFor("the second mark", () => told.includes(`marked ${ids[1]}`));
    assert.ok(told.includes("next node first"), told.join());
    await writer.close();
  });

  for (const when of ["before", "after"] as const) {
    it(`lets a result leave once where its outcome cannot be written, and writes it later (${when})`, async () => {
      const { id, engine, rows, told, answer } = await one();
      engine.fail("requests_settle", when, 2);
      answer(id);
      await waitFor("the mark", () => told.includes(`marked ${id}`));
      assert.deepEqual(told, ["fault", `left ${id} sent`, "fault", `settled ${id}`, `marked ${id}`]);
      assert.deepEqual(await rows(), ["r0 emitted sent 1"]);
    });
  }

  it("does not write as emitted what has not left, and says when it may", async () => {
    const { id, engine, rows, writer, told, answer } = await one();
    engine.fail("requests_settle", "before");
    answer(id, false);
    await waitFor("the late outcome", () => told.includes("late"));
    assert.deepEqual(await rows(), ["r0 settled sent 1"]);
    writer.emitted(id);
    await waitFor("the mark", () => told.includes(`marked ${id}`));
    assert.deepEqual(await rows(), ["r0 emitted sent 1"]);
  });

  it("tries marks again that could not be written", async () => {
    const { id, engine, rows, told, answer } = await one();
    engine.fail("requests_emitted", "before", 2);
    answer(id);
    await waitFor("the mark", () => told.includes(`marked ${id}`));
    assert.deepEqual(told.slice(2), ["fault", "fault", `marked ${id}`]);
    assert.deepEqual(await rows(), ["r0 emitted sent 1"]);
  });

  it("writes what it has when it closes", async () => {
    const [id = 0] = await leaving(1);
    const { writer, answer } = open();
    answer(id);
    await writer.close();
    assert.deepEqual(await fixture().rows(), ["r0 emitted sent 1"]);
  });

  it("leaves to the next one what it could not write when it closed, and tries nothing more", async () => {
    const [first = 0, second = 0, third = 0] = await leaving(3);
    const { engine, rows } = fixture();
    const before = open();
    engine.fail("requests_emitted", "before", 100);
    before.answer(first);
    await waitFor("the failed mark", () => before.told.includes("fault"));
    engine.fail("requests_settle", "before", 100);
    before.answer(second);
    before.answer(third, false);
    await before.writer.close();
    const faults = before.told.length;
    engine.mend();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(before.told.length, faults);
    assert.deepEqual(await rows(), ["r0 settled sent 1", "r1 sending", "r2 sending"]);
    const next = open(before.pending);
    await next.writer.recover();
    assert.deepEqual(await rows(), ["r0 emitted sent 1", "r1 emitted sent 1", "r2 settled sent 1"]);
    assert.deepEqual(
      next.told.filter((each) => each.startsWith("left")),
      [],
    );
  });

  it("makes an outcome that was known better than the unknown that stands for it after a new start", async () => {
    const [first = 0, second = 0] = await leaving(2);
    const { engine, rows, restart } = fixture();
    const before = open();
    engine.fail("requests_settle", "before", 100);
    before.answer(first);
    before.answer(second, false);
    await before.writer.close();
    engine.mend();
    await restart();
    assert.deepEqual(await rows(), ["r0 settled unknown", "r1 settled unknown"]);
    await open(before.pending).writer.recover();
    assert.deepEqual(await rows(), ["r0 emitted sent 1", "r1 settled sent 1"]);
  });
});
