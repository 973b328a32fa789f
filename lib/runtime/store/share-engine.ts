import { sharePostgresql } from "../../store/engine/postgresql/shared-postgresql";
import { type SharedEngine, shareSqlite } from "../../store/engine/sqlite/shared-sqlite";
import type { StoreSettings } from "./store-settings";

/** The engine of an account's store: the same one for every account of this process that keeps its messages there. */
export const shareEngine = (settings: StoreSettings): Promise<SharedEngine> =>
  settings.database === undefined ? shareSqlite(settings.folder) : sharePostgresql(settings.database);
