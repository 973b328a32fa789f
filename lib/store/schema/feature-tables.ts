import type { SqlPart } from "./sql";

let parts: readonly SqlPart[] = [];

/** Sets the tables of features. The thread of SQLite gets them from the process that starts it. */
export function setFeatureTables(tables: readonly SqlPart[]): void {
  parts = tables;
}

export const featureTables = (): readonly SqlPart[] => parts;
