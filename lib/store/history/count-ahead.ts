import { MOST_REPORT_DAYS } from "../../shared/fields/log-fields";
import type { Engine } from "../engine/engine";
import { call } from "../engine/query";
import { statement } from "../schema/statement";
import { dayOf } from "./days-of-zone";
import type { ReportDay } from "./report-counts";
import { countDays, firstOf, keyOf, SETTLING, usedDays } from "./report-days";

/** Days that a step looks at for those that have messages: to find their midnights holds the event loop. */
const LOOKED_AT = 30;

const KEPT = statement("report_kept")`
    SELECT d.starts, d.ends FROM day_counts d
    WHERE d.account = ?1 AND d.starts >= ?2 AND d.starts < ?3 AND d.counts IS NOT NULL`;

/** From the day that ended last to the oldest one. Epoch ms. */
interface Walk {
  readonly first: number;
  readonly kept: ReadonlySet<string>;
  /** Those that have messages and are not counted, the next one first. */
  days: ReportDay[];
  /** End of the day that is looked at next. */
  ends: number;
}

/**
 * Counts the days of an account that are over before somebody asks for them, as a report would, once a day: also those that have changed since. What
 * several processes count at the same moment is as good twice.
 */
export class CountAhead {
  #walk: Walk | null = null;
  /** Begin of the day in which the last walk began. */
  #today: number | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly account: string,
  ) {}

  /**
   * Counts one day at most.
   * @param zone IANA name, whose days are counted @param now epoch ms
   * @returns whether to call it again, after a pause; else there is nothing more before the next day
   * @throws StoreError (as a rejection). The next call goes on with the next day
   */
  async step(zone: string, now: number): Promise<boolean> {
    const today = dayOf(now - SETTLING, zone).starts;
    if (today !== this.#today) {
      this.#walk = await this.#begin(today);
      this.#today = today;
    }
    const walk = this.#walk;
    if (walk === null) {
      return false;
    }
    if (walk.days.length === 0) {
      await this.#lookAhead(walk, zone);
    }
    const day = walk.days.shift();
    if (day !== undefined) {
      for await (const _counted of countDays(this.engine, this.account, [day], walk.first, now)) {
        // It is kept at the end.
      }
    }
    return walk.days.length > 0 || walk.ends > walk.first;
  }

  async #lookAhead(walk: Walk, zone: string): Promise<void> {
    const days: ReportDay[] = [];
    let { ends } = walk;
    for (let looked = 0; ends > walk.first && looked < LOOKED_AT; looked++) {
      const day = dayOf(ends - 1, zone);
      ends = day.starts;
      if (!walk.kept.has(keyOf(day))) {
        days.push(day);
      }
    }
    walk.days = [...(await usedDays(this.engine, this.account, days))];
    walk.ends = ends;
  }

  async #begin(today: number): Promise<Walk | null> {
    const oldest = await firstOf(this.engine, this.account);
    if (oldest === null) {
      return null;
    }
    const first = Math.max(oldest, today - MOST_REPORT_DAYS.day * 86_400_000);
    const [rows = []] = await this.engine.read([call(KEPT, this.account, first - 86_400_000, today)]);
    return { first, kept: new Set(rows.map(keyOf)), days: [], ends: today };
  }
}
