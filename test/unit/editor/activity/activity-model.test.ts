import assert from "node:assert/strict";
import { mock } from "node:test";
import { ActivityModel, isRefusal, passes } from "../../../../lib/editor/activity/model";
import { canBeNumber, NumberSearch } from "../../../../lib/editor/activity/number-search";
import {
  type AccountTally,
  type ActivityEntry,
  type ActivityState,
  MINUTES,
  MOST_ENTRIES,
  MOST_REFUSALS,
  type RefusalEntry,
} from "../../../../lib/shared/activity";

const entry = (id: number, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id,
  at: 0,
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
  ...more,
});

const refusal = (id: number, at: number, times: number): RefusalEntry => ({
  ...entry(id, { at, channel: "webhook", name: "wrong-credentials", code: 401, who: "" }),
  result: "refused",
  times,
  since: 1,
});

const tally = (more: Partial<AccountTally>): AccountTally => ({
  account: "a1",
  counters: {},
  since: 1_000,
  minutes: [],
  ...more,
});

function state(from: number, to: number, more: Partial<ActivityState> = {}): ActivityState {
  return {
    epoch: "e1",
    change: 0,
    entries: Array.from({ length: to - from + 1 }, (_unused, at) => entry(from + at)),
    refusals: [],
    since: 0,
    cleared: false,
    tallies: [tally({ counters: { sent: to } })],
    running: [],
    runningCount: 0,
    ...more,
  };
}

const idsOf = (entries: readonly ActivityEntry[]): number[] => entries.map(({ id }) => id);

describe("ActivityModel", () => {
  let model: ActivityModel;
  beforeEach(() => {
    model = new ActivityModel();
  });

  it("applies answers, each entry once", () => {
    assert.equal(model.take(state(1, 3)).replaced, true);
    const change = model.take(state(2, 5));
    assert.deepEqual([idsOf(change.added), change.replaced], [[4, 5], false]);
    assert.deepEqual([idsOf(model.entries), model.counters(null)], [[1, 2, 3, 4, 5], { sent: 5 }]);
  });

  it("puts an entry that says more into its place, and what it said before nowhere", () => {
    model.take(state(1, 3));
    const changed = (change: number, status: string): ActivityEntry =>
      entry(2, { progress: { status, reached: 1, replies: 0, change } });
    const news = model.take(state(4, 4, { entries: [changed(2, "delivered"), entry(4)] }));
    assert.deepEqual([idsOf(news.added), idsOf(news.changed)], [[4], [2]]);
    assert.deepEqual(idsOf(model.entries), [1, 2, 3, 4]);
    assert.deepEqual(idsOf(model.take(state(2, 4, { entries: [changed(1, "sent")] })).changed), []);
    assert.equal(model.entries[1]?.progress?.status, "delivered");
  });

  it("shows a message before the reply that came first, and no report that stands in its message", () => {
    model.take(state(1, 3));
    const folded = entry(2, { folded: true, progress: { status: "", reached: 0, replies: 0, change: 1 } });
    const news = model.take(state(4, 4, { entries: [folded, entry(4, { before: 3 })] }));
    assert.deepEqual(idsOf(model.entries), [1, 4, 3]);
    assert.deepEqual([idsOf(news.added), idsOf(news.changed)], [[4], [2]]);
    assert.equal(model.completeTo, 4);
  });

  it("asks for what comes after its newest entry, and keeps at most its limit", () => {
    assert.equal(model.completeTo, 0);
    model.take(state(1, 80));
    assert.equal(model.completeTo, 80);
    model.take(state(81, MOST_ENTRIES + 60));
    assert.deepEqual([model.entries.length, model.entries[0]!.id], [MOST_ENTRIES, 61]);
    assert.equal(model.completeTo, MOST_ENTRIES + 60);
  });

  it("forgets everything of another epoch", () => {
    model.take(
      state(1, 9, { tallies: [tally({ minutes: [{ minute: 100, accepted: 9, failed: 0, received: 0 }] })] }),
    );
    assert.equal(model.take(state(1, 2, { epoch: "e2" })).replaced, true);
    assert.equal(model.entries.length, 2);
    assert.ok(model.minutes(100 * 60_000, null).every(({ accepted }) => accepted === 0));
  });

  it("shows a refusal once, at the time of its last call, with the count of all", () => {
    const shown = () =>
      model.entries.map(
        (each) => `${each.id} at ${each.at}${isRefusal(each) ? `, ${each.times} times` : ""}`,
      );
    const entries = [entry(1, { at: 10 }), entry(2, { at: 30 })];
    model.take(state(1, 2, { entries, refusals: [refusal(1, 20, 3), refusal(2, 25, 1)] }));
    assert.deepEqual(shown(), ["1 at 10", "1 at 20, 3 times", "2 at 25, 1 times", "2 at 30"]);
    const third = { entries: [entry(3, { at: 40 })], refusals: [refusal(1, 50, 900)] };
    const { added } = model.take(state(3, 3, third));
    assert.deepEqual(
      [idsOf(added), added.map(({ at }) => at)],
      [
        [3, 1],
        [40, 50],
      ],
    );
    assert.deepEqual(shown().slice(-3), ["2 at 30", "3 at 40", "1 at 50, 900 times"]);
    assert.deepEqual(model.take(state(3, 3, { refusals: [refusal(1, 20, 3)] })).added, [], "an old update");
    assert.equal(model.completeTo, 3);
  });

  it("keeps a full list of messages complete beside refusals", () => {
    const refusals = Array.from({ length: MOST_REFUSALS + 9 }, (_unused, at) => refusal(at + 1, at, 1));
    model.take(state(1, MOST_ENTRIES, { refusals }));
    assert.equal(model.entries.filter(isRefusal).length, MOST_REFUSALS);
    assert.equal(model.entries.length, MOST_ENTRIES + MOST_REFUSALS);
    assert.equal(model.completeTo, MOST_ENTRIES);
  });

  it("fills the hour with empty minutes, and replaces updated ones", () => {
    const minute = { minute: 1000, accepted: 1, failed: 0, received: 0 };
    model.take(state(1, 1, { tallies: [tally({ minutes: [minute] })] }));
    model.take(state(2, 2, { tallies: [tally({ minutes: [{ ...minute, accepted: 2 }] })] }));
    const minutes = model.minutes(1010 * 60_000, null);
    assert.deepEqual([minutes.length, minutes.at(-1)!.minute], [MINUTES, 1010]);
    const used = minutes.filter(({ accepted }) => accepted > 0);
    assert.deepEqual(used, [{ ...minute, accepted: 2 }]);
  });

  it("counts an account inside a subflow with all its instances", () => {
    const tallies = ["i1-a1", "i2-a1", "a1x", "a2"].map((account) =>
      tally({ account, counters: { sent: 2 } }),
    );
    model.take(state(1, 1, { tallies }));
    assert.deepEqual(model.counters("a1"), { sent: 4 });
  });

  it("counts all accounts or one, and knows since when", () => {
    const minute = { minute: 1000, accepted: 1, failed: 0, received: 0 };
    assert.deepEqual(model.since(null), [0, 0]);
    const tallies = [
      tally({ counters: { sent: 5, unknown: 1 }, since: 400, minutes: [minute] }),
      tally({ account: "a2", counters: { sent: 2 }, minutes: [{ ...minute, failed: 3 }] }),
    ];
    model.take(state(1, 1, { since: 1_000, tallies }));
    assert.deepEqual(model.counters(null), { sent: 7, unknown: 1 });
    assert.deepEqual(model.counters("a2"), { sent: 2 });
    assert.deepEqual(model.minutes(60_000_000, null).at(-1), { ...minute, accepted: 2, failed: 3 });
    assert.deepEqual(model.minutes(60_000_000, "a1").at(-1), minute);
    assert.deepEqual(
      [model.since(null), model.since("a1"), model.since("a3")],
      [
        [400, 1_000],
        [400, 400],
        [1_000, 1_000],
      ],
    );
    assert.deepEqual([model.isEarlier(400), model.isEarlier(1_000)], [true, false]);
  });
});

describe("filter of the activity list", () => {
  const textOf = ({ who, name }: ActivityEntry): string => `${who} ${name} Tell customer`;
  const all = { text: "", result: null, wants: null };
  const rows: readonly (readonly [title: string, filter: Parameters<typeof passes>[1], passes: boolean])[] = [
    ["no filter", all, true],
    ["a word in it, in other letters", { ...all, text: "CUSTOMER" }, true],
    ["all of several words", { ...all, text: "ok  567" }, true],
    ["one of several words missing", { ...all, text: "ok 999" }, false],
    ["its result", { ...all, result: "sent" }, true],
    ["another result", { ...all, result: "rejected" }, false],
    ["its node", { ...all, wants: ({ node }) => node === "n1" }, true],
    ["another node", { ...all, wants: ({ node }) => node === "n2" }, false],
  ];
  for (const [title, filter, expected] of rows) {
    it(`${expected ? "passes" : "hides"}: ${title}`, () => {
      assert.equal(passes(entry(1), filter, textOf), expected);
    });
  }
});

describe("numbers in the search of the activity", () => {
  for (const text of ["079 123 45 67", "+41 79 123 45 67", "0041791234567", "(079) 123-45.67", "4567"]) {
    it(`takes "${text}" for one`, () => assert.equal(canBeNumber(text), true));
  }
  for (const text of ["", "67", "sent", "4711 delivered", "12:30", "+"]) {
    it(`takes "${text}" for words`, () => assert.equal(canBeNumber(text), false));
  }

  it("says of the first digits of a number that more are needed", () => {
    const search = new NumberSearch(
      () => new Promise(() => {}),
      () => {},
    );
    for (const [text, state] of [
      ["0", "short"],
      ["+4", "short"],
      ["079", "looking"],
      ["sent", null],
      ["", null],
    ] as const) {
      search.search(text);
      assert.equal(search.state, state, text);
    }
  });

  describe("in the course of time", () => {
    beforeEach(() => {
      mock.timers.enable({ apis: ["setTimeout"] });
      Object.assign(globalThis, { window: globalThis });
    });
    afterEach(() => {
      mock.timers.reset();
      Reflect.deleteProperty(globalThis, "window");
    });

    const answered = async (ms = 0): Promise<void> => {
      mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };

    it("asks again while entries come in, and an old answer changes nothing", async () => {
      const answers: ((ids: readonly number[]) => void)[] = [];
      let changes = 0;
      const search = new NumberSearch(
        () => new Promise((resolve) => answers.push((ids) => resolve({ epoch: "e", last: 9, ids }))),
        () => changes++,
      );
      search.search("sent");
      assert.deepEqual([answers.length, search.state], [0, null]);
      search.search("0791234567");
      assert.deepEqual([answers.length, search.state, search.found], [1, "looking", null]);
      search.again();
      search.again();
      mock.timers.tick(1000);
      assert.equal(answers.length, 2);
      answers[1]?.([4, 5]);
      answers[0]?.([4]);
      await answered();
      assert.deepEqual([[...(search.found ?? [])], search.state, changes], [[4, 5], "none", 1]);
      search.search("");
      assert.deepEqual([search.found, search.state], [null, null]);
    });

    it("asks again where there is no answer, and goes on showing what was found", async () => {
      let isBusy = true;
      const find = async () => {
        if (isBusy) throw new Error("busy");
        return { epoch: "e", last: 9, ids: [4] };
      };
      let changes = 0;
      const search = new NumberSearch(find, () => changes++);
      search.search("0791234567");
      await answered();
      await answered(10_000);
      assert.deepEqual([search.state, search.found, changes], ["busy", null, 1]);
      isBusy = false;
      await answered(10_000);
      assert.deepEqual([search.state, [...(search.found ?? [])], changes], ["none", [4], 2]);
      isBusy = true;
      search.again();
      await answered(10_000);
      assert.deepEqual([search.state, [...(search.found ?? [])]], ["busy", [4]]);
    });
  });

  it("shows what was found by number beside what has the words, within the result that is chosen", () => {
    const filter = { text: "0791234567", result: null, wants: null, found: new Set([2]) };
    const textOf = (): string => "+4179…567";
    assert.deepEqual([passes(entry(1), filter, textOf), passes(entry(2), filter, textOf)], [false, true]);
    assert.equal(passes(refusal(2, 1, 1), filter, textOf), false, "a refusal has an id of its own");
    assert.equal(passes(entry(2), { ...filter, result: "rejected" }, textOf), false);
  });

  it("counts a message with a report as received", () => {
    const filter = { text: "", result: "received", wants: null } as const;
    const reported = entry(1, { progress: { status: "delivered", reached: 1, replies: 0, change: 1 } });
    const replied = entry(1, { progress: { status: "", reached: 0, replies: 1, change: 1 } });
    assert.deepEqual([passes(reported, filter, () => ""), passes(replied, filter, () => "")], [true, false]);
  });
});
