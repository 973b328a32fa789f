import { type SharedEngine, shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { emptyStore } from "../../store/suite/empty-store";
import { useFolder } from "../../store/use-folder";
import { storedWaitsSuite } from "./stored-waits-suite";

describe("waits in SQLite", () => {
  const folder = useFolder();
  let shared: SharedEngine | null = null;
  after(() => shared?.release());

  /** One thread for all tests: to start it takes longer than a test. */
  storedWaitsSuite(async () => {
    shared ??= await shareSqlite(folder());
    const { engine } = shared;
    return { engine, close: () => emptyStore(engine) };
  });
});
