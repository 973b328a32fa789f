import assert from "node:assert/strict";
import { waitFor } from "../../../support/wait-for";
import type { NodeMessage } from "node-red";
import { statement } from "../../../../lib/store/schema/statement";
import type { VirtualTiming } from "../../../support/virtual-timing";
import { kill } from "../../store/suite/store-under-test";
import { type OpenEngine, type Processes, useProcesses } from "./use-processes";
import { HOUR, messageOf, TestNode, unreachable } from "./waiting-process";

const ANNA = "41790000001";
const BEAT = "41790000002";

const SNAPSHOTS = statement("test_wait_snapshots", () => "SELECT snapshot FROM waits");

/** Waits while the store is away, flows stop, nodes are deployed and other processes end, whatever the engine. */
export function waitTroublesSuite(open: OpenEngine): void {
  const use = useProcesses(open);
  let timing: VirtualTiming;
  let { start, seen, until } = {} as Processes;
  beforeEach(() => {
    ({ timing, start, seen, until } = use());
  });

  const failing =
    (uncertain = false) =>
    () => {
      throw unreachable(uncertain);
    };

  describe("while the store is away, a message that waits", () => {
    it("is refused where it comes now, and goes on where it was there before", async () => {
      const { process, node } = await start();
      const transferId = await process.wait([ANNA]);
      const later = await process.send([BEAT]);
      await process.settle();
      process.openFault = unreachable();
      await assert.rejects(process.begin(later), { code: "STORE_UNREACHABLE" });
      assert.equal(node.troubles.at(-1), "STORE_UNREACHABLE");
      await process.hear([{ transferId, number: ANNA, status: "delivered" }]);
      await process.settle();
      assert.deepEqual(node.seen, []);
      process.openFault = null;
      await until("the end", () => node.ends.length > 0);
      await process.settle();
      assert.deepEqual([node.seen, node.troubles.at(-1)], [[`happened ${ANNA} delivered`], null]);
    });

    for (const [how, uncertain] of [
      ["cannot be written", false],
      ["may have been written", true],
    ] as const) {
      it(`leaves once where it ${how} that it has left`, async () => {
        const { process, node } = await start();
        const transferId = await process.wait([ANNA, BEAT]);
        (uncertain ? process.after : process.before).set("left", failing(uncertain));
        await process.hear([{ transferId, number: ANNA, status: "delivered" }]);
        await until("some attempts", () => process.calls.filter((call) => call === "left").length > 1);
        assert.equal(node.troubles.at(-1), "STORE_UNREACHABLE");
        process.before.clear();
        process.after.clear();
        await until("the store to work", () => node.troubles.at(-1) === null);
        await process.hear([{ transferId, number: BEAT, status: "delivered" }]);
        await seen(node, 2);
        await process.settle();
        assert.deepEqual(node.seen, [`happened ${ANNA} delivered`, `happened ${BEAT} delivered`]);
        assert.deepEqual(
          node.ends.map(({ sequence }) => [sequence?.index, sequence?.count]),
          [
            [0, null],
            [1, 2],
          ],
        );
        assert.equal(node.open, 0);
      });
    }

    it("lets another reply leave once where it cannot be written that it has left", async () => {
      const { process, node } = await start(new TestNode("output", /^yes$/));
      await process.wait([ANNA], { kind: "reply", channel: "sms" });
      process.before.set("passed", failing());
      await process.reply(ANNA, "no");
      await until("some attempts", () => process.calls.filter((call) => call === "passed").length > 1);
      process.before.clear();
      await until("the store to work", () => node.troubles.at(-1) === null);
      await process.reply(ANNA, "yes");
      await seen(node, 2);
      assert.deepEqual(node.seen, [`other ${ANNA} no`, `happened ${ANNA} yes`]);
    });

    it("begins once where it may have begun before the store went away", async () => {
      const { process, node } = await start();
      const transferId = await process.send([ANNA]);
      process.after.set("begin", failing(true));
      let isBegun = false;
      const begun = process.begin(transferId).then(() => {
        isBegun = true;
      });
      await until("some attempts", () => process.calls.filter((call) => call === "begin").length > 1);
      assert.equal(isBegun, false);
      process.after.clear();
      await until("the begin", () => isBegun);
      await begun;
      await until("the store to work", () => node.troubles.at(-1) === null);
      assert.equal(node.open, 1);
      await process.hear([{ transferId, number: ANNA, status: "delivered" }]);
      await seen(node, 1);
      await process.settle();
      assert.deepEqual([node.seen, node.open], [[`happened ${ANNA} delivered`], 0]);
    });
  });

  describe("a node whose messages wait", () => {
    it("gets nothing while flows are stopped or it is gone, and all of it after", async () => {
      const { process, node, leave } = await start();
      const transferId = await process.wait([ANNA, BEAT]);
      process.lifecycle.set(false);
      await process.hear([{ transferId, number: ANNA, status: "delivered" }]);
      await timing.advance(2 * HOUR);
      await process.settle();
      assert.deepEqual(node.seen, []);
      leave();
      process.lifecycle.set(true);
      await timing.advance(HOUR);
      await process.settle();
      const next = new TestNode();
      process.waits.join("n1", next);
      await seen(next, 2);
      assert.deepEqual([node.seen, next.seen], [[], [`happened ${ANNA} delivered`, `silent ${BEAT} `]]);
    });

    it("does not wait for those that do not run, however much there is for them", async () => {
      const { process, node } = await start();
      const leave = process.waits.join("n2", new TestNode("output", /^yes$/));
      const absent = await process.send([ANNA]);
      const given = { node: "n2", until: timing.now() + 2_000 };
      await Promise.all(Array.from({ length: 250 }, () => process.begin(absent, given)));
      const asks = { kind: "reply", channel: "sms", node: "n2" } as const;
      await process.begin(absent, asks);
      await process.settle();
      leave();
      for (let at = 0; at < 210; at++) {
        await process.reply(ANNA, "no");
      }
      await process.hear([{ transferId: absent, number: ANNA, status: "delivered" }]);
      const transferId = await process.wait([BEAT]);
      await process.wait([BEAT], { kind: "reply", channel: "sms" });
      await process.hear([{ transferId, number: BEAT, status: "delivered" }]);
      await process.reply(BEAT, "yes");
      await seen(node, 2);
      assert.deepEqual(node.seen.toSorted(), [`happened ${BEAT} delivered`, `happened ${BEAT} yes`]);
    });

    it("that is deployed anew gets no end that has left the one before", async () => {
      const first = await start(new TestNode(), "account-x");
      const transferId = await first.process.wait([ANNA]);
      first.process.before.set("left", failing());
      await first.process.hear([{ transferId, number: ANNA, status: "delivered" }]);
      await seen(first.node, 1);
      first.leave();
      await first.process.end();
      const second = await start(new TestNode(), "account-x");
      await waitFor("the late write", () => second.process.calls.includes("left") && second.node.open === 0);
      await second.process.settle();
      assert.deepEqual(second.node.seen, []);
    });

    it("gets the message as it came, and of two ends one as it came and one as a copy", async () => {
      const { process, node } = await start();
      const res = new EventTarget();
      const [one, two] = [messageOf(res), messageOf(res)];
      const first = await process.wait([ANNA], { msg: one });
      await process.hear([{ transferId: first, number: ANNA, status: "delivered" }]);
      await seen(node, 1);
      assert.equal(node.ends[0]?.msg, one);
      const second = await process.wait([ANNA, BEAT], { msg: two });
      await process.hear([
        { transferId: second, number: ANNA, status: "delivered" },
        { transferId: second, number: BEAT, status: "delivered" },
      ]);
      await seen(node, 3);
      const [, copy, last] = node.ends.map(({ msg }) => msg as NodeMessage & { res: unknown });
      assert.equal(last, two);
      assert.deepEqual(copy, two);
      assert.ok(copy !== two && copy?.res === res && copy.payload !== two.payload);
    });

    it("gets the 1,000 newest messages as they came, earlier ones as the store has them", async () => {
      const { process, node } = await start();
      const transferId = await process.send([ANNA]);
      const messages = Array.from({ length: 1_003 }, () => messageOf(new EventTarget()));
      for (const msg of messages) {
        await process.begin(transferId, { msg });
      }
      await process.hear([{ transferId, number: ANNA, status: "delivered" }]);
      await seen(node, messages.length);
      const live = new Set<unknown>(messages.slice(3));
      assert.equal(node.ends.filter(({ msg }) => live.has(msg)).length, 1_000);
      const restored = node.ends.filter(({ msg }) => !live.has(msg)).map(({ msg }) => msg);
      assert.deepEqual(restored, Array(3).fill({ _msgid: "m1", payload: { a: 1 } }));
    });

    it("gets a sensitive message whose text is nowhere in the store, as long as the account has its key", async () => {
      const { process, node } = await start();
      const msg = { _msgid: "m1", payload: "code 4711", sensitive: true } as NodeMessage;
      const transferId = await process.wait([ANNA, BEAT], { msg });
      const [[row] = []] = await use().engine.run([{ statement: SNAPSHOTS, values: [] }]);
      assert.match(String(row?.snapshot), /^sealed:/);
      await process.hear([{ transferId, number: ANNA, status: "delivered" }]);
      await seen(node, 1);
      assert.deepEqual(node.ends[0]?.msg, msg);
      process.textKey.fill(2);
      await process.hear([{ transferId, number: BEAT, status: "delivered" }]);
      await seen(node, 2);
      assert.deepEqual(Object.keys(node.ends[1]?.msg ?? {}), ["_msgid"]);
      assert.equal(process.unreadable, 1);
    });

    it("gets each of thousands of silent messages once, page by page", async () => {
      const { process, node } = await start();
      const transferId = await process.send([ANNA]);
      const end = timing.now() + HOUR;
      // Fewer where each page takes many times as long.
      const count = use().engine.exclusive ? 10_000 : 1_000;
      for (let at = 0; at < count; at += 1_000) {
        await Promise.all(
          Array.from({ length: 1_000 }, (_, n) =>
            process.begin(transferId, { until: end, msg: { _msgid: `m${at + n}` } }),
          ),
        );
      }
      await process.settle();
      assert.equal(node.open, count);
      process.calls.length = 0;
      await timing.advance(HOUR);
      await seen(node, count);
      await until("all of it to be written", () => node.open === 0);
      assert.equal(node.ends.length, count);
      assert.equal(new Set(node.ends.map(({ msg }) => msg._msgid)).size, count);
      assert.ok(process.calls.filter((call) => call === "expire").length >= count / 200);
    });
  });

  describe("several processes of one account", () => {
    it("end a wait where its message is, whoever hears the answer", async () => {
      const { process, node } = await start();
      const other = await start();
      other.leave();
      await process.begin(await other.process.send([ANNA]), { kind: "reply", channel: "sms" });
      await other.process.reply(ANNA, "yes");
      await seen(node, 1);
      await other.process.settle();
      assert.deepEqual([node.seen, other.node.seen], [[`happened ${ANNA} yes`], []]);
    });

    it("take over what one that died waited for, of the nodes that run there", async () => {
      const dead = await start();
      const transferId = await dead.process.wait([ANNA]);
      await dead.process.wait([BEAT], { node: "n2" });
      const id = dead.process.place.instances.id;
      dead.process.lifecycle.set(false);
      const { process, node } = await start();
      await kill(use().engine, id);
      process.tell("died");
      await process.hear([{ transferId, number: ANNA, status: "delivered" }]);
      // It may have been told to the dead one, while the wait changed hands. Whoever has it looks again with each heartbeat.
      process.tell("beat");
      await seen(node, 1);
      assert.deepEqual([...(await process.store.waits.open(id, "a1"))], [["n2", 1]]);
      const late = new TestNode();
      process.waits.join("n2", late);
      await until("the other one", () => late.ends.length > 0, HOUR);
      assert.deepEqual(late.seen, [`silent ${BEAT} `]);
      assert.deepEqual(dead.node.seen, []);
    });

    it("do not emit what others may have taken over, until they live on under another name", async () => {
      const { process, node } = await start();
      const transferId = await process.wait([ANNA]);
      await process.settle();
      process.alive = false;
      await process.hear([{ transferId, number: ANNA, status: "delivered" }]);
      await process.settle();
      assert.deepEqual(node.seen, []);
      await kill(use().engine, process.place.instances.id);
      process.tell("over");
      await seen(node, 1);
      const second = await process.wait([BEAT]);
      await process.hear([{ transferId: second, number: BEAT, status: "delivered" }]);
      await seen(node, 2);
      // Where nobody else can open the file, nobody else had it meanwhile.
      const restored = use().engine.exclusive ? "" : " restored";
      assert.deepEqual(node.seen, [`happened ${ANNA} delivered${restored}`, `happened ${BEAT} delivered`]);
      assert.equal(process.held, 1);
    });

    it("look from time to time at what nobody told of, and at what others may have written at the same moment", async () => {
      const { process } = await start();
      await process.settle();
      const looks = (): number => process.calls.filter((call) => call === "heard").length;
      const before = looks();
      process.tell("beat");
      await until("another look", () => looks() > before);
      assert.equal(process.calls.includes("recheck"), !use().engine.exclusive);
    });
  });

  it("closed waits have neither timer nor listener, and give the store back", async () => {
    const { process, node } = await start();
    await process.wait([ANNA], { until: timing.now() + HOUR });
    await waitFor("its timer", () => timing.sleeping > 0);
    await process.settle();
    assert.deepEqual([process.held, timing.sleeping, process.lifecycle.listeners.size], [1, 1, 1]);
    await process.waits.close();
    await timing.advance(0);
    assert.deepEqual(
      [
        process.held,
        process.listening,
        process.watchers.size,
        process.lifecycle.listeners.size,
        timing.sleeping,
      ],
      [0, 0, 0, 0, 0],
    );
    await assert.rejects(process.begin("t1"), { code: "ACCOUNT_CLOSED" });
    await timing.advance(2 * HOUR);
    assert.deepEqual(node.seen, []);
  });
}
