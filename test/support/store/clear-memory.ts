import { shareEngine } from "../../../lib/runtime/store/open-store";
import { MEMORY_SETTINGS } from "../../../lib/runtime/store/store-settings";
import { tablesOf } from "../../../lib/store/schema/migrations";
import { statement } from "../../../lib/store/schema/statement";

const CLEAR = tablesOf("sqlite").map((table) => statement(`test_clear_${table}`, `DELETE FROM ${table}`));

/** Empties the store of accounts in memory, which lasts as long as the process. */
export async function clearMemory(): Promise<void> {
  const { engine } = await shareEngine(MEMORY_SETTINGS);
  await engine.run(CLEAR.map((each) => ({ statement: each, values: [] })));
}
