import { type SharedEngine, shareSqlite } from "../../store/engine/shared-sqlite";
import type { StoreSettings } from "./store-settings";

/** The engine of an account's store: the same one for every account of this process that keeps its messages there. */
export function shareEngine({ folder }: StoreSettings): Promise<SharedEngine> {
  return shareSqlite(folder);
}
