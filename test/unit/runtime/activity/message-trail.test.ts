import assert from "node:assert/strict";
import { mock } from "node:test";
import { ActivityLog, type NewEntry } from "../../../../lib/runtime/activity/activity-log";
import { fitsNumber } from "../../../../lib/runtime/activity/fits-number";
import { maskNumber } from "../../../../lib/shared/recipients/mask-number";
import type { KeptDetails } from "../../../../lib/runtime/activity/kept-entry";
import { MOST_ENTRIES } from "../../../../lib/shared/activity";
import { Busy } from "../../../../lib/shared/async/turns";

const NUMBER = "41791234567";
const OTHER = "41790000002";

const details = (more: Partial<KeptDetails> = {}): KeptDetails => ({
  numbers: [NUMBER],
  plainReason: "The text is too long.",
  fullReason: 'The text "Dear Ms Miller" is too long.',
  advice: "Make it shorter.",
  parameter: "text",
  clientMessageId: "c1",
  transferId: "t1",
  ...more,
});
const request = (more: Partial<NewEntry> = {}): NewEntry => ({
  node: "n1",
  template: null,
  channel: "sms",
  result: "sent",
  who: maskNumber(NUMBER),
  count: 1,
  code: 2000,
  name: "OK",
  status: "",
  simulated: false,
  ...more,
});
const report = (transferId: string | null, clientMessageId: string | null = null) => ({
  transferId,
  clientMessageId,
});

describe("what comes after an entry of the activity", () => {
  let log: ActivityLog;
  beforeEach(() => {
    log = new ActivityLog(() => {});
  });
  const first = () => log.watch().entries[0]?.progress;
  const noIds = { clientMessageId: null, transferId: null } as const;

  it("a report changes the entry of its message, by either id, and is counted", () => {
    log.add("a1", request(), details());
    assert.equal(log.report("a1", report("t1"), NUMBER, "Sent"), true);
    assert.deepEqual(first(), { status: "sent", reached: 1, replies: 0, change: 1 });
    assert.equal(log.report("a1", report(null, "c1"), NUMBER, "delivered"), true);
    // Reports can overtake each other.
    assert.equal(log.report("a1", report("t1"), NUMBER, "sent"), true);
    assert.deepEqual([first()?.status, first()?.change], ["delivered", 3]);
    assert.equal(log.report("a1", report("t2"), NUMBER, "delivered"), false);
    const { entries, tallies } = log.watch();
    assert.deepEqual([entries.length, tallies[0]?.counters.received], [1, 3]);
  });

  it("a report belongs to the message that was sent again, not to the one with the same id that had failed", () => {
    log.add("a1", request({ result: "rejected" }), details({ transferId: null }));
    assert.equal(log.report("a1", report("t9", "c1"), NUMBER, "delivered"), false);
    log.add("a1", { ...event("report"), status: "delivered" }, details({ transferId: "t9" }));
    log.add("a1", request(), details({ transferId: "t9" }));
    assert.deepEqual(
      log.watch().entries.map(({ result, progress, folded }) => [result, progress?.status, folded]),
      [
        ["rejected", undefined, undefined],
        ["received", "", true],
        ["sent", "delivered", undefined],
      ],
    );
    assert.equal(log.report("a1", report(null, "c1"), NUMBER, "read"), true);
  });

  it("what an entry unfolds to is in the order in which things happened, with the newest last", () => {
    const now = Date.now();
    mock.timers.enable({ apis: ["Date"], now });
    try {
      log.add("a1", request(), details());
      const later = (ms: number): void => mock.timers.setTime(now + ms);
      later(6_000);
      log.report("a1", report("t1"), NUMBER, "delivered", new Date(now + 4_000).toISOString());
      later(8_000);
      // It has overtaken nobody: it only came late, as the one after it.
      log.report("a1", report("t1"), NUMBER, "sent");
      later(9_000);
      log.report("a1", report("t1"), NUMBER, "read", "yesterday");
      const { epoch } = log.watch();
      const steps = log.details(epoch, 1, false)?.steps ?? [];
      assert.deepEqual(
        steps.map(({ at, status }) => [status, at - now]),
        [
          ["sent", 0],
          ["sent", 4_000],
          ["delivered", 4_000],
          ["read", 9_000],
        ],
      );
      assert.deepEqual(Object.keys(steps[0] ?? {}).sort(), ["at", "status", "what", "who"]);
    } finally {
      mock.timers.reset();
    }
  });

  it("a report that came before its message keeps the time that it names", () => {
    const now = Date.now();
    mock.timers.enable({ apis: ["Date"], now });
    try {
      const named = new Date(now - 1_000).toISOString();
      const kept = details({ ...noIds, transferId: "t1" });
      log.add("a1", request({ result: "received", status: "delivered" }), kept, { happenedOn: named });
      mock.timers.setTime(now + 2_000);
      log.add("a1", request(), details(), { answeredAt: now - 3_000 });
      const { epoch } = log.watch();
      assert.deepEqual(
        log.details(epoch, 2, false)?.steps.map(({ at, status }) => [status, at - now]),
        [
          ["sent", -3_000],
          ["delivered", -1_000],
        ],
      );
    } finally {
      mock.timers.reset();
    }
  });

  it("a report belongs to the message with its transfer id, else to the newest one with its message id", () => {
    log.add("a1", request(), details({ transferId: "t1", clientMessageId: "c9" }));
    log.add("a1", request(), details({ transferId: "t2", clientMessageId: "c1" }));
    log.report("a1", report("t1", "c1"), NUMBER, "delivered");
    log.report("a1", report("t9", "c1"), NUMBER, "read");
    log.add("a1", request(), details({ transferId: "t3", clientMessageId: "c1" }));
    log.report("a1", report(null, "c1"), NUMBER, "expired");
    assert.deepEqual(
      log.watch().entries.map(({ progress }) => progress?.status),
      ["delivered", "read", "expired"],
    );
  });

  it("a report finds its message behind other entries, until that one is gone, and after all were cleared", () => {
    const pass = (count: number): void => {
      for (let at = 0; at < count; at++)
        log.add("a1", request({ result: "received" }), details({ ...noIds }));
    };
    const isFound = (...ids: Parameters<typeof report>): boolean =>
      log.report("a1", report(...ids), NUMBER, "delivered");
    log.add("a1", request(), details());
    pass(MOST_ENTRIES - 1);
    assert.equal(isFound("t1"), true);
    log.add("a1", request(), details({ transferId: "t2", clientMessageId: "c2" }));
    assert.equal(isFound("t1"), false);
    assert.equal(isFound("t1", "c2"), true);
    pass(4 * MOST_ENTRIES);
    log.add("a1", request(), details({ transferId: "t3" }));
    assert.equal(isFound("t2", "c2"), false);
    assert.equal(isFound("t3"), true);
    log.clear();
    log.add("a1", request(), details({ transferId: "t4" }));
    assert.equal(isFound("t3"), false);
    assert.equal(isFound("t4"), true);
  });

  it("a report finds the last message and the one before it, however many there were", () => {
    const missed: string[] = [];
    for (let at = 1; at <= 4 * MOST_ENTRIES; at++) {
      log.add("a1", request(), details({ transferId: `t${at}`, clientMessageId: null }));
      for (const id of [`t${at}`, `t${Math.max(1, at - 1)}`]) {
        if (!log.report("a1", report(id), NUMBER, "delivered")) missed.push(id);
      }
    }
    assert.deepEqual(missed, []);
  });

  it("of several recipients counts a failure first", () => {
    log.add("a1", request({ count: 2 }), details({ numbers: [NUMBER, OTHER] }));
    log.report("a1", report("t1"), NUMBER, "delivered");
    log.report("a1", report("t1"), OTHER, "delivered");
    assert.deepEqual([first()?.status, first()?.reached], ["delivered", 2]);
    log.report("a1", report("t1"), OTHER, "expired");
    assert.deepEqual([first()?.status, first()?.reached], ["delivered", 2], "what arrived has arrived");
    log.add(
      "a1",
      request({ count: 2 }),
      details({ numbers: [NUMBER, OTHER], transferId: "t3", clientMessageId: null }),
    );
    log.report("a1", report("t3"), NUMBER, "read");
    log.report("a1", report("t3"), OTHER, "expired");
    const last = log.watch().entries.at(-1)?.progress;
    assert.deepEqual([last?.status, last?.reached], ["expired", 1]);
  });

  it("a reply changes the newest accepted message to its sender on its channel alone", () => {
    log.add("a1", request(), details());
    log.add("a1", request({ channel: "whatsapp" }), details({ transferId: "t2", clientMessageId: null }));
    log.add("a1", request({ result: "rejected" }), details({ transferId: null, clientMessageId: null }));
    assert.equal(log.reply(`telegram:${NUMBER}`, "sms"), null, "an id is no number");
    log.reply(`+${NUMBER}`, "sms");
    assert.deepEqual(
      log.watch().entries.map(({ progress }) => progress?.replies ?? 0),
      [1, 0, 0],
    );
    assert.deepEqual(
      log.details(log.watch().epoch, 1, false)?.steps.map(({ what }) => what),
      ["result", "reply"],
    );
  });

  it("a reply finds its message behind many lists, and a report one of which nothing was asked before", () => {
    const numbers = (at: number): string[] => [String(41_790_001_000 + at), String(41_790_002_000 + at)];
    for (let at = 0; at < 60; at++) {
      log.add(
        "a1",
        request({ count: 2 }),
        details({ numbers: numbers(at), transferId: `t${at}`, clientMessageId: null }),
      );
    }
    assert.equal(log.reply("+41790002000", "sms"), 1);
    assert.equal(log.reply("41790001059", "sms"), 60);
    assert.equal(log.reply("+41790002000", "sms"), 1);
    assert.equal(log.reply("41790003000", "sms"), null);
    assert.equal(log.report("a1", report("t30"), "41790001030", "delivered"), true);
    log.add("a1", request(), details({ transferId: "t60" }));
    assert.equal(log.report("a1", report("t60"), NUMBER, "delivered"), true);
    log.clear();
    assert.equal(log.report("a1", report("t60"), NUMBER, "delivered"), false);
    assert.equal(log.reply("41790001059", "sms"), null);
  });

  const event = (name: string): NewEntry => request({ result: "received", name, code: null, node: "hook" });
  const write = (number = NUMBER): void => {
    const repliedTo = log.reply(number, "sms");
    log.add("a1", event("inbound"), details({ ...noIds, numbers: [number] }), { repliedTo });
  };

  it("a report that is noted before its message stands in the entry of the message once that comes", () => {
    log.add("a1", request(), details({ transferId: "t0", clientMessageId: "c0" }));
    const known = log.watch();
    assert.equal(log.report("a1", report("t1"), NUMBER, "delivered"), false);
    log.add("a1", { ...event("report"), status: "delivered" }, details({ clientMessageId: null }));
    const between = log.watch(known.epoch, 1, known.change);
    assert.deepEqual(
      between.entries.map(({ id, folded }) => [id, folded]),
      [[2, undefined]],
    );
    log.add("a1", request(), details());
    const { entries, tallies } = log.watch(between.epoch, 2, between.change);
    assert.deepEqual(
      entries.map(({ id, folded, before, progress }) => [id, folded, before, progress?.status]),
      [
        [2, true, undefined, ""],
        [3, undefined, 2, "delivered"],
      ],
    );
    assert.equal(tallies[0]?.counters.received, 1);
    const steps = log.details(between.epoch, 3, true)?.steps.map(({ what, status }) => [what, status]);
    assert.deepEqual(steps, [
      ["result", "sent"],
      ["status", "delivered"],
    ]);
    log.add("a1", request(), details({ clientMessageId: "c7" }));
    assert.equal(log.watch().entries.at(-1)?.progress, undefined, "a report belongs to one message");
  });

  it("a reply that is noted before its message marks that one and none before it, and stands after it", () => {
    mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
    log = new ActivityLog(() => {});
    try {
      const hour = { ...noIds, transferId: "t0" };
      log.add("a1", request(), details(hour));
      mock.timers.tick(1000);
      const answeredAt = Date.now();
      mock.timers.tick(10);
      write(OTHER);
      write();
      assert.deepEqual(log.watch().entries[0]?.progress?.replies, 1);
      log.add("a1", request(), details(), { answeredAt });
      const { entries, epoch } = log.watch();
      assert.deepEqual(
        entries.map(({ id, at, before, progress }) => [id, at, before, progress?.replies]),
        [
          [1, 1_000_000, undefined, 0],
          [2, 1_001_010, undefined, undefined],
          [3, 1_001_010, undefined, undefined],
          [4, answeredAt, 3, 1],
        ],
      );
      assert.deepEqual(
        log.details(epoch, 1, true)?.steps.map(({ what }) => what),
        ["result"],
      );
    } finally {
      mock.timers.reset();
    }
  });

  it("of two messages that are noted after a reply, the one that was answered last has it", () => {
    mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
    log = new ActivityLog(() => {});
    try {
      const [earlier, later] = [1_000_000, 1_000_005];
      mock.timers.tick(10);
      write();
      log.add("a1", request(), details(), { answeredAt: later });
      log.add("a1", request(), details({ transferId: "t2" }), { answeredAt: earlier });
      assert.deepEqual(
        log.watch().entries.map(({ progress }) => progress?.replies),
        [undefined, 1, undefined],
      );
    } finally {
      mock.timers.reset();
    }
  });

  it("a message that answers a person, fails, or goes by another channel is not one that was replied to", () => {
    mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
    log = new ActivityLog(() => {});
    try {
      write();
      mock.timers.tick(10);
      const before = Date.now() - 10;
      log.add("a1", request(), details(), { answeredAt: Date.now() });
      log.add("a1", request({ result: "rejected" }), details(), { answeredAt: before });
      log.add("a1", request({ channel: "rcs" }), details(), { answeredAt: before });
      assert.deepEqual(
        log.watch().entries.map(({ before: place, progress }) => [place, progress]),
        Array.from({ length: 4 }, () => [undefined, undefined]),
      );
    } finally {
      mock.timers.reset();
    }
  });

  it("looks for a number in slices, one search at a time, and refuses more than may wait", async () => {
    const numbers = Array.from({ length: 100_000 }, (_, each) => String(41790000000 + each));
    log.add("a1", request(), details({ numbers }));
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const running: string[] = [];
    const searches = Array.from({ length: 12 }, (_, at) =>
      log.find((number) => {
        running.push(String(at));
        return number === "41790099999";
      }),
    );
    const found = await Promise.allSettled(searches);
    isOver = true;
    assert.deepEqual(
      found.map((each) => (each.status === "fulfilled" ? each.value.ids : each.reason.constructor)),
      [...Array.from({ length: 10 }, () => [1]), Busy, Busy],
    );
    assert.ok(turns >= 900, `${turns} turns of others`);
    assert.deepEqual(
      running,
      running.toSorted((one, other) => Number(one) - Number(other)),
    );
    assert.deepEqual((await log.find(() => true)).ids, [1], "others are looked for again");
  });

  it("forgets the ids and numbers of entries that have left", async () => {
    log.add("a1", request(), details());
    for (let each = 0; each < MOST_ENTRIES; each++) {
      log.add("a1", request(), details({ numbers: [OTHER], transferId: `x${each}`, clientMessageId: null }));
    }
    assert.equal(log.report("a1", report("t1"), NUMBER, "delivered"), false);
    assert.deepEqual((await log.find(fitsNumber([NUMBER], NUMBER, true))).ids, []);
    assert.equal(log.details(log.watch().epoch, 1, true), null);
    log.clear();
    assert.equal(log.report("a1", report("x499"), OTHER, "delivered"), false);
  });

  it("gives those who know something what changed since", () => {
    for (let each = 0; each < MOST_ENTRIES; each++) {
      log.add("a1", request(), details({ transferId: `t${each}`, clientMessageId: null }));
    }
    const { epoch } = log.watch();
    for (let each = 0; each < MOST_ENTRIES; each++) {
      log.report("a1", report(`t${each}`), NUMBER, "delivered");
    }
    const caughtUp = log.watch(epoch, MOST_ENTRIES, 0);
    assert.deepEqual([caughtUp.entries.length, caughtUp.change], [MOST_ENTRIES, MOST_ENTRIES]);
    assert.deepEqual(log.watch(epoch, MOST_ENTRIES, caughtUp.change).entries, []);
  });

  it("tells numbers, ids of flows and quoted values only in full", () => {
    log.add("a1", request({ result: "rejected" }), details());
    const { epoch } = log.watch();
    const full = log.details(epoch, 1, true);
    assert.deepEqual([full?.numbers, full?.clientMessageId], [[NUMBER], "c1"]);
    assert.match(full?.reason ?? "", /Miller/);
    const plain = log.details(epoch, 1, false);
    assert.deepEqual([plain?.numbers, plain?.numberCount, plain?.clientMessageId], [null, 1, null]);
    assert.equal(plain?.advice, "Make it shorter.");
    assert.doesNotMatch(JSON.stringify(plain), /Miller|c1|123456/);
    assert.doesNotMatch(JSON.stringify(log.watch()), /Miller|"c1"|"t1"|1234567/);
    assert.equal(log.details("another epoch", 1, true), null);
  });
});

describe("fitsNumber", () => {
  it("compares whole numbers and their last digits", () => {
    for (const typed of ["0791234567", "41791234567", "4567", "34567"]) {
      const fits = fitsNumber([NUMBER], typed, true);
      assert.deepEqual([fits(`+${NUMBER}`), fits(NUMBER), fits(OTHER)], [true, true, false], typed);
    }
    assert.equal(fitsNumber([], "0002", true)(OTHER), true, "last digits can begin with zeros");
    assert.equal(fitsNumber([], "0002", false)(OTHER), true);
    assert.equal(fitsNumber([], "67", true)(NUMBER), false, "two digits say nothing");
  });

  it("without permission finds as much as masks show", () => {
    const fits = fitsNumber([NUMBER], "41791234567", false);
    // The middle of a number is no secret that a search could find out.
    assert.deepEqual([fits(NUMBER), fits("41799999567"), fits(OTHER)], [true, true, false]);
    assert.equal(fitsNumber(["34567"], "34567", false)("41791200567"), true);
  });
});
