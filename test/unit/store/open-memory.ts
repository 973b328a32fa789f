import { MemoryEngine } from "../../../lib/store/engine/sqlite/memory-engine";
import { loadSqlite } from "../../../lib/store/engine/sqlite/sqlite-driver";
import { EVICTIONS } from "../../../lib/store/retention";
import type { OpenStore } from "./suite/store-under-test";

/** Opens an empty store in memory. */
export const openMemory: OpenStore = async () => ({
  engine: new MemoryEngine(loadSqlite, { maxPages: 4_096, evictions: EVICTIONS }),
  close: async () => {},
});
