import { DEPLOYS, type Disturbance, ON_STORE } from "./disturbances";

/** The life of a process that was an instance of the store. Times are epoch ms. */
export interface Owner {
  /** Letter of its Node-RED. */
  readonly name: string;
  /** Position of its Node-RED. */
  readonly node: number;
  /** Infinity where it was not. */
  readonly killedAt: number;
}

export const wasKilled = (owner: Owner | undefined): boolean =>
  owner !== undefined && owner.killedAt < Infinity;

/** What was done to a process or to PostgreSQL at a time that overlaps this one. */
export function disturbancesOf(
  disturbances: readonly Disturbance[],
  owner: Owner | undefined,
  from: number,
  to: number,
): readonly Disturbance[] {
  return disturbances.filter(
    (each) =>
      // What is under way at a deploy goes on.
      !DEPLOYS.includes(each.kind) &&
      (ON_STORE.includes(each.kind) || each.node === owner?.node) &&
      each.from <= to &&
      each.to >= from,
  );
}
