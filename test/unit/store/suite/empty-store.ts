import type { Engine } from "../../../../lib/store/engine/engine";
import { call } from "../../../../lib/store/engine/query";
import { tablesOf } from "../../../../lib/store/schema/migrations";
import { statement } from "../../../../lib/store/schema/statement";

const EMPTY = tablesOf("sqlite").map((table) => statement(`test_empty_${table}`)`DELETE FROM ${table}`);

/** Deletes everything but the schema. */
export const emptyStore = async (engine: Engine): Promise<void> => {
  await engine.run(EMPTY.map((each) => call(each)));
};
