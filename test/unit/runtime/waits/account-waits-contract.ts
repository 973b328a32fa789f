import assert from "node:assert/strict";
import type { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";
import type { Processes } from "./use-processes";
import type { NodeMessage } from "node-red";
import { HOUR, messageOf, TestNode, unreachable } from "./waiting-process";

const ANNA = "41790000001";
const BEAT = "41790000002";
const CARL = "41790000003";

/** Messages that wait, wherever their account keeps them. */
export function accountWaitsContract(use: () => Processes): void {
  let timing: VirtualTiming;
  let { start, seen, open: waiting, until } = {} as Processes;
  beforeEach(() => {
    ({ timing, start, seen, open: waiting, until } = use());
  });

  describe("a message that waits", () => {
    it("leaves when its delivery is heard, with what it had", async () => {
      const { process, node } = await start();
      const transferId = await process.wait([ANNA]);
      assert.deepEqual(node.seen, []);
      await process.received([{ transferId, number: ANNA, status: "Delivered" }]);
      await seen(node, 1);
      assert.deepEqual(node.ends, [
        {
          what: "happened",
          msg: { _msgid: "m1", payload: "hello" },
          recipients: [ANNA],
          kind: "delivered",
          status: "delivered",
          at: timing.now(),
          reply: null,
          replaced: false,
          restored: false,
          sequence: null,
        },
      ]);
    });

    it("leaves at once where its delivery was heard before it began to wait", async () => {
      const { process, node } = await start();
      const transferId = await process.send([ANNA, BEAT]);
      await process.received([
        { transferId, number: ANNA, status: "delivered" },
        { transferId, number: BEAT, status: "undelivered" },
        { transferId, number: BEAT, status: "failed" },
      ]);
      await process.begin(transferId);
      await seen(node, 2);
      assert.deepEqual(node.seen, [`happened ${ANNA} delivered`, `failed ${BEAT} failed`]);
    });

    it("leaves in silence when its time is over, days later, with one timer", async () => {
      const { process, node } = await start();
      await process.wait([ANNA, BEAT], { until: timing.now() + 4 * 24 * HOUR });
      await process.wait([CARL], { until: timing.now() + HOUR });
      await waitFor("its timer", () => timing.sleeping > 0);
      await process.settle();
      assert.equal(timing.sleeping, 1);
      await until("the first end", () => node.ends.length > 0, HOUR / 4);
      assert.deepEqual(node.seen, [`silent ${CARL} `]);
      await until("the second end", () => node.ends.length > 1, 24 * HOUR);
      assert.deepEqual(node.seen[1], `silent ${ANNA}+${BEAT} `);
      await waitFor("no timer", () => timing.sleeping === 0);
    });

    it("of a group leaves once with the silent ones of all its messages, when the last of them is over", async () => {
      const { process, node } = await start();
      const now = timing.now();
      const first = await process.wait([ANNA], { group: "g1", until: now + HOUR });
      await process.wait([BEAT], { group: "g1", until: now + HOUR });
      await process.wait([CARL], { group: "g1", until: now + 2 * HOUR });
      await process.received([{ transferId: first, number: ANNA, status: "delivered" }]);
      await seen(node, 1);
      await timing.advance(1.5 * HOUR);
      await process.settle();
      assert.deepEqual(node.seen, [`happened ${ANNA} delivered`]);
      await until("the silent ones", () => node.ends.length > 1, HOUR);
      assert.deepEqual(node.seen.slice(1), [`silent ${BEAT}+${CARL} `]);
      assert.equal(node.ends[1]?.at, now + 2 * HOUR);
    });
  });

  describe("a reply to a message that waits", () => {
    const question = { kind: "reply", channel: "sms" } as const;

    it("is its end where it is the one that is waited for; another one leaves too and is gone", async () => {
      const { process, node } = await start(new TestNode("output", /^yes$/i));
      await process.wait([ANNA, BEAT], question);
      await process.reply(ANNA, "who is this?");
      await process.reply(BEAT, "Yes");
      await process.reply(ANNA, "yes");
      await process.reply(ANNA, "and no");
      await seen(node, 3);
      await process.settle();
      assert.deepEqual(
        node.seen.toSorted(),
        [`happened ${ANNA} yes`, `happened ${BEAT} Yes`, `other ${ANNA} who is this?`].toSorted(),
      );
      const other = node.ends.find(({ what }) => what === "other");
      assert.deepEqual([other?.sequence, other?.reply?.channel], [null, "sms"]);
      assert.deepEqual(other?.reply?.event, { textMessageContent: "who is this?", originator: ANNA });
      assert.equal(node.open, 0);
    });

    it("that is another one ends it where the node wants that: the person is not among the silent ones of its list", async () => {
      const { process, node } = await start(new TestNode("over", /^yes$/i));
      const given = { ...question, group: "g1" };
      await process.wait([ANNA], given);
      await process.wait([BEAT], given);
      await process.wait([CARL], given);
      await process.reply(ANNA, "perhaps, call me");
      await process.reply(ANNA, "yes");
      await process.reply(BEAT, "yes");
      await seen(node, 2);
      await process.settle();
      const ended = [`happened ${BEAT} yes`, `other ${ANNA} perhaps, call me`].toSorted();
      assert.deepEqual(node.seen.toSorted(), ended);
      assert.equal(node.open, 1);
      await process.reply(ANNA, "yes!");
      await until("the silent one", () => node.ends.length > 2, HOUR);
      await process.settle();
      assert.deepEqual(node.seen.slice(2), [`silent ${CARL} `]);
      assert.equal(node.ends[2]?.wrote, undefined);
      assert.equal(node.open, 0);
    });

    it("stays for a later one where the node leaves others there", async () => {
      const { process, node } = await start(new TestNode("later", /^yes$/i));
      await process.wait([ANNA], question);
      await process.reply(ANNA, "no");
      await process.settle();
      assert.deepEqual(node.seen, []);
      const later = new TestNode("output", /^no$/i);
      process.waits.join("n2", later);
      await process.wait([ANNA], { ...question, node: "n2" });
      await seen(later, 1);
      assert.deepEqual(later.seen, [`happened ${ANNA} no`]);
    });

    it("ends it although its time is over when somebody looks", async () => {
      const { process, node, leave } = await start();
      await process.wait([ANNA], question);
      await process.settle();
      leave();
      await process.reply(ANNA, "in time");
      await timing.advance(2 * HOUR);
      process.waits.join("n1", node);
      await seen(node, 1);
      await process.settle();
      assert.deepEqual(node.seen, [`happened ${ANNA} in time`]);
    });

    it("does not keep it open when it was another one that came in time", async () => {
      const { process, node, leave } = await start(new TestNode("output", /^yes$/i));
      await process.wait([ANNA], question);
      await process.settle();
      leave();
      await process.reply(ANNA, "no");
      await timing.advance(2 * HOUR);
      process.waits.join("n1", node);
      await seen(node, 2);
      assert.deepEqual(node.seen, [`other ${ANNA} no`, `silent ${ANNA} `]);
      assert.deepEqual(node.ends[1]?.wrote, [ANNA], "the silent one says that she wrote");
    });

    it("to a newer question leaves the older one, which ends in silence and says why", async () => {
      const { process, node } = await start();
      await process.wait([ANNA], { ...question, until: timing.now() + HOUR });
      await process.wait([ANNA], { ...question, until: timing.now() + 2 * HOUR });
      await process.reply(ANNA, "yes");
      await seen(node, 1);
      await until("the silent one", () => node.ends.length > 1, HOUR);
      assert.deepEqual(node.seen, [`happened ${ANNA} yes`, `silent ${ANNA}  replaced`]);
    });
  });

  describe("a process that ends while messages wait", () => {
    it("brings each back once, after two restarts", async () => {
      const first = await start();
      const transferId = await first.process.wait([ANNA]);
      await first.process.wait([BEAT], { until: timing.now() + 2 * HOUR });
      await first.process.end();
      const second = await start();
      await waiting(second.node, 2);
      await second.process.end();
      const third = await start();
      await third.process.received([{ transferId, number: ANNA, status: "delivered" }]);
      await seen(third.node, 1);
      await until("the silent one", () => third.node.ends.length > 1, HOUR);
      await third.process.settle();
      assert.deepEqual(third.node.seen, [`happened ${ANNA} delivered`, `silent ${BEAT} `]);
      assert.deepEqual(third.node.ends[0]?.msg, { _msgid: "m1", payload: "hello" });
      assert.deepEqual([first.node.seen, second.node.seen, third.node.open], [[], [], 0]);
    });

    it("marks nothing of its own as restored after a deploy", async () => {
      const { process, node, leave } = await start();
      const transferId = await process.wait([ANNA]);
      await process.settle();
      process.lifecycle.set(false);
      leave();
      await process.received([{ transferId, number: ANNA, status: "delivered" }]);
      await process.settle();
      const next = new TestNode();
      process.waits.join("n1", next);
      await process.settle();
      assert.deepEqual(next.seen, [], "flows do not run yet");
      process.lifecycle.set(true);
      await seen(next, 1);
      assert.deepEqual([node.seen, next.seen], [[], [`happened ${ANNA} delivered`]]);
    });
  });

  describe("a node whose messages wait", () => {
    it("that is deployed anew gets no end that has left the one before", async () => {
      const first = await start(new TestNode(), "account-x");
      const transferId = await first.process.wait([ANNA]);
      first.process.before.set("emitted", () => {
        throw unreachable();
      });
      await first.process.received([{ transferId, number: ANNA, status: "delivered" }]);
      await seen(first.node, 1);
      first.leave();
      await first.process.end();
      const second = await start(new TestNode(), "account-x");
      await waitFor(
        "the late write",
        () => second.process.calls.includes("emitted") && second.node.open === 0,
      );
      await second.process.settle();
      assert.deepEqual(second.node.seen, []);
    });

    it("gets the message as it came, and of two ends one as it came and one as a copy", async () => {
      const { process, node } = await start();
      const res = new EventTarget();
      const [one, two] = [messageOf(res), messageOf(res)];
      const first = await process.wait([ANNA], { msg: one });
      await process.received([{ transferId: first, number: ANNA, status: "delivered" }]);
      await seen(node, 1);
      assert.equal(node.ends[0]?.msg, one);
      const second = await process.wait([ANNA, BEAT], { msg: two });
      await process.received([
        { transferId: second, number: ANNA, status: "delivered" },
        { transferId: second, number: BEAT, status: "delivered" },
      ]);
      await seen(node, 3);
      const [, copy, last] = node.ends.map(({ msg }) => msg as NodeMessage & { res: unknown });
      assert.equal(last, two);
      assert.deepEqual(copy, two);
      assert.ok(copy !== two && copy?.res === res && copy.payload !== two.payload);
    });
  });
}
