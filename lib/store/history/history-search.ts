import type { ShownOutcome } from "../../shared/outcomes";
import type { Engine } from "../engine/engine";
import { cursorOf, type HistoryCursor, type HistoryEntry, toEntry } from "./history-entry";
import { type HistoryFilter, rowFilterOf } from "./history-filter";
import { lookOf } from "./history-look";
import { type Walk, walkOf } from "./history-walk";

/** What a part of a search found. */
export interface HistoryFound {
  readonly entries: readonly HistoryEntry[];
  /** Goes on behind the last row that was looked at; null where there are no more. */
  readonly next: HistoryCursor | null;
  /** Rows that were looked at. */
  readonly looked: number;
}

/** What a search finds, by outcome; null stands for what is still on its way. */
export interface HistoryTallies {
  readonly counts: ReadonlyMap<ShownOutcome | null, number>;
  /** Whether all were counted. */
  readonly complete: boolean;
}

/**
 * Rows on the way that one statement looks at: at first, and at most. Mostly the first ones fill the page; each of them may lie
 * somewhere else on the disk.
 */
const [FIRST_LOOK, LONGEST_LOOK] = [50, 4_000];
/** How many times as many the next statement looks at. */
const LONGER = 4;

/** As `History.look`. @throws StoreError */
export async function searchHistory(
  engine: Engine,
  filter: HistoryFilter,
  after: HistoryCursor | null,
  most: number,
  budget: number,
): Promise<HistoryFound> {
  const entries: HistoryEntry[] = [];
  const asked = rowFilterOf(filter);
  let walk: Walk | null = walkOf(asked);
  let [cursor, looked, length] = [after, 0, Math.min(Math.max(FIRST_LOOK, most), budget)];
  while (walk !== null) {
    const left = most - entries.length;
    const look = lookOf(walk, asked, cursor !== null);
    const [time, request, place] = cursor ?? [];
    const at = { time, request, place };
    const values = { ...asked, ofJob: asked.job, most: left, length, skipped: length - 1, ...at };
    const [rows = [], [last] = []] = await engine.read([look.rows(values), look.end(values)]);
    entries.push(...rows.map(toEntry));
    if (rows.length === left) {
      return { entries, next: entries.at(-1)?.cursor ?? null, looked: looked + length };
    }
    if (last === undefined) {
      walk = walk.onward;
      continue;
    }
    // There are more on the way behind the last row that was looked at.
    cursor = cursorOf(last);
    looked += length;
    if (looked >= budget) {
      return { entries, next: cursor, looked };
    }
    length = Math.min(Math.max(most, Math.min(LONGER * length, LONGEST_LOOK)), budget - looked);
  }
  return { entries, next: null, looked };
}

/** As `History.tally`. @throws StoreError */
export async function tallyHistory(
  engine: Engine,
  filter: HistoryFilter,
  most: number,
): Promise<HistoryTallies> {
  const asked = rowFilterOf(filter);
  const counts = new Map<ShownOutcome | null, number>();
  let [all, isWhole] = [0, true];
  for (let walk: Walk | null = walkOf(asked); walk !== null && all < most; walk = walk.onward) {
    const look = lookOf(walk, asked, false);
    const left = most - all;
    const values = { ...asked, ofJob: asked.job, most: left, length: left, skipped: left - 1 };
    const [rows = [], end = []] = await engine.read([look.tally(values), look.end(values)]);
    for (const row of rows) {
      const outcome = row.outcome as ShownOutcome | null;
      counts.set(outcome, (counts.get(outcome) ?? 0) + Number(row.count));
      all += Number(row.count);
    }
    isWhole &&= end.length === 0;
  }
  return { counts, complete: isWhole && all < most };
}
