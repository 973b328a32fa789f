import type { Engine, Rows } from "../engine/engine";

/** Told when something was reported of what an instance waits for. */
export const waitsTopic = (instance: string): string => `waits ${instance}`;

/** Wakes the instances that statements have named as `result owner`. */
export async function notifyResultOwners(engine: Engine, named: readonly Rows[]): Promise<void> {
  const resultOwners = new Set(named.flat().map(({ resultOwner }) => resultOwner));
  resultOwners.delete(null);
  if (resultOwners.size > 0) {
    const topics = [...resultOwners].map((resultOwner) => waitsTopic(String(resultOwner)));
    // What is written is written. Whoever misses it looks by itself later.
    await engine.run([], topics).catch(() => {});
  }
}
