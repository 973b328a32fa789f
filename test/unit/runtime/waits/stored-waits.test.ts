import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { useShared } from "../../store/suite/empty-store";
import { useFolder } from "../../store/use-folder";
import { accountWaitsContract } from "./account-waits-contract";
import { useProcesses } from "./use-processes";
import { waitTroublesSuite } from "./wait-troubles-suite";

describe("waits in SQLite", () => {
  const folder = useFolder();
  const open = useShared(() => shareSqlite(folder()));

  // Each has hooks of its own.
  describe("that every account has", () => accountWaitsContract(useProcesses(open)));
  describe("in trouble", () => waitTroublesSuite(open));
});
