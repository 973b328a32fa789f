import assert from "node:assert/strict";
import { RequestFailure } from "../../../../lib/editor/activity/request";
import { beginningOf, type Places, searchHistories } from "../../../../lib/editor/history/several-histories";
import type { HistoryPage, HistoryPlace, HistoryRow } from "../../../../lib/shared/history/history";

const PAGE = 3;

/** Of an account: messages of these seconds, newest first. */
type Kept = Readonly<Record<string, readonly number[]>>;

const rowOf = (account: string, second: number): HistoryRow =>
  ({
    account,
    takenAt: new Date(second * 1_000).toISOString(),
    job: second,
    request: second,
    part: 0,
    place: 0,
  }) as HistoryRow;
const nameOf = ({ account, request }: HistoryRow): string => `${account}${request}`;

/** A search as the runtime has it: page by page, behind a place. */
const searchIn =
  (kept: Kept) =>
  async (account: string, _query: object, after: HistoryPlace | null): Promise<HistoryPage> => {
    const seconds = kept[account];
    if (seconds === undefined) throw new RequestFailure("memory");
    const left = seconds.filter((second) => after === null || second * 1_000 < after[0]);
    const entries = left.slice(0, PAGE).map((second) => rowOf(account, second));
    const last = entries.at(-1)?.job ?? 0;
    const next: HistoryPlace | null = left.length > PAGE ? [last * 1_000, last, 0, 0, last] : null;
    const tally = { count: seconds.length, more: false, outcomes: { sent: seconds.length }, open: 0 };
    return { entries, next, ...(after === null && { tally }) };
  };

async function all(kept: Kept, accounts = Object.keys(kept)): Promise<readonly string[][]> {
  const pages: string[][] = [];
  for (let next: Places | null = beginningOf(accounts); next !== null; ) {
    const page: Awaited<ReturnType<typeof searchHistories>> = await searchHistories(next, {}, searchIn(kept));
    pages.push(page.entries.map(nameOf));
    next = page.next;
  }
  return pages;
}

describe("the history of several accounts", () => {
  it("has all messages once, newest first, over the ends of pages", async () => {
    const a = [90, 80, 70, 60, 50, 40, 30];
    const b = [85, 84, 83, 82, 20, 10];
    const pages = await all({ a, b, c: [] });
    const wanted = [...a.map((s) => [s, `a${s}`] as const), ...b.map((s) => [s, `b${s}`] as const)];
    wanted.sort(([one], [other]) => other - one);
    assert.deepEqual(
      pages.flat(),
      wanted.map(([, name]) => name),
    );
    assert.ok(pages.length > 2, "it was read in pages");
  });

  it("counts what all find, names those without a history, and fails where none has one", async () => {
    const kept = { a: [3, 1], b: [2] };
    const found = await searchHistories(beginningOf(["a", "b", "m"]), {}, searchIn(kept));
    assert.deepEqual(found.entries.map(nameOf), ["a3", "b2", "a1"]);
    assert.deepEqual(found.tally, { count: 3, more: false, outcomes: { sent: 3 }, open: 0 });
    assert.deepEqual(
      found.without.map(({ account }) => account),
      ["m"],
    );
    await assert.rejects(searchHistories(beginningOf(["m", "n"]), {}, searchIn(kept)), { fault: "memory" });
  });

  it("does not show what may not be next: an account that looked through many messages and found none goes on first", async () => {
    const place: HistoryPlace = [5_000, 5, 0, 0, 5];
    const search = async (account: string): Promise<HistoryPage> =>
      account === "a"
        ? { entries: [], next: place, looked: 10_000 }
        : { entries: [rowOf("b", 2)], next: null };
    const { entries, next, looked } = await searchHistories(beginningOf(["a", "b"]), {}, search);
    assert.deepEqual([entries, looked], [[], 10_000]);
    assert.deepEqual(
      [...(next ?? [])],
      [
        ["a", place],
        ["b", null],
      ],
    );
  });
});
