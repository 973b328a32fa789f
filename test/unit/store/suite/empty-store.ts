import type { Engine } from "../../../../lib/store/engine/engine";
import { call } from "../../../../lib/store/engine/query";
import type { SharedEngine } from "../../../../lib/store/engine/shared-engines";
import { tablesOf } from "../../../../lib/store/schema/migrations";
import { statement } from "../../../../lib/store/schema/statement";
import type { OpenStore } from "./store-under-test";

const EMPTY = tablesOf("sqlite").map((table) => statement(`test_empty_${table}`)`DELETE FROM ${table}`);

/** Deletes everything but the schema. */
export const emptyStore = async (engine: Engine): Promise<void> => {
  await engine.run(EMPTY.map((each) => call(each)));
};

/**
 * Opens an engine for all tests of a suite, because opening takes longer than a test.
 * @returns opens a store that is emptied when it closes
 */
export function useShared(share: () => Promise<SharedEngine>): OpenStore {
  let shared: SharedEngine | null = null;
  after(() => shared?.release());
  return async () => {
    shared ??= await share();
    const { engine } = shared;
    return { engine, close: () => emptyStore(engine) };
  };
}
