import assert from "node:assert/strict";
import { mock } from "node:test";
import { SharedRateGate } from "../../../../lib/gateway/queue/shared-rate-gate";
import type { QueueCore } from "../../../../lib/gateway/queue/stored/stored-messages";
import { NO_GUARD } from "../../../../lib/store/guards/guard-calls";
import type { Rate, Turns } from "../../../../lib/store/jobs/rates";
import type { ClaimedRequest } from "../../../../lib/store/jobs/request-claims";
import { waitFor } from "../../../support/wait-for";
import { TestHandle } from "./queue-fixture";

const INTERVAL = 30;

/** Turns as a database gives them, without one. */
class TestRates {
  next = 0;
  blockedUntil = 0;
  readonly blocks: number[] = [];
  /** ms by which an answer comes later. */
  delay = 0;
  fails = false;
  asked = 0;
  answered = 0;

  async take({ interval, lead, ahead }: Rate, most: number): Promise<Turns> {
    this.asked++;
    if (this.fails) {
      throw new Error("away");
    }
    const askedAt = performance.now();
    const first = Math.max(this.next, askedAt + lead, this.blockedUntil);
    const last = askedAt + lead + ahead;
    const fitting = first > last ? 0 : Math.floor((last - first) / interval) + 1;
    const granted = Math.min(most, fitting);
    this.next = first + granted * interval;
    const wait = granted === fitting ? Math.max(1, this.next - last) : 0;
    if (this.delay > 0) {
      await new Promise((resolve) => setTimeout(resolve, this.delay));
    }
    this.answered++;
    return { granted, first: first - askedAt, wait, askedAt };
  }

  async now(): Promise<number> {
    return performance.now();
  }

  async block(_origin: string, ms: number): Promise<void> {
    this.blocks.push(ms);
  }

  async blockedFor(): Promise<number> {
    return this.blockedUntil === 0 ? Number.NEGATIVE_INFINITY : this.blockedUntil - performance.now();
  }
}

describe("rate gate of processes that share a store", () => {
  let gates: SharedRateGate[] = [];
  afterEach(() => {
    mock.restoreAll();
    for (const gate of gates) {
      gate.stop();
    }
    gates = [];
  });

  function open(rates: TestRates, { interval = INTERVAL, waiting = 100 } = {}) {
    let left = waiting;
    const claim = (most: number): ClaimedRequest[] =>
      Array.from({ length: Math.min(most, left) }, () => ({ id: left-- }) as ClaimedRequest);
    const dispatcher = new TestHandle(8);
    dispatcher.interval = interval;
    const store = {
      rates,
      claims: {
        claim: async (_account: string, _owner: string, most: number) =>
          (await rates.blockedFor()) > 0 ? [] : claim(most),
        claimInTurn: async (_account: string, _owner: string, most: number, rate: Rate) => {
          const turns = await rates.take(rate, Math.min(most, left));
          return { requests: claim(turns.granted), turns };
        },
      },
    };
    const begun: number[] = [];
    const givenBack: number[] = [];
    let turns = 0;
    const core = {
      dispatcher,
      place: { account: "a1", store, instances: { id: "me" } },
      rules: { guard: () => NO_GUARD },
      simulated: false,
    } as unknown as QueueCore;
    const putBack = { put: ({ id }: ClaimedRequest) => void givenBack.push(id) };
    const gate = new SharedRateGate(core, putBack, () => void turns++);
    gates.push(gate);
    /** Claims one request. */
    const claimOne = async () => {
      gate.reserve(1);
      return gate.claim(gate.use());
    };
    return { gate, dispatcher, begun, givenBack, turns: () => turns, claimOne };
  }

  const left = (): void => assert.fail("it has left");

  /** Claims as a queue does, as often as there are turns. */
  async function pump({ gate, begun, turns }: ReturnType<typeof open>, until: () => boolean): Promise<void> {
    while (!until()) {
      const before = turns();
      gate.reserve(8 - gate.waiting);
      const most = gate.use();
      if (most > 0) {
        const { requests } = await gate.claim(most);
        gate.start(requests, (_request, latest) => {
          const now = performance.now();
          assert.ok(
            latest === Number.POSITIVE_INFINITY || (latest >= now && latest <= now + 10.5),
            `${latest}`,
          );
          begun.push(now);
        });
      }
      await waitFor("a turn", () => until() || turns() > before);
    }
  }

  it("lets several together send no faster than the rate", async () => {
    const rates = new TestRates();
    const two = [open(rates), open(rates)];
    const all = (): number[] => two.flatMap(({ begun }) => begun).sort((a, b) => a - b);
    await Promise.all(two.map((each) => pump(each, () => all().length >= 12)));
    const times = all().slice(0, 12);
    const took = (times.at(-1) as number) - (times[0] as number);
    // Each may be late by as much as makes its turn void.
    assert.ok(took >= 11 * INTERVAL - 10, `${took} ms`);
  });

  it("takes a new turn for a request that missed its own", async () => {
    const rates = new TestRates();
    rates.delay = 60;
    const one = open(rates, { waiting: 1 });
    await pump(one, () => one.begun.length === 1);
    assert.ok(rates.asked >= 2, "it left at a time that was over");
    assert.deepEqual(one.givenBack, []);
  });

  it("gives a request back that gets no new turn", async () => {
    const rates = new TestRates();
    rates.delay = 60;
    const one = open(rates, { waiting: 1 });
    const { requests } = await one.claimOne();
    rates.fails = true;
    one.gate.start(requests, left);
    await waitFor("the request", () => one.givenBack.length === 1);
    assert.equal(one.gate.waiting, 0);
  });

  it("gives back what waits for its turn when it stops", async () => {
    const rates = new TestRates();
    // Its turn does not come while a busy machine looks elsewhere.
    const at = performance.now();
    mock.method(performance, "now", () => at);
    rates.next = at + 15;
    const one = open(rates, { waiting: 1 });
    const { requests } = await one.claimOne();
    assert.equal(requests.length, 1);
    one.gate.start(requests, left);
    assert.equal(one.gate.waiting, 1);
    assert.deepEqual(
      one.gate.stop().map(({ id }) => id),
      [1],
    );
  });

  it("gives back what waits for a new turn when it stops, and nothing twice", async () => {
    const rates = new TestRates();
    rates.delay = 60;
    const one = open(rates, { waiting: 1 });
    const { requests } = await one.claimOne();
    one.gate.start(requests, left);
    assert.equal(rates.asked, 2, "its turn is over");
    assert.equal(one.gate.waiting, 1);
    assert.deepEqual(
      one.gate.stop().map(({ id }) => id),
      [1],
    );
    await waitFor("the answer", () => rates.answered === 2);
    assert.deepEqual([one.gate.waiting, one.givenBack], [0, []]);
  });

  it("starts nothing that was claimed before its process was told to make a pause", async () => {
    const rates = new TestRates();
    rates.next = performance.now() + 15;
    const one = open(rates, { waiting: 1 });
    const { requests } = await one.claimOne();
    one.dispatcher.blockedFor = 1_000;
    rates.blockedUntil = performance.now() + 1_000;
    one.gate.start(requests, left);
    await waitFor("the request", () => one.givenBack.length === 1);
  });

  it("asks once more where a back-off was over between its two questions", async () => {
    const rates = new TestRates();
    const one = open(rates, { interval: 0, waiting: 0 });
    // It is just over, also on a busy machine.
    const at = performance.now();
    mock.method(performance, "now", () => at);
    rates.blockedUntil = at - 1;
    const { requests, drained } = await one.claimOne();
    mock.restoreAll();
    assert.deepEqual([requests.length, drained], [0, false]);
    await waitFor("a turn", () => one.turns() === 1);
  });

  for (const interval of [0, INTERVAL]) {
    it(`asks again when a back-off of another process is over, ${interval === 0 ? "without" : "with"} a rate`, async () => {
      const rates = new TestRates();
      rates.blockedUntil = performance.now() + 150;
      const one = open(rates, { interval });
      await pump(one, () => one.begun.length > 0);
      assert.ok((one.begun[0] as number) >= rates.blockedUntil, "it left during the back-off");
      assert.ok(rates.asked < 20, `${rates.asked} questions`);
    });
  }

  it("tells the others of a back-off, and keeps to its own without them", async () => {
    const rates = new TestRates();
    const one = open(rates, { interval: 0 });
    one.dispatcher.backOff?.(5_000);
    assert.deepEqual(rates.blocks, [5_000]);
    one.dispatcher.blockedFor = 40;
    one.gate.reserve(8);
    assert.equal(one.gate.use(), 0);
    one.dispatcher.blockedFor = 0;
    await waitFor("a turn", () => one.turns() === 1);
    one.gate.reserve(8);
    assert.equal(one.gate.use(), 8);
  });
});
