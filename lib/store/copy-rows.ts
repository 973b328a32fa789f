import { randomUUID } from "node:crypto";
import type { Engine } from "./engine/engine";
import { SLICE } from "./engine/sliced";
import { type Copy, MIGRATIONS } from "./schema/migrations";
import type { Statement } from "./schema/statement";

/** ms for which one of several processes copies before another one may take over. */
const TERM = 10_000;

interface CopyStatements {
  /** Moves the slice on. ?1 worker, ?2 rows at most, ?3 ms of a term, ?4 whether nobody else can be at work. No row where another process copies. */
  readonly advance: Statement;
  readonly copy: Statement;
  readonly finish: Statement;
  readonly isDone: Statement;
}

const made = new Map<Copy, CopyStatements>();

function statementsOf(version: number, copy: Copy): CopyStatements {
  let statements = made.get(copy);
  if (statements === undefined) {
    const step = `version = ${version}`;
    const mark = (column: string): string =>
      `(SELECT s.${column} FROM schema_steps s WHERE s.${step} AND s.worker = ?1)`;
    statements = {
      advance: {
        name: `schema_copy_advance_${version}`,
        text: ({ now }) => `UPDATE schema_steps SET slice_after = slice_end, slice_end = (
              SELECT max(n.last) FROM (SELECT o.${copy.key} AS last FROM ${copy.from} o
                WHERE o.${copy.key} > schema_steps.slice_end ORDER BY o.${copy.key} LIMIT ?2) n),
            worker = ?1, worker_until = ${now} + ?3
          WHERE ${step} AND done_at IS NULL
            AND (coalesce(worker, ?1) = ?1 OR worker_until < ${now} OR CAST(?4 AS integer) = 1)
          RETURNING version`,
      },
      copy: {
        name: `schema_copy_rows_${version}`,
        text: (d) =>
          copy.statement(d, (key) => `${key} > ${mark("slice_after")} AND ${key} <= ${mark("slice_end")}`),
      },
      finish: {
        name: `schema_copy_finish_${version}`,
        text: ({ now }) =>
          `UPDATE schema_steps SET done_at = ${now} WHERE ${step} AND worker = ?1 AND slice_end IS NULL AND done_at IS NULL`,
      },
      isDone: {
        name: `schema_copy_is_done_${version}`,
        text: () => `SELECT version FROM schema_steps WHERE ${step} AND done_at IS NOT NULL`,
      },
    };
    made.set(copy, statements);
  }
  return statements;
}

/**
 * Copies one slice: the mark moves on and the rows are copied in one operation, so each row is copied once, whenever the process ends.
 * @returns whether there may be more; null where another process is at it
 * @throws StoreError
 */
async function copySlice(
  engine: Engine,
  worker: string,
  version: number,
  copy: Copy,
): Promise<boolean | null> {
  const { advance, copy: rows, finish, isDone } = statementsOf(version, copy);
  const [mine = [], , , done = []] = await engine.run([
    { statement: advance, values: [worker, SLICE, TERM, engine.exclusive ? 1 : 0] },
    { statement: rows, values: [worker] },
    { statement: finish, values: [worker] },
    { statement: isDone, values: [] },
  ]);
  return done.length > 0 ? false : mine.length > 0 ? true : null;
}

/**
 * Brings rows into the form of the present schema, where a step left that for later. After each slice it leaves the store to others for as
 * long as the slice took. A failure is met again at the next message, which reports it.
 * @returns ends it
 */
export function keepCopying(engine: Engine): () => void {
  const worker = randomUUID();
  const left = MIGRATIONS.flatMap(({ version, copy }) => (copy === undefined ? [] : [{ version, copy }]));
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const goOn = async (): Promise<void> => {
    const [next] = left;
    if (next === undefined || stopped) {
      return;
    }
    const began = performance.now();
    const more = await copySlice(engine, worker, next.version, next.copy).catch(() => null);
    if (more === false) {
      left.shift();
    }
    if (!stopped) {
      timer = setTimeout(() => void goOn(), more === null ? TERM : performance.now() - began).unref();
    }
  };
  void goOn();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
