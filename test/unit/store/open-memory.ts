import { MemoryEngine } from "../../../lib/store/engine/sqlite/memory-engine";
import { loadSqlite } from "../../../lib/store/engine/sqlite/sqlite-driver";
import { acceptingStatements, EVICTIONS } from "../../../lib/store/retention";
import type { OpenStore } from "./suite/store-under-test";

/** Opens an empty store in a memory of so many pages. */
export const openPages =
  (maxPages: number): OpenStore =>
  async () => ({
    engine: new MemoryEngine(loadSqlite, {
      maxPages,
      reservedPages: 100,
      accepting: acceptingStatements,
      evictions: EVICTIONS,
    }),
    close: async () => {},
  });

/** Opens an empty store in memory. */
export const openMemory = openPages(4_000);
