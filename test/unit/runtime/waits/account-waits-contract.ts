import assert from "node:assert/strict";
import type { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";
import type { Processes } from "./use-processes";
import type { NodeMessage } from "node-red";
import { HOUR, messageOf, TestNode, unreachable } from "./waiting-process";

const ANNA = "41790000001";
const BEAT = "41790000002";
const CARL = "41790000003";

const people = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `4178${String(from + at).padStart(7, "0")}`);

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

    it("leaves in silence when its time is over, months later, with one timer", async () => {
      const { process, node } = await start();
      await process.wait([ANNA, BEAT], { until: timing.now() + 60 * 24 * HOUR });
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

    it("for a list of 1,000 leaves for each of whom something is heard, and once with all others", async () => {
      const { process, node } = await start();
      const list = people(1_000);
      const transferId = await process.wait(list);
      assert.equal(node.open, 1_000);
      await process.received([
        ...list.slice(0, 900).map((number) => ({ transferId, number, status: "delivered" })),
        ...list.slice(900, 940).map((number) => ({ transferId, number, status: "failed" })),
      ]);
      await seen(node, 940);
      await process.settle();
      assert.equal(node.open, 60);
      await until("the silent ones", () => node.ends.length > 940, HOUR);
      await process.settle();
      const count = (what: string) => node.ends.filter((end) => end.what === what).length;
      assert.deepEqual([count("happened"), count("failed"), count("silent")], [900, 40, 1]);
      assert.deepEqual(node.ends.at(-1)?.recipients, list.slice(940));
      assert.deepEqual(
        node.ends.flatMap(({ recipients }) => recipients).toSorted(),
        list,
        "everybody has one end",
      );
      assert.equal(node.open, 0);
      const parts = node.ends.map(({ sequence }) => sequence);
      assert.deepEqual(
        parts.map((part) => part?.index),
        parts.map((_, at) => at),
      );
      assert.equal(new Set(parts.map((part) => part?.id)).size, 1);
      assert.deepEqual(
        parts.map((part) => part?.count),
        parts.map((_, at) => (at === 940 ? 941 : null)),
      );
      assert.equal(new Set(node.ends.map(({ msg }) => msg)).size, 941, "a message of its own for each");
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

    it("of a group leaves its node when its own time is over, although another node waits for the same messages", async () => {
      const { process, node } = await start();
      const now = timing.now();
      const second = new TestNode();
      process.waits.join("n2", second);
      for (const number of [ANNA, BEAT]) {
        const transferId = await process.wait([number], { group: "g1", until: now + HOUR });
        await process.begin(transferId, { node: "n2", group: "g1", until: now + 5 * HOUR });
      }
      await until("the first silent ones", () => node.ends.length > 0, HOUR / 2);
      assert.deepEqual([node.seen, second.seen], [[`silent ${ANNA}+${BEAT} `], []]);
      await until("the other silent ones", () => second.ends.length > 0, HOUR);
      await process.settle();
      assert.deepEqual([node.ends.length, second.seen], [1, [`silent ${ANNA}+${BEAT} `]]);
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

    it("that cannot be compared ends nothing: it leaves, and the answer that follows ends the wait", async () => {
      const node = new TestNode("over", /^yes$/i);
      node.matches = async ({ text }) => (text === "slow" ? null : text === "yes");
      const { process } = await start(node);
      await process.wait([ANNA], question);
      await process.reply(ANNA, "slow");
      await seen(node, 1);
      await process.settle();
      assert.deepEqual([node.seen, node.open], [[`other ${ANNA} slow`], 1]);
      await process.reply(ANNA, "yes");
      await seen(node, 2);
      await process.settle();
      assert.deepEqual(node.seen, [`other ${ANNA} slow`, `happened ${ANNA} yes`]);
      assert.deepEqual([node.ends.map(({ goesOn }) => goesOn), node.open], [[true, undefined], 0]);
    });

    it("that leaves while its node is replaced leaves by the new node, which may end the wait with it", async () => {
      const before = new TestNode("output", /^yes$/i);
      const { process, leave } = await start(before);
      const after = new TestNode("over", /^yes$/i);
      await process.wait([ANNA], question);
      process.before.set("wait", () => {
        process.before.clear();
        leave();
        process.waits.join("n1", after);
      });
      await process.reply(ANNA, "perhaps");
      await seen(after, 1);
      await process.settle();
      assert.deepEqual([before.seen, after.seen], [[], [`other ${ANNA} perhaps`]]);
      assert.deepEqual([after.ends[0]?.goesOn, after.open], [undefined, 0]);
    });

    it("that is another one ends it also where it came while its node was away, and counts for the list", async () => {
      const first = await start(new TestNode("over", /^yes$/i));
      await first.process.wait([ANNA, BEAT], question);
      await first.process.settle();
      first.leave();
      await first.process.reply(ANNA, "perhaps");
      await first.process.end();
      await timing.advance(2 * HOUR);
      const { process, node } = await start(new TestNode("over", /^yes$/i));
      await seen(node, 2);
      await process.settle();
      assert.deepEqual(
        node.ends.map(({ what, recipients }) => [what, recipients]),
        [
          ["other", [ANNA]],
          ["silent", [BEAT]],
        ],
      );
      assert.deepEqual(
        node.ends.map(({ sequence }) => [sequence?.index, sequence?.count]),
        [
          [0, null],
          [1, 2],
        ],
      );
      assert.deepEqual([first.node.seen, node.open], [[], 0]);
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

    it("is compared again by the node that took the place of the one that compared it", async () => {
      const before = new TestNode();
      const answers: ((isMeant: boolean) => void)[] = [];
      before.matches = () => new Promise((resolve) => answers.push(resolve));
      const { process, leave } = await start(before);
      await process.wait([ANNA], question);
      await process.reply(ANNA, "yes");
      await until("the reply to be compared", () => answers.length > 0);
      leave();
      const after = new TestNode("output", /^no$/i);
      process.waits.join("n1", after);
      answers[0]?.(true);
      await seen(after, 1);
      await process.settle();
      assert.deepEqual([before.seen, after.seen], [[], [`other ${ANNA} yes`]]);
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

    it("does not keep it open when it was another one that came in the moment in which its time was over", async () => {
      const { process, node } = await start(new TestNode("output", /^yes$/i));
      await process.wait([ANNA], question);
      await process.settle();
      process.before.set("expire", async () => {
        process.before.clear();
        await process.reply(ANNA, "no");
      });
      await timing.advance(HOUR);
      await seen(node, 2);
      assert.deepEqual(node.seen, [`other ${ANNA} no`, `silent ${ANNA} `]);
    });

    it("that comes while the answer is written is not another one: it stays for whoever asks next", async () => {
      const { process, node } = await start(new TestNode("output", /^yes$/i));
      const transferId = await process.wait([ANNA], question);
      process.before.set("answered", async () => {
        process.before.clear();
        await process.reply(ANNA, "thank you");
      });
      await process.reply(ANNA, "yes");
      await seen(node, 1);
      await process.settle();
      assert.deepEqual(node.seen, [`happened ${ANNA} yes`]);
      const later = new TestNode();
      process.waits.join("n2", later);
      await process.begin(transferId, { ...question, node: "n2" });
      await seen(later, 1);
      assert.deepEqual(later.seen, [`happened ${ANNA} thank you`]);
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
    it("gets nothing while flows are stopped or it is gone, and all of it after", async () => {
      const { process, node, leave } = await start();
      const transferId = await process.wait([ANNA, BEAT]);
      process.lifecycle.set(false);
      await process.received([{ transferId, number: ANNA, status: "delivered" }]);
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
      await process.received([{ transferId: absent, number: ANNA, status: "delivered" }]);
      const transferId = await process.wait([BEAT]);
      await process.wait([BEAT], { kind: "reply", channel: "sms" });
      await process.received([{ transferId, number: BEAT, status: "delivered" }]);
      await process.reply(BEAT, "yes");
      await seen(node, 2);
      assert.deepEqual(node.seen.toSorted(), [`happened ${BEAT} delivered`, `happened ${BEAT} yes`]);
    });

    it("that is deployed anew gets no end that has left the one before", async () => {
      const first = await start(new TestNode(), "account-x");
      const transferId = await first.process.wait([ANNA]);
      first.process.before.set("left", () => {
        throw unreachable();
      });
      await first.process.received([{ transferId, number: ANNA, status: "delivered" }]);
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

    it("gets each of thousands of silent messages once, page by page", async () => {
      const { process, node } = await start();
      const transferId = await process.send([ANNA]);
      const end = timing.now() + HOUR;
      const count = 1_000;
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
}
