import assert from "node:assert/strict";
import { mock } from "node:test";
import { ActivityLog, type NewEntry } from "../../../../lib/runtime/activity/activity-log";
import {
  type ActivityEntry,
  MINUTES,
  MOST_ENTRIES,
  MOST_REFUSALS,
  WATCH_FOR,
} from "../../../../lib/shared/activity";

const ENTRY: NewEntry = {
  node: "n1",
  template: null,
  channel: "sms",
  result: "sent",
  who: "+4179…567",
  count: 1,
  code: 2000,
  name: "OK",
  status: "",
  simulated: false,
};

const idsOf = (entries: readonly ActivityEntry[]): number[] => entries.map(({ id }) => id);

/** Noon, so that a test does not begin at the end of a minute. */
const START = Date.UTC(2025, 0, 1, 12);

describe("ActivityLog", () => {
  /** How often editors were told that there is something new. */
  let told: number;
  let log: ActivityLog;
  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: START });
    told = 0;
    log = new ActivityLog((...what: readonly unknown[]) => {
      assert.deepEqual(what, [], "everybody with status.read hears it");
      told++;
    });
  });
  afterEach(() => mock.timers.reset());

  it("keeps the newest entries, counts all of them, and stays that small", () => {
    for (let each = 1; each <= 100_000; each++) {
      log.add("a1", { ...ENTRY, result: each % 4 === 0 ? "rejected" : "sent" });
      if (each % 1000 === 0) mock.timers.tick(60_000);
    }
    const state = log.watch();
    assert.deepEqual(state.tallies[0]?.counters, { sent: 75_000, rejected: 25_000 });
    assert.equal(state.entries.length, MOST_ENTRIES);
    assert.deepEqual([state.entries[0]!.id, state.entries.at(-1)!.id], [99_501, 100_000]);
    assert.ok((state.tallies[0]?.minutes.length ?? assert.fail()) <= MINUTES);
    assert.ok(JSON.stringify(state).length < 200_000);
  });

  it("counts people, and files apart", () => {
    log.add("a1", { ...ENTRY, count: 1_000 });
    log.add("a1", { ...ENTRY, result: "rejected", count: 20 });
    log.add("a1", { ...ENTRY, result: "rejected", count: 0 });
    log.add("a1", { ...ENTRY, channel: "media", count: 0, file: "saved" });
    log.add("a1", { ...ENTRY, channel: "media", result: "unknown", count: 0 });
    log.add("a1", { ...ENTRY, result: "received" });
    const [{ counters, minutes } = assert.fail()] = log.watch().tallies;
    assert.deepEqual(counters, { sent: 1_000, rejected: 21, files: 1, "files-failed": 1, received: 1 });
    assert.deepEqual(
      minutes.map(({ accepted, failed, received }) => [accepted, failed, received]),
      [[1_000, 21, 1]],
    );
  });

  it("keeps what became of a file", () => {
    log.add("a1", { ...ENTRY, channel: "media", file: "saved" });
    log.add("a1", ENTRY);
    const [first, second] = log.watch().entries;
    assert.deepEqual([first?.file, second && "file" in second], ["saved", false]);
  });

  const REFUSED = { ...ENTRY, channel: "webhook", result: "refused", who: "", code: 401 } as const;
  const refused = (name: string, node = "hook"): NewEntry => ({ ...REFUSED, node, name });

  it("counts equal refusals in one entry, and lets none of them push out a message", () => {
    log.add("a1", ENTRY);
    for (let each = 0; each < 10_000; each++) {
      log.add("a1", refused("wrong-credentials"));
      if (each % 2 === 0) log.add("a1", refused("too-large"));
      if (each % 1000 === 0) mock.timers.tick(1000);
    }
    log.add("a1", refused("wrong-credentials", "other"));
    const state = log.watch();
    assert.deepEqual([idsOf(state.entries), state.entries[0]?.result], [[1], "sent"]);
    const later = START + 10_000;
    assert.deepEqual(
      state.refusals.map(({ node, name, times, since, at }) => [node, name, times, since, at]),
      [
        ["hook", "too-large", 5000, START, later],
        ["hook", "wrong-credentials", 10_000, START, later],
        ["other", "wrong-credentials", 1, later, later],
      ],
    );
    const [{ counters, minutes } = assert.fail()] = state.tallies;
    assert.deepEqual(counters, { sent: 1, refused: 15_001 });
    const failures = minutes.reduce((sum, { failed }) => sum + failed, 0);
    assert.equal(failures, 15_001);
  });

  it("keeps those refused last of many that differ, and no message less for them", () => {
    for (let each = 0; each < MOST_ENTRIES; each++) log.add("a1", ENTRY);
    for (let each = 0; each < 1000; each++) log.add("a1", refused("wrong-credentials", `n${each}`));
    log.add("a1", refused("wrong-credentials", "n960"));
    const { entries, refusals } = log.watch();
    assert.deepEqual([entries.length, refusals.length], [MOST_ENTRIES, MOST_REFUSALS]);
    assert.deepEqual([refusals[0]?.node, refusals.at(-1)?.node, refusals.at(-1)?.times], ["n950", "n960", 2]);
  });

  it("forgets refusals when it is cleared", () => {
    log.add("a1", refused("too-large"));
    log.add("a1", refused("too-large"));
    assert.equal(log.watch().refusals[0]?.times, 2);
    log.clear();
    assert.deepEqual(log.watch().refusals, []);
    log.add("a1", refused("too-large"));
    assert.equal(log.watch().refusals[0]?.times, 1);
  });

  it("tells nobody, and sets no timer, while nobody watches", () => {
    for (let each = 0; each < 1000; each++) log.add("a1", ENTRY);
    mock.timers.tick(10_000);
    assert.equal(told, 0);
  });

  it("tells watchers at most four times a second that there is something new, and nothing of it", () => {
    log.watch();
    for (let step = 0; step < 1000; step++) {
      log.add("a1", ENTRY);
      log.add("a1", ENTRY);
      mock.timers.tick(1);
    }
    mock.timers.tick(1000);
    assert.ok(told >= 3 && told <= 6, `${told} times`);
  });

  it("falls silent when the last watcher has not looked for a while", () => {
    log.watch();
    mock.timers.tick(WATCH_FOR);
    log.add("a1", ENTRY);
    mock.timers.tick(1000);
    assert.equal(told, 0);
  });

  it("gives those who know something only what is newer, and all of it after it was cleared", () => {
    for (let each = 0; each < 5; each++) log.add("a1", ENTRY);
    const { epoch } = log.watch();
    assert.deepEqual(idsOf(log.watch(epoch, 3).entries), [4, 5]);
    log.clear();
    log.add("a1", ENTRY);
    const state = log.watch(epoch, 5);
    assert.notEqual(state.epoch, epoch);
    assert.deepEqual([idsOf(state.entries), state.tallies[0]?.counters], [[1], { sent: 1 }]);
  });

  it("tells everybody that it was cleared", () => {
    const { epoch } = log.watch();
    log.add("a1", ENTRY);
    mock.timers.tick(300);
    assert.equal(told, 1);
    log.clear();
    mock.timers.tick(300);
    assert.equal(told, 2);
    const state = log.watch(epoch, 1);
    assert.notEqual(state.epoch, epoch);
    assert.deepEqual([state.entries, state.tallies], [[], []]);
  });

  it("says since when it counts: the start, or when it was cleared", () => {
    const start = Date.now();
    mock.timers.tick(5_000);
    const { since, cleared } = log.watch();
    assert.deepEqual([since, cleared], [start, false]);
    log.clear();
    const after = log.watch();
    assert.deepEqual([after.since, after.cleared], [start + 5_000, true]);
  });

  it("has one bucket a minute and forgets those older than an hour", () => {
    log.add("a1", ENTRY);
    log.add("a1", { ...ENTRY, result: "unknown" });
    mock.timers.tick(60_000);
    log.add("a1", { ...ENTRY, result: "received" });
    log.add("a1", { ...ENTRY, result: "duplicate" });
    const first = Math.floor(START / 60_000);
    assert.deepEqual(log.watch().tallies[0]?.minutes, [
      { minute: first, accepted: 1, failed: 1, received: 0 },
      { minute: first + 1, accepted: 0, failed: 0, received: 1 },
    ]);
    mock.timers.tick((MINUTES - 1) * 60_000);
    const minutes = log.watch().tallies[0]?.minutes.map(({ minute }) => minute);
    assert.deepEqual(minutes, [first + 1]);
  });

  it("counts each account by itself", () => {
    log.add("a1", ENTRY);
    log.add("a2", { ...ENTRY, count: 3 });
    log.add("a2", { ...ENTRY, result: "unknown" });
    assert.deepEqual(
      log.watch().tallies.map(({ account, counters }) => [account, counters]),
      [
        ["a1", { sent: 1 }],
        ["a2", { sent: 3, unknown: 1 }],
      ],
    );
  });

  it("takes in what an account did before the start, once, and nothing after it was cleared", () => {
    log.add("a1", ENTRY);
    const midnight = START - 43_200_000;
    const minute = Math.floor(START / 60_000);
    const counts = [
      { result: "sent", minute: null, count: 40 },
      { result: "sent", minute: minute - 5, count: 2 },
      { result: "rejected", minute, count: 1 },
      { result: "skipped", minute: minute - 4, count: 7 },
    ] as const;
    assert.equal(log.wantedUpTo("a1"), START);
    log.addEarlier("a1", counts, midnight);
    log.addEarlier("a1", counts, midnight);
    assert.equal(log.wantedUpTo("a1"), null);
    const [tally] = log.watch().tallies;
    assert.deepEqual(tally, {
      account: "a1",
      counters: { sent: 43, rejected: 1, skipped: 7 },
      since: midnight,
      minutes: [
        { minute: minute - 5, accepted: 2, failed: 0, received: 0 },
        { minute, accepted: 1, failed: 1, received: 0 },
      ],
    });
    log.add("a1", ENTRY);
    assert.equal(log.watch().tallies[0]?.minutes.at(-1)?.accepted, 2);
    log.clear();
    assert.equal(log.wantedUpTo("a2"), null);
    log.addEarlier("a2", counts, midnight);
    assert.deepEqual(log.watch().tallies, []);
  });

  it("lets work wait until somebody looks", () => {
    const done: string[] = [];
    log.whenWatched(() => void done.push("first"));
    const giveUp = log.whenWatched(() => void done.push("given up"));
    giveUp();
    assert.equal(done.join(), "");
    log.watch();
    log.watch();
    log.whenWatched(() => void done.push("at once"));
    assert.equal(done.join(), "first,at once");
  });

  it("goes on when the clock is set back", () => {
    log.add("a1", ENTRY);
    mock.timers.setTime(START - 3_600_000);
    log.add("a1", ENTRY);
    mock.timers.setTime(START);
    assert.equal(log.watch().tallies[0]?.minutes.at(-1)?.accepted, 2);
  });

  it("follows sends of several requests until they end, those with most to do first", () => {
    const sends = Array.from({ length: 25 }, (_unused, at) =>
      log.begin({ node: `n${at}`, template: null, total: 1000 * (at + 1), simulated: true }),
    );
    sends[24]!.step(24_500);
    const { running, runningCount } = log.watch();
    assert.deepEqual([running.length, runningCount], [20, 25]);
    assert.equal(running[0]!.node, "n23");
    for (const send of sends) send.end();
    assert.deepEqual([log.watch().running, log.watch().runningCount], [[], 0]);
  });
});
