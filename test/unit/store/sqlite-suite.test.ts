import { type SharedEngine, shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { cancelNodeSuite } from "./suite/cancel-node-suite";
import { contactsSuite } from "./suite/contacts-suite";
import { codesSuite } from "./suite/codes-suite";
import { deliveriesSuite } from "./suite/deliveries-suite";
import { emptyStore } from "./suite/empty-store";
import { guardsSuite } from "./suite/guards-suite";
import { historySuite } from "./suite/history-suite";
import { instancesSuite } from "./suite/instances-suite";
import { instanceLoadsSuite } from "./suite/instance-loads-suite";
import { movesSuite } from "./suite/moves-suite";
import { optOutChangesSuite } from "./suite/opt-out-changes-suite";
import { optOutsSuite } from "./suite/opt-outs-suite";
import { queueSuite } from "./suite/queue-suite";
import { recoverySuite } from "./suite/recovery-suite";
import { requestsSuite } from "./suite/requests-suite";
import { waitsSuite } from "./suite/waits-suite";
import { sealedTextsSuite } from "./suite/sealed-texts-suite";
import { useFolder } from "./use-folder";

describe("a store in SQLite", () => {
  const folder = useFolder();
  let shared: SharedEngine | null = null;
  after(() => shared?.release());

  /** One thread for all tests: to start it takes longer than a test. */
  const open = async () => {
    shared ??= await shareSqlite(folder());
    const { engine } = shared;
    return { engine, close: () => emptyStore(engine) };
  };

  for (const suite of [
    requestsSuite,
    sealedTextsSuite,
    recoverySuite,
    deliveriesSuite,
    optOutChangesSuite,
    historySuite,
    queueSuite,
    movesSuite,
    cancelNodeSuite,
    instancesSuite,
    instanceLoadsSuite,
    guardsSuite,
    optOutsSuite,
    contactsSuite,
    waitsSuite,
    codesSuite,
  ]) {
    // Each suite has hooks of its own.
    describe(suite.name, () => suite(open));
  }
});
