import { randomUUID } from "node:crypto";
import type { Engine } from "./engine/engine";
import { SLICE } from "./engine/sliced";
import { call } from "./engine/query";
import { type Copy, MIGRATIONS } from "./schema/migrations";
import { NOW, type SqlPart, sql } from "./schema/sql";
import type { Statement } from "./schema/statement";

/** ms for which one of several processes copies before another one may take over. */
const TERM = 10_000;

function statementsOf(version: number, copy: Copy) {
  const step = `version = ${version}`;
  const mark = (column: string): string =>
    `(SELECT s.${column} FROM schema_steps s WHERE s.${step} AND s.worker = ?1)`;
  const named = (name: string, text: SqlPart): Statement => ({
    name: `schema_copy_${name}_${version}`,
    text: sql`${text}`,
  });
  return {
    // Moves the slice on: no row where another process copies. ?1 worker, ?2 rows at most, ?3 ms of a term, ?4 whether nobody else can
    // be at work.
    advance: named(
      "advance",
      sql`UPDATE schema_steps SET slice_after = slice_end, slice_end = (
            SELECT max(n.last) FROM (SELECT o.${copy.key} AS last FROM ${copy.from} o
              WHERE o.${copy.key} > schema_steps.slice_end ORDER BY o.${copy.key} LIMIT ?2) n),
          worker = ?1, worker_until = ${NOW} + ?3
        WHERE ${step} AND done_at IS NULL
          AND (coalesce(worker, ?1) = ?1 OR worker_until < ${NOW} OR CAST(?4 AS integer) = 1)
        RETURNING version`,
    ),
    rows: named(
      "rows",
      copy.statement((key) => `${key} > ${mark("slice_after")} AND ${key} <= ${mark("slice_end")}`),
    ),
    finish: named(
      "finish",
      sql`UPDATE schema_steps SET done_at = ${NOW}
        WHERE ${step} AND worker = ?1 AND slice_end IS NULL AND done_at IS NULL`,
    ),
    isDone: named("is_done", `SELECT version FROM schema_steps WHERE ${step} AND done_at IS NOT NULL`),
  };
}

/**
 * Copies one slice: the mark moves on in the same operation, so each row is copied once, whenever the process ends.
 * @returns whether there may be more; null where another process is at it
 */
async function copySlice(
  engine: Engine,
  worker: string,
  { advance, rows, finish, isDone }: ReturnType<typeof statementsOf>,
): Promise<boolean | null> {
  const [mine = [], , , done = []] = await engine.run([
    call(advance, worker, SLICE, TERM, engine.exclusive ? 1 : 0),
    call(rows, worker),
    call(finish, worker),
    call(isDone),
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
  const left = MIGRATIONS.flatMap(({ version, copy }) =>
    copy === undefined ? [] : [statementsOf(version, copy)],
  );
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const goOn = async (): Promise<void> => {
    const [next] = left;
    if (next === undefined || stopped) {
      return;
    }
    const began = performance.now();
    const more = await copySlice(engine, worker, next).catch(() => null);
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
