import type { Engine, Rows } from "../engine/engine";

/** Told when something was heard of what an instance waits for. */
export const waitsTopic = (instance: string): string => `waits ${instance}`;

/** Wakes the instances that statements have named as `taker`. */
export async function notifyTakers(engine: Engine, named: readonly Rows[]): Promise<void> {
  const takers = new Set(named.flat().map(({ taker }) => taker));
  takers.delete(null);
  if (takers.size > 0) {
    const topics = [...takers].map((taker) => waitsTopic(String(taker)));
    // What is written is written. Whoever misses it looks by itself later.
    await engine.run([], topics).catch(() => {});
  }
}
