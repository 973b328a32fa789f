import type { Engine } from "../../../../../lib/store/engine/engine";
import { rowsOf } from "../../../../../lib/store/engine/query";
import type { DayCounts, ReportDay } from "../../../../../lib/store/history/report-counts";
import { countDays, firstOf } from "../../../../../lib/store/history/report-days";
import { statement } from "../../../../../lib/store/schema/statement";
import {
  answered,
  newEvent,
  type OpenStore,
  takeJob,
  type Told,
  useFixture,
  watched,
} from "../store-under-test";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const KEPT = statement("test_report_kept")`
    SELECT starts FROM day_counts WHERE counts IS NOT NULL AND token <> '' ORDER BY starts`;

/** A store whose account `a1` is reported on. */
export function useReports(open: OpenStore) {
  const fixture = useFixture(open);
  const { clock, engine, store, me } = fixture;

  const dayOf = (at: number): ReportDay => {
    const starts = Math.floor(at / DAY) * DAY;
    return { starts, ends: starts + DAY, from: starts, to: starts + DAY };
  };
  async function ask(days: readonly ReportDay[], of: Engine = engine): Promise<readonly DayCounts[]> {
    const all: DayCounts[] = [];
    for await (const { counts } of countDays(of, "a1", days, await firstOf(engine, "a1"), clock.time)) {
      all.push(counts);
    }
    return all;
  }
  const watch = (before: Told[0], after?: Told[1]): Engine => watched(engine, before, after);
  const kept = async (): Promise<readonly number[]> =>
    (await rowsOf(engine, KEPT)).map(({ starts }) => Number(starts));
  const totals = (counts: readonly DayCounts[]): Record<string, number> => {
    const all: Record<string, number> = {};
    for (const { outcome, delivery, count } of counts.flatMap(({ people }) => people)) {
      const key = `${outcome} ${delivery}`;
      all[key] = (all[key] ?? 0) + count;
    }
    return all;
  };

  /** A message that has ended. @returns its id */
  async function ended(
    given: Partial<ReturnType<typeof answered>>,
    recipients: readonly string[] = ["41790000001"],
    job: Parameters<typeof takeJob>[2] = {},
  ): Promise<number> {
    const [id = 0] = await takeJob(store, [{ recipients }], job);
    await store.claims.claim(job.account ?? "a1", me, 1);
    await store.settlements.settle(me, [answered(id, { emitted: true, transferId: `t${id}`, ...given })]);
    return id;
  }
  const delivered = (
    id: number,
    at: number,
    number = "41790000001",
    status = "delivered",
  ): Promise<unknown> =>
    store.deliveries.note("a1", [newEvent({ transferId: `t${id}`, number, status, at })]);
  return { ...fixture, dayOf, ask, watch, kept, totals, ended, delivered };
}
