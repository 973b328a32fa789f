import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { ADA, BEN, CAT, waitsUnderTest } from "./waits-under-test";

const MINUTE = 60_000;
const ASK = { kind: "reply" } as const;
const YES_OR_NO = { matches: ({ text }: { readonly text: string }) => /^(yes|no)$/.test(text) };

describe("MemoryWaits for a reply", () => {
  it("ends by what the person writes, with the event", async () => {
    const { join, begin, reply, timing } = waitsUnderTest();
    const node = join();
    const msg: NodeMessage = { _msgid: "m" };
    await begin({ ...ASK, msg });
    reply("yes", BEN);
    reply("yes", null);
    assert.equal(node.ends.length, 0);
    await timing.advance(5);
    reply("yes");
    assert.deepEqual(node.ends, [
      {
        what: "happened",
        msg,
        recipients: [ADA],
        kind: "reply",
        status: null,
        at: timing.now(),
        reply: {
          channel: "sms",
          number: ADA,
          text: "yes",
          event: { textMessageContent: "yes" },
          at: timing.now(),
        },
        replaced: false,
        restored: false,
        sequence: null,
      },
    ]);
    reply("yes");
    assert.deepEqual([node.ends.length, node.open], [1, 0]);
  });

  it("takes replies by its channel, or by any", async () => {
    for (const [channel, expected] of [
      ["sms", "by sms"],
      ["rcs", "by rcs"],
      ["any", "by whatsapp"],
    ] as const) {
      const { join, begin, reply } = waitsUnderTest();
      const node = join();
      await begin({ ...ASK, channel });
      for (const by of ["whatsapp", "rcs", "sms"] as const) {
        reply(`by ${by}`, ADA, by);
      }
      assert.deepEqual(node.told(), [["happened", ADA, expected]]);
    }
  });

  it("is ended by no delivery, only by its failure", async () => {
    const { join, begin, status } = waitsUnderTest();
    const node = join();
    await begin(ASK);
    status("delivered");
    status("read");
    status("failed");
    assert.equal(node.ends.length, 0);
    await begin({ ...ASK, transferId: "t2" });
    status("expired", ADA, { transferId: "t2" });
    assert.deepEqual(node.told(), [["failed", ADA, "expired"]]);
  });

  it("is the business of no wait for a delivery", async () => {
    const { join, begin, reply } = waitsUnderTest();
    const node = join();
    await begin();
    await begin({ kind: "read", transferId: "t2" });
    reply("yes");
    assert.equal(node.ends.length, 0);
  });

  it("waits for each of a list", async () => {
    const { join, begin, reply, timing } = waitsUnderTest();
    const node = join();
    await begin({ ...ASK, recipients: [ADA, BEN, CAT] });
    reply("two", BEN);
    reply("one", ADA);
    await timing.advance(MINUTE);
    assert.deepEqual(node.told(), [
      ["happened", BEN, "two"],
      ["happened", ADA, "one"],
      ["silent", CAT, null],
    ]);
    assert.deepEqual(
      node.ends.map(({ sequence }) => sequence?.count),
      [null, null, 3],
    );
  });
});

describe("MemoryWaits with another reply than the one that is waited for", () => {
  it("lets it leave, and waits on, with a message of its own and no place in the sequence", async () => {
    const { join, begin, reply } = waitsUnderTest();
    const node = join("n", YES_OR_NO);
    const msg = { _msgid: "m", payload: { n: 1 } } as NodeMessage;
    await begin({ ...ASK, recipients: [ADA, BEN], msg });
    reply("maybe");
    reply("hm");
    assert.equal(node.open, 2);
    (node.ends[0]!.msg.payload as { n: number }).n = 2;
    reply("yes");
    assert.deepEqual(node.told(), [
      ["other", ADA, "maybe"],
      ["other", ADA, "hm"],
      ["happened", ADA, "yes"],
    ]);
    assert.deepEqual(
      node.ends.map(({ sequence }) => sequence?.index),
      [undefined, undefined, 0],
    );
    assert.deepEqual(
      node.ends.map(({ msg: { payload } }) => payload),
      [{ n: 2 }, { n: 1 }, { n: 1 }],
    );
  });

  it("keeps it for a later wait where the node says so, and for no other where it has left", async () => {
    for (const others of ["later", "output"] as const) {
      const { join, begin, reply } = waitsUnderTest();
      const first = join("first", { ...YES_OR_NO, others });
      const later = join("later");
      await begin({ ...ASK, node: "first" });
      reply("maybe");
      await begin({ ...ASK, node: "later" });
      const isLater = others === "later";
      assert.deepEqual(first.told(), isLater ? [] : [["other", ADA, "maybe"]]);
      assert.deepEqual(later.told(), isLater ? [["happened", ADA, "maybe"]] : []);
    }
  });

  it("gives a later wait what was kept, in the order in which it came", async () => {
    const { join, begin, reply } = waitsUnderTest();
    join("first", { matches: () => false, others: "later" });
    const later = join("later", YES_OR_NO);
    await begin({ ...ASK, node: "first" });
    for (const text of ["maybe", "no", "yes"]) {
      reply(text);
    }
    await begin({ ...ASK, node: "later", transferId: "t2" });
    assert.deepEqual(later.told(), [
      ["other", ADA, "maybe"],
      ["happened", ADA, "no"],
    ]);
    // Nobody has looked at the last one.
    await begin({ ...ASK, node: "later", transferId: "t3" });
    assert.deepEqual(later.told()[2], ["happened", ADA, "yes"]);
  });
});

describe("MemoryWaits with replies that take a while to compare", () => {
  /** Answers that a test gives by hand, in the order of the questions. */
  const byHand = () => {
    const asked: string[] = [];
    const answers: ((isMeant: boolean) => void)[] = [];
    const matches = ({ text }: { readonly text: string }): Promise<boolean> => {
      asked.push(text);
      return new Promise((resolve) => answers.push(resolve));
    };
    const answer = async (isMeant: boolean): Promise<void> => {
      answers.shift()?.(isMeant);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { asked, matches, answer };
  };

  it("compares one after the other, and ends in no silence meanwhile", async () => {
    const { join, begin, reply, status, timing } = waitsUnderTest();
    const { asked, matches, answer } = byHand();
    const node = join("n", { matches });
    await begin(ASK);
    reply("maybe");
    reply("yes");
    await timing.advance(2 * MINUTE);
    status("failed");
    assert.deepEqual([asked, node.told()], [["maybe"], []]);
    await answer(false);
    assert.deepEqual([asked, node.told()], [["maybe", "yes"], [["other", ADA, "maybe"]]]);
    await answer(true);
    assert.deepEqual(node.told()[1], ["happened", ADA, "yes"]);
    assert.equal(node.open, 0);
  });

  it("compares again for the node that took the place of the one that compared", async () => {
    const { join, begin, reply } = waitsUnderTest();
    const first = byHand();
    const second = byHand();
    const before = join("n", first);
    await begin(ASK);
    reply("yes");
    before.leave();
    const after = join("n", second);
    await first.answer(true);
    assert.deepEqual([before.told(), after.told(), second.asked], [[], [], ["yes"]]);
    await second.answer(true);
    assert.deepEqual(after.told(), [["happened", ADA, "yes"]]);
  });

  it("keeps the reply where the node is gone when it was compared", async () => {
    const { join, begin, reply } = waitsUnderTest();
    const { matches, answer } = byHand();
    const node = join("n", { matches });
    await begin(ASK);
    reply("yes");
    node.leave();
    await answer(true);
    assert.deepEqual(node.told(), []);
    assert.deepEqual(join().told(), [["happened", ADA, "yes"]]);
  });
});

describe("MemoryWaits with several questions to a person", () => {
  it("gives the newest the reply, and lets the older end in silence", async () => {
    const { join, begin, reply, timing } = waitsUnderTest();
    const older = join("older");
    const newer = join("newer");
    await begin({ ...ASK, node: "older", channel: "sms" });
    await begin({ ...ASK, node: "newer", channel: "sms", transferId: "t2" });
    reply("yes");
    reply("yes again");
    assert.deepEqual([older.told(), newer.told()], [[], [["happened", ADA, "yes"]]]);
    await timing.advance(MINUTE);
    assert.deepEqual(older.told(), [["silent", ADA, null]]);
    assert.equal(older.ends[0]?.replaced, true);
  });

  it("asks by each channel on its own, and by any channel on all of them", async () => {
    for (const [first, second, replaced] of [
      ["sms", "whatsapp", false],
      ["sms", "sms", true],
      ["sms", "any", true],
      ["any", "sms", true],
      ["any", "any", true],
    ] as const) {
      const { join, begin, reply, timing } = waitsUnderTest();
      const older = join("older");
      const newer = join("newer");
      await begin({ ...ASK, node: "older", channel: first });
      await begin({ ...ASK, node: "newer", channel: second, transferId: "t2" });
      reply("yes", ADA, first === "any" ? "rcs" : first);
      await timing.advance(MINUTE);
      assert.equal(older.ends[0]?.what, replaced ? "silent" : "happened", `${first} ${second}`);
      assert.equal(older.ends[0]?.replaced, replaced);
      assert.equal(newer.ends[0]?.replaced, false);
    }
  });

  it("replaces only those of a list who are asked again, and still hears that their message failed", async () => {
    const { join, begin, reply, status, timing } = waitsUnderTest();
    const list = join("list");
    join("one");
    await begin({ ...ASK, node: "list", recipients: [ADA, BEN, CAT] });
    await begin({ ...ASK, node: "one", transferId: "t2", recipients: [ADA] });
    await begin({ ...ASK, node: "one", transferId: "t3", recipients: [BEN] });
    reply("one", ADA);
    reply("two", CAT);
    status("failed", BEN);
    await timing.advance(MINUTE);
    assert.deepEqual(list.told(), [
      ["happened", CAT, "two"],
      ["failed", BEN, "failed"],
      ["silent", ADA, null],
    ]);
    assert.equal(list.ends[2]?.replaced, true);
  });

  it("goes to an older question by another channel when the newest has its reply", async () => {
    const { join, begin, reply } = waitsUnderTest();
    const node = join();
    await begin({ ...ASK, channel: "whatsapp" });
    await begin({ ...ASK, channel: "sms", transferId: "t2" });
    reply("one", ADA, "sms");
    reply("two", ADA, "sms");
    reply("three", ADA, "whatsapp");
    assert.deepEqual(node.told(), [
      ["happened", ADA, "one"],
      ["happened", ADA, "three"],
    ]);
  });
});

describe("MemoryWaits with a reply before the wait began", () => {
  it("take what came after the message left, and nothing that was written before", async () => {
    const { join, begin, reply, departures, timing } = waitsUnderTest();
    const node = join();
    reply("hello, when do you open?");
    await timing.advance(MINUTE);
    departures.note("c");
    await timing.advance(10);
    reply("yes");
    await begin(ASK);
    assert.deepEqual(node.told(), [["happened", ADA, "yes"]]);
  });

  it("take nothing that an earlier wait has taken", async () => {
    const { join, begin, reply, departures } = waitsUnderTest();
    const node = join();
    departures.note("c");
    await begin(ASK);
    reply("yes");
    await begin({ ...ASK, transferId: "t2" });
    assert.deepEqual([node.ends.length, node.open], [1, 1]);
  });

  it("take what came since a request left of which nothing is known any more", async () => {
    const { join, begin, reply, departures, timing } = waitsUnderTest();
    const node = join();
    departures.note("c");
    await timing.advance(20 * MINUTE);
    reply("yes");
    await begin(ASK);
    assert.deepEqual(node.told(), [["happened", ADA, "yes"]]);
  });

  it("take nothing for a message that has no id", async () => {
    const { join, begin, reply, timing } = waitsUnderTest();
    const node = join();
    reply("hello");
    await timing.advance(1);
    await begin({ ...ASK, clientMessageId: null });
    assert.equal(node.ends.length, 0);
  });

  it("look at replies that came while the node was gone in their order", async () => {
    const { join, begin, reply } = waitsUnderTest();
    const node = join("n", YES_OR_NO);
    await begin(ASK);
    node.leave();
    for (const text of ["maybe", "no", "yes"]) {
      reply(text);
    }
    const back = join("n", YES_OR_NO);
    assert.deepEqual(back.told(), [
      ["other", ADA, "maybe"],
      ["happened", ADA, "no"],
    ]);
    await begin({ ...ASK, transferId: "t2" });
    assert.deepEqual(back.told()[2], ["happened", ADA, "yes"]);
  });
});
