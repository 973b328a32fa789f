import type { Engine, Rows } from "../engine/engine";

/** Told when something was heard of what an instance waits for. */
export const waitsTopic = (instance: string): string => `waits ${instance}`;

/** Wakes the instances that statements have named as `taker`. */
export async function tellTakers(engine: Engine, told: readonly Rows[]): Promise<void> {
  const takers = new Set(told.flatMap((rows) => rows.map(({ taker }) => taker)));
  takers.delete(null);
  if (takers.size > 0) {
    // What is written is written. Whoever misses it looks by itself later.
    await engine
      .run(
        [],
        [...takers].map((taker) => waitsTopic(String(taker))),
      )
      .catch(() => {});
  }
}
