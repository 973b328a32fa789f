import type { Clock } from "../engine/clock";
import type { Engine, Row } from "../engine/engine";
import type { Dialect } from "../schema/dialect";
import { statement } from "../schema/statement";
import { sliced } from "../engine/sliced";

/** What somebody does not want: any message, or only those of `contentCategory` advertisement. */
export type OptOutScope = "all" | "advertisement";

/** Whether somebody who opted out does not want a message. @param category its `contentCategory` */
export const isUnwanted = (scope: OptOutScope, category: string): boolean =>
  scope === "all" || category === "advertisement";

/** Where an opt-out comes from: a message of the person, a flow, an import, or the sidebar. */
export type OptOutSource = "inbound" | "flow" | "import" | "sidebar";

/** A person who does not want messages of an account. */
export interface OptOut {
  /** Digits. */
  readonly number: string;
  readonly scope: OptOutScope;
  /** Epoch ms since when. */
  readonly at: number;
  readonly source: OptOutSource;
}

/** The people who do not want messages of an account. Numbers are digits without a plus. */
export interface OptOutList {
  /**
   * Adds numbers, not too many at a time. A wider scope replaces a narrower one, never the other way; what is there already stays as it is.
   * @returns how many are new or wider now
   * @throws StoreError
   */
  add(numbers: readonly string[], scope: OptOutScope, source: OptOutSource): Promise<number>;
  /** Likewise. @returns how many were there @throws StoreError */
  remove(numbers: readonly string[]): Promise<number>;
  /** Those of the numbers that are in the list, however many it is asked for. @throws StoreError */
  find(numbers: readonly string[]): Promise<readonly OptOut[]>;
  /** A page of the list in the order of the numbers. @param after last number of the page before; blank for the first @throws StoreError */
  page(after: string, most: number): Promise<readonly OptOut[]>;
  /** @throws StoreError */
  count(): Promise<number>;
}

/** Numbers of one operation. */
const PAGE = 1_000;

const ADD = statement(
  "opt_outs_add",
  (d) => `INSERT INTO opt_outs (account, number, scope, at, source)
    SELECT CAST(?2 AS text), ${d.text("e")}, CAST(?3 AS text), CAST(?4 AS bigint), CAST(?5 AS text) FROM ${d.each("?1", "e")} WHERE true
    ON CONFLICT (account, number) DO UPDATE SET scope = excluded.scope, at = excluded.at, source = excluded.source
      WHERE opt_outs.scope <> 'all' AND excluded.scope = 'all'
    RETURNING number`,
);

const isOneOf = ({ text, each }: Dialect): string =>
  `number IN (SELECT ${text("e")} FROM ${each("?1", "e")})`;

const REMOVE = statement(
  "opt_outs_remove",
  (d) => `DELETE FROM opt_outs WHERE account = ?2 AND ${isOneOf(d)} RETURNING number`,
);
const FIND = statement(
  "opt_outs_find",
  (d) => `SELECT number, scope, at, source FROM opt_outs WHERE account = ?2 AND ${isOneOf(d)}`,
);
const ANY = statement("opt_outs_any", () => "SELECT number FROM opt_outs WHERE account = ?1 LIMIT 1");
const LIST = statement(
  "opt_outs_page",
  () =>
    "SELECT number, scope, at, source FROM opt_outs WHERE account = ?1 AND number > ?2 ORDER BY number LIMIT ?3",
);
const COUNT = statement("opt_outs_count", () => "SELECT count(*) AS count FROM opt_outs WHERE account = ?1");

const FORGET = statement(
  "opt_outs_forget_account",
  () =>
    "DELETE FROM opt_outs WHERE account = ?1 AND number IN (SELECT o.number FROM opt_outs o WHERE o.account = ?1 LIMIT ?2) RETURNING number",
);

/**
 * Each number of a page once: a statement of PostgreSQL must not change a row twice. They are in order, so that two that add the same
 * numbers do not wait for each other.
 */
function* pagesOf(numbers: readonly string[]): Iterable<readonly string[]> {
  for (let at = 0; at < numbers.length; at += PAGE) {
    yield [...new Set(numbers.slice(at, at + PAGE))].sort();
  }
}

/** The opt-outs of an account in the store. They stay until somebody takes them back; nothing deletes them by age. */
export class OptOuts implements OptOutList {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly account: string,
  ) {}

  async add(numbers: readonly string[], scope: OptOutScope, source: OptOutSource): Promise<number> {
    let added = 0;
    for (const page of pagesOf(numbers)) {
      const values = [JSON.stringify(page), this.account, scope, this.clock.now(), source];
      const [rows = []] = await this.engine.run([{ statement: ADD, values }]);
      added += rows.length;
    }
    return added;
  }

  async remove(numbers: readonly string[]): Promise<number> {
    let removed = 0;
    for (const page of pagesOf(numbers)) {
      const [rows = []] = await this.engine.run([
        { statement: REMOVE, values: [JSON.stringify(page), this.account] },
      ]);
      removed += rows.length;
    }
    return removed;
  }

  async find(numbers: readonly string[]): Promise<readonly OptOut[]> {
    // In most lists nobody is, and then a million numbers need not be looked up.
    if (numbers.length > PAGE && !(await this.#any())) {
      return [];
    }
    const found = new Map<string, OptOut>();
    for (const page of pagesOf(numbers)) {
      const [rows = []] = await this.engine.run([
        { statement: FIND, values: [JSON.stringify(page), this.account] },
      ]);
      for (const row of rows) {
        const entry = toOptOut(row);
        found.set(entry.number, entry);
      }
    }
    return [...found.values()];
  }

  async #any(): Promise<boolean> {
    const [rows = []] = await this.engine.run([{ statement: ANY, values: [this.account] }]);
    return rows.length > 0;
  }

  async page(after: string, most: number): Promise<readonly OptOut[]> {
    const [rows = []] = await this.engine.run([{ statement: LIST, values: [this.account, after, most] }]);
    return rows.map(toOptOut);
  }

  async count(): Promise<number> {
    const [[row] = []] = await this.engine.run([{ statement: COUNT, values: [this.account] }]);
    return Number(row?.count ?? 0);
  }

  /** Empties the list. @returns how many there were @throws StoreError */
  clear(): Promise<number> {
    return sliced(async (most) => {
      const [rows = []] = await this.engine.run([{ statement: FORGET, values: [this.account, most] }]);
      return rows.length;
    });
  }
}

const toOptOut = ({ number, scope, at, source }: Row): OptOut => ({
  number: String(number),
  scope: String(scope) as OptOutScope,
  at: Number(at),
  source: String(source) as OptOutSource,
});
