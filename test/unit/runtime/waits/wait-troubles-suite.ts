import assert from "node:assert/strict";
import { mock } from "node:test";
import type { VirtualTiming } from "../../../support/virtual-timing";
import { kill } from "../../store/suite/store-under-test";
import { type OpenEngine, type Processes, useProcesses } from "./use-processes";
import { HOUR, TestNode, unreachable } from "./waiting-process";

const ANNA = "41790000001";
const BEAT = "41790000002";
const CARL = "41790000003";

/** Waits while the store is away, flows stop, nodes are deployed and other processes end, whatever the engine. */
export function waitTroublesSuite(open: OpenEngine): void {
  const use = useProcesses(open);
  let timing: VirtualTiming;
  let { start, seen, open: waiting, until } = {} as Processes;
  beforeEach(() => {
    ({ timing, start, seen, open: waiting, until } = use());
  });

  const failing =
    (uncertain = false) =>
    () => {
      throw unreachable(uncertain);
    };

  it("a message that the account has not sent is refused, with what to do", async () => {
    const { process, node } = await start();
    const refused = async (given: object, field: string) => {
      await assert.rejects(process.begin("t999999", given), (error: Error & Record<string, unknown>) => {
        assert.deepEqual([error.name, error.code, error.field], ["FieldError", "UNKNOWN_MESSAGE", field]);
        assert.match(error.message, /Choose the account of the send node/);
        return true;
      });
    };
    await refused({}, "transferId");
    await refused({ transferId: null, clientMessageId: "order-7" }, "clientMessageId");
    assert.deepEqual([node.troubles, node.open], [[], 0]);
  });

  describe("while the store is away, a message that waits", () => {
    it("is refused where it comes now, and goes on where it was there before", async () => {
      const { process, node } = await start();
      const transferId = await process.wait([ANNA]);
      const later = await process.send([BEAT]);
      await process.settle();
      process.openFault = unreachable();
      await assert.rejects(process.begin(later), { code: "STORE_UNREACHABLE" });
      assert.equal(node.troubles.at(-1), "STORE_UNREACHABLE");
      await process.received([{ transferId, number: ANNA, status: "delivered" }]);
      await process.settle();
      assert.deepEqual(node.seen, []);
      process.openFault = null;
      // The store is asked again a second after it failed.
      const real = performance.now.bind(performance);
      mock.method(performance, "now", () => real() + 1_000);
      await until("the end", () => node.ends.length > 0);
      await process.settle();
      assert.deepEqual([node.seen, node.troubles.at(-1)], [[`happened ${ANNA} delivered`], null]);
      mock.restoreAll();
    });

    for (const [how, uncertain] of [
      ["cannot be written", false],
      ["may have been written", true],
    ] as const) {
      it(`leaves once where it ${how} that it has left`, async () => {
        const { process, node } = await start();
        const transferId = await process.wait([ANNA, BEAT]);
        (uncertain ? process.after : process.before).set("emitted", failing(uncertain));
        await process.received([{ transferId, number: ANNA, status: "delivered" }]);
        await until("some attempts", () => process.calls.filter((call) => call === "emitted").length > 1);
        assert.equal(node.troubles.at(-1), "STORE_UNREACHABLE");
        process.before.clear();
        process.after.clear();
        await until("the store to work", () => node.troubles.at(-1) === null);
        await process.received([{ transferId, number: BEAT, status: "delivered" }]);
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

    it("begins once where it may have begun before the store went away", async () => {
      const { process, node } = await start();
      const transferId = await process.send([ANNA]);
      process.after.set("start", failing(true));
      let isBegun = false;
      const begun = process.begin(transferId).then(() => {
        isBegun = true;
      });
      await until("some attempts", () => process.calls.filter((call) => call === "start").length > 1);
      assert.equal(isBegun, false);
      process.after.clear();
      await until("the begin", () => isBegun);
      await begun;
      await until("the store to work", () => node.troubles.at(-1) === null);
      assert.equal(node.open, 1);
      await process.received([{ transferId, number: ANNA, status: "delivered" }]);
      await seen(node, 1);
      await process.settle();
      assert.deepEqual([node.seen, node.open], [[`happened ${ANNA} delivered`], 0]);
    });
  });

  describe("a process that ends while messages wait", () => {
    it("emits once more, and says so, what had left before it could write that", async () => {
      const first = await start(new TestNode("output", /^yes$/i));
      const transferId = await first.process.wait([ANNA, BEAT]);
      await first.process.wait([CARL], { kind: "reply", channel: "sms", until: timing.now() + 3 * HOUR });
      await first.process.settle();
      for (const name of ["emitted", "passReply"] as const) {
        first.process.before.set(name, () => {
          throw unreachable();
        });
      }
      await first.process.received([{ transferId, number: ANNA, status: "delivered" }]);
      await seen(first.node, 1);
      await first.process.reply(CARL, "no");
      await first.process.crash();

      const second = await start(new TestNode("output", /^yes$/i));
      await seen(second.node, 2);
      // What is heard in this life cannot have left before.
      await second.process.reply(CARL, "yes");
      await until("the silent one", () => second.node.ends.length > 3, HOUR);
      await second.process.settle();
      assert.deepEqual(first.node.seen, [`happened ${ANNA} delivered`]);
      assert.deepEqual(second.node.seen, [
        `happened ${ANNA} delivered restored`,
        `other ${CARL} no restored`,
        `happened ${CARL} yes`,
        `silent ${BEAT} `,
      ]);
      const [happened, , , silent] = second.node.ends;
      assert.deepEqual(
        [happened?.sequence?.index, silent?.sequence],
        [0, { id: happened?.sequence?.id, index: 1, count: 2 }],
      );
    });

    it("comes back without the text of a sensitive message, which only that process had", async () => {
      const msg = { _msgid: "m1", payload: "secret", sensitive: true };
      const first = await start();
      await first.process.wait([ANNA], { msg });
      const transferId = await first.process.wait([BEAT], { msg });
      await first.process.received([{ transferId, number: BEAT, status: "delivered" }]);
      await seen(first.node, 1);
      assert.deepEqual([first.node.ends[0]?.msg, first.node.textlessCount], [msg, 0]);
      await first.process.end();
      const second = await start();
      await until("the silent one", () => second.node.ends.length > 0, HOUR);
      assert.deepEqual(second.node.seen, [`silent ${ANNA} `]);
      assert.deepEqual(second.node.ends[0]?.msg, { _msgid: "m1", sensitive: true });
      assert.ok(second.node.textlessCount > 0);
    });

    it("is waited for once where its send result leaves again", async () => {
      const first = await start();
      const transferId = await first.process.wait([ANNA]);
      await first.process.end();
      const second = await start();
      await second.process.begin(transferId, { repeated: true });
      await waiting(second.node, 1);
      await until("the silent one", () => second.node.ends.length > 0, HOUR / 4);
      await second.process.settle();
      assert.deepEqual([second.node.seen, second.node.open], [[`silent ${ANNA} `], 0]);
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
      await process.received([{ transferId, number: ANNA, status: "delivered" }]);
      // It may have been told to the dead one, while the wait changed hands. Whoever has it looks again with each heartbeat.
      process.tell("beat");
      await seen(node, 1);
      assert.deepEqual([...(await process.store.waits.countOpen(id, "a1"))], [["n2", 1]]);
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
      await process.received([{ transferId, number: ANNA, status: "delivered" }]);
      await process.settle();
      assert.deepEqual(node.seen, []);
      await kill(use().engine, process.place.instances.id);
      process.tell("over");
      await seen(node, 1);
      const second = await process.wait([BEAT]);
      await process.received([{ transferId: second, number: BEAT, status: "delivered" }]);
      await seen(node, 2);
      // Where nobody else can open the file, nobody else had it meanwhile.
      const restored = use().engine.exclusive ? "" : " restored";
      assert.deepEqual(node.seen, [`happened ${ANNA} delivered${restored}`, `happened ${BEAT} delivered`]);
      assert.equal(process.held, 1);
    });
  });
}
