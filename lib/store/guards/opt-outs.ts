import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/engine";
import { toPerson, withNumbers } from "../../shared/recipients/person";
import { each, sql, textOf, textsOf } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import { changeInSlices, rowOf, rowsOf, rowsOfPages } from "../engine/query";

/** What somebody does not want: any message, or only those of `contentCategory` advertisement. */
export type OptOutScope = "all" | "advertisement";

/** Whether somebody who opted out does not want a message. @param category its `contentCategory` */
export const isUnwanted = (scope: OptOutScope, category: string): boolean =>
  scope === "all" || category === "advertisement";

/** Where an opt-out comes from: a message of the person, a flow, an import, or the sidebar. */
export type OptOutSource = "inbound" | "flow" | "import" | "sidebar";

/** A person who does not want messages of an account. */
export interface OptOut {
  /** Digits, in the list by `toPerson`. */
  readonly number: string;
  readonly scope: OptOutScope;
  /** Epoch ms since when. */
  readonly at: number;
  readonly source: OptOutSource;
}

/** Numbers that are looked up without a look whether there is anybody in the list. */
const FEW = 1_000;

const ADD = statement("opt_outs_add")`
    INSERT INTO opt_outs (account, number, scope, at, source)
    SELECT CAST(?2 AS text), ${textOf()}, CAST(?3 AS text), CAST(?4 AS bigint), CAST(?5 AS text) FROM ${each("?1")} WHERE true
    ON CONFLICT (account, number) DO UPDATE SET scope = excluded.scope, at = excluded.at, source = excluded.source
      WHERE opt_outs.scope <> 'all' AND excluded.scope = 'all'
    RETURNING number`;

const isOneOf = sql`number IN (${textsOf("?1")})`;

const REMOVE = statement("opt_outs_remove")`
    DELETE FROM opt_outs WHERE account = ?2 AND ${isOneOf} RETURNING number`;
const FIND = statement("opt_outs_find")`
    SELECT number, scope, at, source FROM opt_outs WHERE account = ?2 AND ${isOneOf}`;
const ANY = statement("opt_outs_any")`SELECT number FROM opt_outs WHERE account = ?1 LIMIT 1`;
const LIST = statement("opt_outs_page")`
    SELECT number, scope, at, source FROM opt_outs WHERE account = ?1 AND number > ?2 ORDER BY number LIMIT ?3`;
const COUNT = statement("opt_outs_count")`SELECT count(*) AS count FROM opt_outs WHERE account = ?1`;

const FORGET = deleteSlice("opt_outs_forget_account", "opt_outs", "account, number", "o.account = ?1");

/**
 * Recipients who do not want messages of an account, as digits without a plus. Nothing deletes them by age. Every call may throw
 * StoreError.
 */
export class OptOuts {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly scope: string,
  ) {}

  /**
   * Adds numbers, not too many at a time. A wider scope replaces a narrower one, never the other way; what is there already stays as it is.
   * @returns how many are new or became wider
   */
  async add(numbers: readonly string[], scope: OptOutScope, source: OptOutSource): Promise<number> {
    const now = this.clock.now();
    return (await rowsOfPages(this.engine, ADD, numbers.map(toPerson), this.scope, scope, now, source))
      .length;
  }

  /** Likewise. @returns how many were there */
  async remove(numbers: readonly string[]): Promise<number> {
    return (await rowsOfPages(this.engine, REMOVE, numbers.map(toPerson), this.scope)).length;
  }

  /** Those of the numbers that are in the list, as they are spelled here, however many it is asked for. */
  async find(numbers: readonly string[]): Promise<readonly OptOut[]> {
    // In most lists nobody is, and then a million numbers need not be looked up.
    if (numbers.length > FEW && (await rowOf(this.engine, ANY, this.scope)) === undefined) {
      return [];
    }
    const rows = await rowsOfPages<OptOut>(this.engine, FIND, numbers.map(toPerson), this.scope);
    return withNumbers(rows, numbers);
  }

  /** A page of the list in the order of the numbers. @param after last number of the page before; blank for the first */
  page(after: string, most: number): Promise<readonly OptOut[]> {
    return rowsOf<OptOut>(this.engine, LIST, this.scope, after, most);
  }

  async count(): Promise<number> {
    const row = await rowOf(this.engine, COUNT, this.scope);
    return Number(row?.count ?? 0);
  }

  /** Empties the list. @returns how many there were @throws StoreError */
  clear(): Promise<number> {
    return changeInSlices(this.engine, FORGET, [this.scope]);
  }
}
