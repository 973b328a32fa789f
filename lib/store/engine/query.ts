import type { Statement } from "../schema/statement";
import type { Call, Engine, Row, Value } from "./engine";
import { sliced } from "./sliced";

/** A statement with its parameters, in the order of `?1`, `?2` and so on. */
export const call = (statement: Statement, ...values: readonly Value[]): Call => ({ statement, values });

/** A statement for several entries (`entryStatement`). Its rows are those of all entries. */
export const entryCall = (statement: Statement, entries: readonly (readonly Value[])[]): Call => ({
  statement,
  values: [],
  entries,
});

/** Runs one statement, whose columns have names and types of `Result`. @throws StoreError */
export async function rowsOf<Result = Row>(
  engine: Engine,
  statement: Statement,
  ...values: readonly Value[]
): Promise<readonly Result[]> {
  const [rows = []] = await engine.run([call(statement, ...values)]);
  return rows as readonly Result[];
}

/** Runs one statement of which one row is expected. @throws StoreError */
export async function rowOf(
  engine: Engine,
  statement: Statement,
  ...values: readonly Value[]
): Promise<Row | undefined> {
  return (await rowsOf(engine, statement, ...values))[0];
}

/** Entries of a list that one operation looks up. */
const PAGE = 1_000;

/**
 * Runs one statement for each page of a list, which is its first parameter. Each entry is there once, because a statement of PostgreSQL
 * must not change a row twice, and in order, so that two that change the same rows do not wait for each other.
 * @returns the rows of all pages
 * @throws StoreError
 */
export async function rowsOfPages<Result = Row>(
  engine: Engine,
  statement: Statement,
  list: readonly string[],
  ...values: readonly Value[]
): Promise<readonly Result[]> {
  const rows: Result[] = [];
  for (let at = 0; at < list.length; at += PAGE) {
    const page = [...new Set(list.slice(at, at + PAGE))].sort();
    rows.push(...(await rowsOf<Result>(engine, statement, JSON.stringify(page), ...values)));
  }
  return rows;
}

/**
 * Repeats a statement until it changes fewer rows than it may.
 * @param values of the statement, without `?2`, which is how many rows it may change
 * @param wake topics that are told with each slice
 * @returns how many rows were changed
 * @throws StoreError
 */
export const changeInSlices = (
  engine: Engine,
  statement: Statement,
  [which, ...others]: readonly [Value, ...Value[]],
  wake: readonly string[] = [],
): Promise<number> =>
  sliced(async (most) => {
    const [rows = []] = await engine.run([call(statement, which, most, ...others)], wake);
    return rows.length;
  });

/** What a column holds that may be null, as text and as a number. */
export const textOrNull = (value: Value | undefined): string | null => (value == null ? null : String(value));
export const numberOrNull = (value: Value | undefined): number | null =>
  value == null ? null : Number(value);
