import { type SharedEngine, shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { emptyStore } from "../../store/suite/empty-store";
import { useFolder } from "../../store/use-folder";
import { storedWaitsSuite } from "./stored-waits-suite";
import { waitTroublesSuite } from "./wait-troubles-suite";

describe("waits in SQLite", () => {
  const folder = useFolder();
  let shared: SharedEngine | null = null;
  after(() => shared?.release());

  /** One thread for all tests: to start it takes longer than a test. */
  const open = async () => {
    shared ??= await shareSqlite(folder());
    const { engine } = shared;
    return { engine, close: () => emptyStore(engine) };
  };

  for (const suite of [storedWaitsSuite, waitTroublesSuite]) {
    // Each suite has hooks of its own.
    describe(suite.name, () => suite(open));
  }
});
