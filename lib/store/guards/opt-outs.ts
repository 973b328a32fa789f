import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/engine";
import { toPerson, withNumbers } from "../../shared/recipients/person";
import { each, sql, textOf, textsOf } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import { changeInSlices, rowOf, rowsOf, rowsOfPages } from "../engine/query";

/** All messages, or only those of `contentCategory` advertisement. */
export type OptOutScope = "all" | "advertisement";

/** @param category `contentCategory` of a message */
export const isUnwanted = (scope: OptOutScope, category: string): boolean =>
  scope === "all" || category === "advertisement";

export type OptOutSource = "inbound" | "flow" | "import" | "sidebar";

export interface OptOut {
  /** Digits, in the list by `toPerson`. */
  readonly number: string;
  readonly scope: OptOutScope;
  /** Epoch ms. */
  readonly at: number;
  readonly source: OptOutSource;
}

/** Numbers that are looked up without a check for an empty list. */
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
 * Opt-outs of an account, as digits. They do not expire. Every call may throw StoreError.
 */
export class OptOuts {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly scope: string,
  ) {}

  /**
   * Adds a slice of numbers. A wider scope replaces a narrower one.
   * @returns how many are new or became wider
   */
  async add(numbers: readonly string[], scope: OptOutScope, source: OptOutSource): Promise<number> {
    const now = this.clock.now();
    return (await rowsOfPages(this.engine, ADD, numbers.map(toPerson), this.scope, scope, now, source))
      .length;
  }

  /** Removes a slice of numbers. @returns how many were in the list */
  async remove(numbers: readonly string[]): Promise<number> {
    return (await rowsOfPages(this.engine, REMOVE, numbers.map(toPerson), this.scope)).length;
  }

  /** Entries have the spelling of the given numbers. */
  async find(numbers: readonly string[]): Promise<readonly OptOut[]> {
    // Most lists are empty.
    if (numbers.length > FEW && (await rowOf(this.engine, ANY, this.scope)) === undefined) {
      return [];
    }
    const rows = await rowsOfPages<OptOut>(this.engine, FIND, numbers.map(toPerson), this.scope);
    return withNumbers(rows, numbers);
  }

  /** Reads a page in the order of the numbers. @param after last number of the previous page; blank for the first */
  page(after: string, most: number): Promise<readonly OptOut[]> {
    return rowsOf<OptOut>(this.engine, LIST, this.scope, after, most);
  }

  async count(): Promise<number> {
    const row = await rowOf(this.engine, COUNT, this.scope);
    return Number(row?.count ?? 0);
  }

  /** @returns how many were deleted */
  clear(): Promise<number> {
    return changeInSlices(this.engine, FORGET, [this.scope]);
  }
}
