import { useFolder } from "./use-folder";
import { deliveriesSuite } from "./suite/deliveries-suite";
import { historySuite } from "./suite/history-suite";
import { recoverySuite } from "./suite/recovery-suite";
import { requestsSuite } from "./suite/requests-suite";
import { shareSqlite } from "../../../lib/store/engine/shared-sqlite";

describe("a store in SQLite", () => {
  const folder = useFolder();
  const open = async () => {
    const { engine, release } = await shareSqlite(folder());
    return { engine, close: release };
  };

  for (const suite of [requestsSuite, recoverySuite, deliveriesSuite, historySuite]) {
    // Each suite has hooks of its own.
    describe(suite.name, () => suite(open));
  }
});
