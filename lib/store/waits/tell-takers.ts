import type { Engine, Row } from "../engine/engine";
import { waitsTopic } from "./waits-topic";

/** Wakes the instances that statements have named as `taker`. */
export async function tellTakers(engine: Engine, told: readonly (readonly Row[])[]): Promise<void> {
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
