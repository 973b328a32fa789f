import type { Call, Engine } from "./engine/engine";
import { setFeatureTables } from "./schema/feature-tables";
import type { SqlPart } from "./schema/sql";
import type { Statement } from "./schema/statement";

/** A deletion by age. */
export interface Cleaning {
  /** Epoch ms. */
  readonly now: number;
  /** ms for which the store is open. */
  readonly openFor: number;
  /** Rows that one statement deletes at most. */
  readonly max: number;
}

/** What the store does for a feature although no node of the feature runs. */
export interface StoreFeature {
  readonly tables?: readonly SqlPart[];
  /** Statements that add rows, which a full store in memory refuses. */
  readonly accepting?: readonly Statement[];
  readonly deleteOld?: (cleaning: Cleaning) => readonly Call[];
  /** Deletes what names a number. @returns collected messages that are not sent any more */
  readonly deleteNumber?: (engine: Engine, number: string) => Promise<number>;
  /** Counts what an account has not sent yet. */
  readonly countWaiting?: (engine: Engine, account: string) => Promise<number>;
}

let features: readonly StoreFeature[] = [];

/** Adds features to every store that opens later. */
export function useStoreFeatures(list: readonly StoreFeature[]): void {
  features = list;
  setFeatureTables(list.flatMap(({ tables = [] }) => tables));
}

export const storeFeatures = (): readonly StoreFeature[] => features;
