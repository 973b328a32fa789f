import type { Call, Engine, Row } from "../../../lib/store/engine/engine";
import { type Statement, statement } from "../../../lib/store/schema/statement";

/** What stands before a statement of SQLite, and before one of PostgreSQL, which is run for it. */
export const STEPS = "EXPLAIN QUERY PLAN ";
export const ROWS_READ = "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ";

const made = new Map<string, Statement>();
const explanations = new Map<string, Statement>();

/** A statement of a test, without parameters. Each text is made once, because an engine prepares it once. */
export function once(text: string): Call {
  const found = made.get(text) ?? statement(`test_once_${made.size}`, () => text);
  made.set(text, found);
  return { statement: found, values: [] };
}

function explanationOf({ name, text }: Statement, explain: string): Statement {
  const key = explain + name;
  const found =
    explanations.get(key) ??
    statement(`test_explain_${explanations.size}_${name}`.slice(0, 63), (dialect) => explain + text(dialect));
  explanations.set(key, found);
  return found;
}

/**
 * An engine that explains each statement with its values before it runs it. What a statement changes while it is explained is
 * taken back.
 * @param told the name of each statement, and the rows of its explanation
 */
export const explained = (
  engine: Engine,
  explain: string,
  told: (name: string, explanation: readonly Row[]) => void,
): Engine =>
  new Proxy(engine, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (name !== "run" && name !== "read") return typeof value === "function" ? value.bind(target) : value;
      return async (calls: readonly Call[], wake?: readonly string[]) => {
        for (const { statement: each, values } of calls) {
          const call = { statement: explanationOf(each, explain), values };
          const [explanation = []] =
            name === "read"
              ? await target.read([call])
              : (await target.run([once("SAVEPOINT explained"), call, once("ROLLBACK TO explained")])).slice(
                  1,
                );
          told(each.name, explanation);
        }
        return target[name](calls, wake);
      };
    },
  });

/** A step of a plan that PostgreSQL has run. */
interface Step {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Step[];
}

function addRows(step: Step, rows: Map<string, number>): void {
  const { "Relation Name": table, "Actual Rows": found, "Rows Removed by Filter": removed = 0 } = step;
  if (table !== undefined && step["Node Type"] !== "ModifyTable") {
    rows.set(table, (rows.get(table) ?? 0) + (found + removed) * step["Actual Loops"]);
  }
  for (const each of step.Plans ?? []) addRows(each, rows);
}

/** The most rows of one table that a statement of PostgreSQL has read, those that did not fit included. */
export function mostRead([row]: readonly Row[]): number {
  const [{ Plan: plan }] = JSON.parse(String(row?.["QUERY PLAN"])) as [{ Plan: Step }];
  const rows = new Map<string, number>();
  addRows(plan, rows);
  return Math.max(0, ...rows.values());
}
