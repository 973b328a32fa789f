import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { MemoryWaits } from "../../../../../lib/runtime/waits/memory/memory-waits";
import { TooManyWaitsError } from "../../../../../lib/runtime/waits/too-many-waits-error";
import { ADA, BEN, CAT, waitsUnderTest } from "./waits-under-test";

const MINUTE = 60_000;

describe("MemoryWaits for a delivery", () => {
  it("ends by the first event that says that the message arrived", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    const msg: NodeMessage = { _msgid: "m", payload: "hello" };
    await begin({ msg });
    for (const word of ["accepted", "sent", "undelivered", "somewhere", " "]) {
      status(word);
    }
    assert.deepEqual([node.ends, node.open], [[], 1]);
    status(" Delivered ", ADA, { at: timing.now() - 5 });
    assert.deepEqual(node.ends, [
      {
        what: "happened",
        msg,
        recipients: [ADA],
        kind: "delivered",
        status: "delivered",
        at: timing.now() - 5,
        reply: null,
        replaced: false,
        restored: false,
        sequence: null,
      },
    ]);
    status("read");
    status("failed");
    await timing.advance(2 * MINUTE);
    assert.deepEqual([node.ends.length, node.open], [1, 0]);
  });

  it("fails by every word that says that it never will", async () => {
    for (const word of ["failed", "expired", "deleted", "rejected"]) {
      for (const kind of ["delivered", "read", "reply"] as const) {
        const { join, begin, status } = waitsUnderTest();
        const node = join();
        await begin({ kind });
        status(word);
        assert.deepEqual(node.told(), [["failed", ADA, word]]);
      }
    }
  });

  it("takes what was read for delivered, and waits for the reading where it is told to", async () => {
    const { join, begin, status } = waitsUnderTest();
    const node = join();
    await begin();
    status("read");
    await begin({ kind: "read", transferId: "t2" });
    status("delivered", ADA, { transferId: "t2" });
    assert.equal(node.ends.length, 1);
    // What arrived has arrived, whatever else is said of it.
    status("failed", ADA, { transferId: "t2" });
    assert.equal(node.ends.length, 1);
    status("read", ADA, { transferId: "t2" });
    assert.deepEqual(node.told(), [
      ["happened", ADA, "read"],
      ["happened", ADA, "read"],
    ]);
  });

  it("ends in silence when its time is over, and hears nothing after that", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    await begin({}, MINUTE);
    await timing.advance(MINUTE - 1);
    assert.equal(node.ends.length, 0);
    await timing.advance(1);
    assert.deepEqual(
      node.ends.map(({ what, recipients, at, kind, replaced }) => [what, recipients, at, kind, replaced]),
      [["silent", [ADA], timing.now(), "delivered", false]],
    );
    status("delivered");
    assert.deepEqual([node.ends.length, node.open], [1, 0]);
  });

  it("ends at once by events before it began, by the furthest of them", async () => {
    const { join, begin, status } = waitsUnderTest();
    const node = join();
    for (const word of ["failed", "delivered", "sent"]) {
      status(word);
    }
    await begin();
    assert.deepEqual(node.told(), [["happened", ADA, "delivered"]]);
  });

  it("takes the latest of events of one rank", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    const now = timing.now();
    status("expired", ADA, { at: now });
    status("deleted", ADA, { at: now - 1 });
    await begin();
    assert.deepEqual(
      node.ends.map(({ status: word, at }) => [word, at]),
      [["expired", now]],
    );
  });

  it("finds events before it began for ten minutes, and no longer", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    status("delivered");
    await timing.advance(10 * MINUTE - 1);
    await begin();
    assert.equal(node.ends.length, 1);
    await timing.advance(1);
    await begin();
    assert.equal(node.ends.length, 1);
  });

  it("gets events of its own request only", async () => {
    const { join, begin, status } = waitsUnderTest();
    const node = join();
    await begin({ transferId: "t", clientMessageId: "c" });
    status("delivered", ADA, { transferId: "other" });
    status("delivered", ADA, { transferId: "other", clientMessageId: "other" });
    status("delivered", ADA, { transferId: null, clientMessageId: "other" });
    status("delivered", ADA, { transferId: null, clientMessageId: null });
    assert.equal(node.ends.length, 0);
    status("delivered", ADA, { transferId: null });
    assert.equal(node.ends.length, 1);
  });

  it("knows a request without an answer by its client message id", async () => {
    for (const before of [true, false]) {
      const { join, begin, status } = waitsUnderTest();
      const node = join();
      if (!before) {
        await begin({ transferId: null });
      }
      status("delivered", ADA, { transferId: "made by the service" });
      if (before) {
        await begin({ transferId: null });
      }
      assert.equal(node.ends.length, 1, String(before));
    }
  });

  it("takes the newest of several requests with one client message id, and the one with the number", async () => {
    const { join, begin, status } = waitsUnderTest();
    const older = join("older");
    const newer = join("newer");
    const ben = join("ben");
    const lists = { clientMessageId: "daily", recipients: [ADA, CAT] };
    await begin({ ...lists, node: "older", transferId: "t1" });
    await begin({ ...lists, node: "newer", transferId: "t2" });
    await begin({ node: "ben", transferId: "t3", clientMessageId: "daily", recipients: [BEN] });
    status("delivered", ADA, { transferId: null, clientMessageId: "daily" });
    assert.deepEqual([older.told().length, newer.told().length, ben.told().length], [0, 1, 0]);
    status("delivered", BEN, { transferId: null, clientMessageId: "daily" });
    assert.deepEqual([older.told().length, newer.told().length, ben.told().length], [0, 1, 1]);
  });

  it("does not take an event of an earlier request with its client message id for its own", async () => {
    const { join, begin, status, departures, timing } = waitsUnderTest();
    const node = join();
    departures.note("daily");
    status("delivered", ADA, { transferId: null, clientMessageId: "daily" });
    await timing.advance(MINUTE);
    departures.note("daily");
    await begin({ clientMessageId: "daily", transferId: null });
    assert.equal(node.ends.length, 0);
    status("delivered", ADA, { transferId: null, clientMessageId: "daily" });
    assert.equal(node.ends.length, 1);
  });

  it("needs no number for the only recipient, and one for several", async () => {
    const { join, begin, status } = waitsUnderTest();
    const one = join("one");
    const two = join("two");
    await begin({ node: "one" });
    await begin({ node: "two", transferId: "t2", recipients: [ADA, BEN] });
    status("delivered", null);
    status("delivered", null, { transferId: "t2" });
    status("delivered", CAT, { transferId: "t2" });
    assert.deepEqual([one.ends.length, two.ends.length], [1, 0]);
  });

  it("tells each of several nodes that wait for one request", async () => {
    const { join, begin, status } = waitsUnderTest();
    const nodes = ["a", "b"].map((identity) => join(identity));
    for (const node of ["a", "b"]) {
      await begin({ node, kind: node === "a" ? "delivered" : "read" });
    }
    status("delivered");
    status("read");
    assert.deepEqual(
      nodes.map((node) => node.told()),
      [[["happened", ADA, "delivered"]], [["happened", ADA, "read"]]],
    );
  });
});

describe("MemoryWaits for a list", () => {
  const numbers = Array.from({ length: 1_000 }, (_unused, n) => `4179${String(n).padStart(7, "0")}`);

  it("ends once for each of whom something is heard, and once for all others", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    await begin({ recipients: numbers });
    assert.equal(node.open, 1_000);
    for (const [at, number] of numbers.entries()) {
      if (at % 25 === 0) {
        status("failed", number);
      } else if (at < 937 || at % 2 === 0) {
        status("delivered", number);
      }
    }
    await timing.advance(MINUTE);
    const counts = { happened: 0, failed: 0, silent: 0, other: 0 };
    for (const { what } of node.ends) {
      counts[what]++;
    }
    const silent = numbers.filter((_number, at) => at >= 937 && at % 2 === 1 && at % 25 !== 0);
    assert.deepEqual(counts, { happened: 960 - silent.length, failed: 40, silent: 1, other: 0 });
    assert.deepEqual(node.ends.at(-1)?.recipients, silent);
    assert.equal(node.open, 0);
  });

  it("counts its messages, and says with the last one how many there were", async () => {
    for (const allHeard of [true, false]) {
      const { join, begin, status, timing } = waitsUnderTest();
      const node = join();
      await begin({ recipients: [ADA, BEN, CAT] });
      for (const number of allHeard ? [BEN, ADA, CAT] : [CAT, ADA]) {
        status("delivered", number);
      }
      await timing.advance(MINUTE);
      const id = node.ends[0]?.sequence?.id;
      assert.ok(id);
      assert.deepEqual(
        node.ends.map(({ sequence }) => sequence),
        [0, 1, 2].map((index) => ({ id, index, count: index === 2 ? 3 : null })),
      );
    }
  });

  it("gives each end a message of its own, with nothing in common", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    const msg = { _msgid: "m", payload: { rows: [{ a: 1 }], file: Buffer.from("x") } } as NodeMessage;
    await begin({ recipients: [ADA, BEN, CAT], msg });
    status("delivered", ADA);
    (node.ends[0]!.msg.payload as { rows: { a: number }[] }).rows[0]!.a = 2;
    (node.ends[0]!.msg.payload as { file: Buffer }).file.write("y");
    status("failed", BEN);
    await timing.advance(MINUTE);
    const [, second, third] = node.ends;
    assert.equal(new Set(node.ends.map(({ msg: each }) => each)).size, 3);
    for (const end of [second, third]) {
      assert.deepEqual(end?.msg.payload, { rows: [{ a: 1 }], file: Buffer.from("x") });
    }
  });

  it("takes a number that is there twice, or with a plus, once", async () => {
    const { join, begin, status } = waitsUnderTest();
    const node = join();
    await begin({ recipients: [`+${ADA}`, ADA] });
    assert.equal(node.open, 1);
    status("delivered");
    assert.deepEqual([node.told(), node.open], [[["happened", ADA, "delivered"]], 0]);
  });
});

describe("MemoryWaits of a group", () => {
  it("brings the silent recipients of all its waits as one message, when the last of them is over", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    const first: NodeMessage = { _msgid: "first" };
    await begin({ group: "g", recipients: [ADA, BEN], msg: first }, MINUTE);
    await begin({ group: "g", transferId: "t2", recipients: [CAT] }, 2 * MINUTE);
    status("delivered", ADA);
    await timing.advance(MINUTE);
    assert.deepEqual(node.told(), [["happened", ADA, "delivered"]]);
    await timing.advance(MINUTE);
    assert.deepEqual(node.told()[1], ["silent", `${BEN},${CAT}`, null]);
    const id = node.ends[0]?.sequence?.id;
    assert.deepEqual(
      node.ends.map(({ sequence }) => sequence),
      [
        { id, index: 0, count: null },
        { id, index: 1, count: 2 },
      ],
    );
    assert.deepEqual([node.ends[1]?.msg, node.ends[1]?.at, node.open], [first, timing.now(), 0]);
  });

  it("hears of a recipient until the group is over", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    await begin({ group: "g", recipients: [ADA] }, MINUTE);
    await begin({ group: "g", transferId: "t2", recipients: [BEN] }, 2 * MINUTE);
    await timing.advance(MINUTE);
    status("delivered", ADA);
    await timing.advance(MINUTE);
    assert.deepEqual(node.told(), [
      ["happened", ADA, "delivered"],
      ["silent", BEN, null],
    ]);
  });

  it("is over when the last wait that was not over hears all", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    await begin({ group: "g", recipients: [ADA] }, MINUTE);
    await begin({ group: "g", transferId: "t2", recipients: [BEN] }, 5 * MINUTE);
    await timing.advance(MINUTE);
    status("delivered", BEN, { transferId: "t2" });
    assert.deepEqual(node.told(), [
      ["happened", BEN, "delivered"],
      ["silent", ADA, null],
    ]);
  });

  it("is not that of another node with the same name", async () => {
    const { join, begin, timing } = waitsUnderTest();
    const nodes = ["a", "b"].map((identity) => join(identity));
    await begin({ node: "a", group: "g" }, MINUTE);
    await begin({ node: "b", group: "g", recipients: [BEN] }, 2 * MINUTE);
    await timing.advance(MINUTE);
    assert.deepEqual(nodes[0]?.told(), [["silent", ADA, null]]);
    await timing.advance(MINUTE);
    assert.deepEqual(nodes[1]?.told(), [["silent", BEN, null]]);
  });

  it("of waits for one recipient each has no places in a sequence", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    for (const [transferId, number] of [
      ["t1", ADA],
      ["t2", BEN],
      ["t3", CAT],
    ] as const) {
      await begin({ group: "g", transferId, recipients: [number] });
    }
    status("delivered", BEN, { transferId: "t2" });
    await timing.advance(MINUTE);
    assert.deepEqual(node.told(), [
      ["happened", BEN, "delivered"],
      ["silent", `${ADA},${CAT}`, null],
    ]);
    assert.deepEqual(
      node.ends.map(({ sequence }) => sequence),
      [null, null],
    );
  });

  it("that begins again after its end is another one", async () => {
    const { join, begin, timing } = waitsUnderTest();
    const node = join();
    for (const transferId of ["t1", "t2"]) {
      await begin({ group: "g", transferId });
      await timing.advance(MINUTE);
    }
    assert.deepEqual(node.told(), [
      ["silent", ADA, null],
      ["silent", ADA, null],
    ]);
  });
});

describe("MemoryWaits whose node is gone", () => {
  it("keep what is heard until a node with its identity is there", async () => {
    const { join, begin, status, reply, timing } = waitsUnderTest();
    const node = join();
    await begin({ recipients: [ADA, BEN, CAT] });
    await begin({ kind: "reply", transferId: "t2" });
    node.leave();
    status("delivered", ADA);
    status("failed", BEN);
    reply("yes");
    const other = join("other");
    await timing.advance(MINUTE);
    assert.deepEqual([node.ends, other.ends], [[], []]);
    const back = join();
    assert.deepEqual(back.told(), [
      ["happened", ADA, "delivered"],
      ["failed", BEN, "failed"],
      ["silent", CAT, null],
      ["happened", ADA, "yes"],
    ]);
    assert.equal(back.open, 0);
  });

  it("end in silence at their time also while no node is there", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const node = join();
    await begin({}, MINUTE);
    node.leave();
    await timing.advance(MINUTE);
    status("delivered");
    const back = join();
    await timing.advance(0);
    assert.deepEqual(back.told(), [["silent", ADA, null]]);
  });

  it("look at a reply that came in time before they end", async () => {
    const { join, begin, reply, timing } = waitsUnderTest();
    join("other");
    const node = join();
    await begin({ kind: "reply" }, MINUTE);
    node.leave();
    reply("yes");
    await timing.advance(2 * MINUTE);
    const back = join();
    assert.deepEqual(back.told(), [["happened", ADA, "yes"]]);
  });

  it("look at a reply before they fail by what came after it, or fail where it was another one", async () => {
    for (const [text, what] of [
      ["yes", "happened"],
      ["no", "failed"],
    ] as const) {
      const { join, begin, reply, status } = waitsUnderTest();
      const options = { matches: (each: { text: string }) => each.text === "yes", others: "later" } as const;
      const node = join("n", options);
      await begin({ kind: "reply" });
      node.leave();
      reply(text);
      status("failed");
      const back = join("n", options);
      assert.deepEqual(back.told(), [[what, ADA, what === "happened" ? "yes" : "failed"]]);
    }
  });

  it("look at a reply that came before them, and then at the failure of their message", async () => {
    const { join, begin, reply, status } = waitsUnderTest();
    const node = join();
    // Notes events from now on.
    status("failed");
    reply("yes");
    await begin({ kind: "reply" });
    assert.deepEqual(node.told(), [["happened", ADA, "yes"]]);
  });

  it("stay with the node that has taken its place when the old one leaves late", async () => {
    const { join, begin, status, timing } = waitsUnderTest();
    const old = join();
    await begin();
    const next = join();
    assert.equal(next.open, 1);
    old.leave();
    status("delivered");
    assert.deepEqual([old.ends.length, next.ends.length], [0, 1]);
    await begin({ transferId: "t2" });
    await timing.advance(MINUTE);
    assert.equal(next.ends.length, 2);
  });

  it("end nothing while the flows do not run, and all of it when they have started", async () => {
    const { join, begin, status, reply, timing, waits } = waitsUnderTest();
    const started = new Set<() => void>();
    const flows = {
      running: false,
      onStarted: (listener: () => void) => {
        started.add(listener);
        return () => started.delete(listener);
      },
    };
    waits.follow(flows).follow(flows);
    const node = join();
    await begin();
    await begin({ kind: "reply", transferId: "t2" });
    await begin({ transferId: "t3" }, 1);
    status("delivered");
    reply("yes");
    await timing.advance(1);
    assert.deepEqual([node.ends, node.open], [[], 1]);
    flows.running = true;
    for (const listener of started) {
      listener();
    }
    assert.deepEqual(node.told(), [
      ["happened", ADA, "delivered"],
      ["silent", ADA, null],
      ["happened", ADA, "yes"],
    ]);
    waits.follow({ running: true, onStarted: () => () => {} });
    assert.equal(started.size, 0);
  });

  it("go on over the close of their account", async () => {
    const { join, begin, waits, timing } = waitsUnderTest();
    const node = join();
    await begin({}, 2 * MINUTE);
    await waits.close();
    node.leave();
    await timing.advance(MINUTE);
    const back = join();
    await timing.advance(MINUTE);
    assert.deepEqual(back.told(), [["silent", ADA, null]]);
  });

  it("are those of their account after a deploy", () => {
    assert.equal(MemoryWaits.of("memory-waits-a"), MemoryWaits.of("memory-waits-a"));
    assert.notEqual(MemoryWaits.of("memory-waits-a"), MemoryWaits.of("memory-waits-b"));
  });
});

describe("MemoryWaits of many recipients", () => {
  it("are as many as there may be, and more only when some of them end", async () => {
    const { join, begin, status } = waitsUnderTest(3);
    const node = join();
    await begin({ recipients: [ADA, BEN] });
    const tooMany = (error: Error): boolean =>
      error instanceof TooManyWaitsError && error.code === "TOO_MANY_WAITS" && /\b3\b/.test(error.message);
    await assert.rejects(() => begin({ transferId: "t2", recipients: [ADA, BEN] }), tooMany);
    await begin({ transferId: "t2", recipients: [CAT] });
    await assert.rejects(() => begin({ transferId: "t3" }), tooMany);
    assert.equal(node.open, 3);
    status("delivered");
    await begin({ transferId: "t3" });
    assert.equal(node.open, 3);
  });

  it("count what is kept for a node that is gone, as long as there is room", async () => {
    const { join, begin, timing, waits } = waitsUnderTest(2);
    join("other");
    const node = join();
    await begin();
    await begin({ transferId: "t2" });
    node.leave();
    await timing.advance(MINUTE);
    assert.equal(waits.load.open, 2);
    await begin({ node: "other", transferId: "t3" });
    assert.equal(waits.load.open, 1);
    assert.deepEqual(join().ends, []);
  });

  it("forget what a node that has been gone for an hour did not get", async () => {
    const { join, begin, timing, waits } = waitsUnderTest();
    join("other");
    const node = join();
    await begin();
    node.leave();
    await timing.advance(59 * MINUTE);
    await begin({ node: "other", transferId: "t2" });
    assert.equal(waits.load.open, 2);
    await timing.advance(MINUTE);
    await begin({ node: "other", transferId: "t3" });
    assert.equal(waits.load.open, 1);
  });

  it("leave nothing behind when they end, and no timer when their nodes are gone", async () => {
    const { join, begin, status, reply, timing, waits } = waitsUnderTest();
    const node = join();
    const numbers = Array.from({ length: 500 }, (_unused, n) => `4179${String(n).padStart(7, "0")}`);
    for (const [at, number] of numbers.entries()) {
      const kind = (["delivered", "read", "reply"] as const)[at % 3]!;
      const group = at % 7 === 0 ? `g${at % 5}` : null;
      await begin({ kind, group, transferId: `t${at}`, clientMessageId: `c${at}`, recipients: [number] });
    }
    await begin({ recipients: numbers, transferId: "list" });
    for (const [at, number] of numbers.entries()) {
      if (at % 4 === 0) {
        status("delivered", number, { transferId: `t${at}` });
        status("failed", number, { transferId: "list" });
        reply("yes", number);
      }
    }
    assert.ok(timing.sleeping <= 1);
    await timing.advance(11 * MINUTE);
    assert.deepEqual([waits.load, node.open], [{ open: 0, entries: 1 }, 0]);
    assert.equal(timing.sleeping, 0);
    await begin();
    status("sent");
    assert.equal(timing.sleeping, 1);
    node.leave();
    await timing.advance(0);
    assert.equal(timing.sleeping, 0);
  });

  it("have one timer, which looks months ahead", async () => {
    const { join, begin, timing } = waitsUnderTest();
    const node = join();
    const days = 90 * 24 * 60 * MINUTE;
    await begin({}, days);
    await begin({ transferId: "t2" }, days / 2);
    assert.equal(timing.sleeping, 1);
    await timing.advance(MINUTE);
    assert.deepEqual([timing.sleeping, node.ends.length], [1, 0]);
    assert.ok(timing.slept.every((ms) => ms <= 30_000));
  });
});
