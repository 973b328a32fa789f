import type { Engine, Rows } from "../engine/engine";

/** Notified of reports for the waits of an instance. */
export const waitsTopic = (instance: string): string => `waits ${instance}`;

/** Notifies the result owners in rows of statements. */
export async function notifyResultOwners(engine: Engine, named: readonly Rows[]): Promise<void> {
  const resultOwners = new Set(named.flat().map(({ resultOwner }) => resultOwner));
  resultOwners.delete(null);
  if (resultOwners.size > 0) {
    const topics = [...resultOwners].map((resultOwner) => waitsTopic(String(resultOwner)));
    // An instance that misses it scans later.
    await engine.run([], topics).catch(() => {});
  }
}
