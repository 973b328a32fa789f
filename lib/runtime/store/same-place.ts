import type { StoreSettings } from "./store-settings";

/** Server and name of a database: with another password it is the same one. */
function databaseOf({ database }: StoreSettings): string {
  const { host = "", pathname = "" } = database === undefined ? {} : new URL(database.url);
  return host + pathname;
}

/** Whether two settings name one store. @param other null for memory */
export const isSamePlace = (one: StoreSettings, other: StoreSettings | null): boolean =>
  other !== null &&
  one.folder === other.folder &&
  databaseOf(one) === databaseOf(other) &&
  one.database?.schema === other.database?.schema;
