import { type SharedEngine, shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { emptyStore } from "../../store/suite/empty-store";
import { useFolder } from "../../store/use-folder";
import { accountWaitsContract } from "./account-waits-contract";
import { useProcesses } from "./use-processes";
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

  // Each has hooks of its own.
  describe("that every account has", () => accountWaitsContract(useProcesses(open)));
  describe("in trouble", () => waitTroublesSuite(open));
});
