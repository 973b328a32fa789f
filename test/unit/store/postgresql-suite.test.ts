import type { SharedEngine } from "../../../lib/store/engine/shared-engines";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import { usePostgresql } from "../../support/store/use-postgresql";
import { emptyStore } from "./suite/empty-store";
import { cancelNodeSuite } from "./suite/cancel-node-suite";
import { contactsSuite } from "./suite/contacts-suite";
import { codesSuite } from "./suite/codes-suite";
import { deliveriesSuite } from "./suite/deliveries-suite";
import { guardsSuite } from "./suite/guards-suite";
import { historySuite } from "./suite/history-suite";
import { instancesSuite } from "./suite/instances-suite";
import { processesSuite } from "./suite/processes-suite";
import { instanceLoadsSuite } from "./suite/instance-loads-suite";
import { movesSuite } from "./suite/moves-suite";
import { optOutChangesSuite } from "./suite/opt-out-changes-suite";
import { optOutsSuite } from "./suite/opt-outs-suite";
import { queueSuite } from "./suite/queue-suite";
import { recoverySuite } from "./suite/recovery-suite";
import { requestsSuite } from "./suite/requests-suite";
import { waitsSuite } from "./suite/waits-suite";
import { sealedTextsSuite } from "./suite/sealed-texts-suite";

describe("a store in PostgreSQL", () => {
  const server = usePostgresql();
  let shared: SharedEngine | null = null;
  after(() => shared?.release());

  /** One schema for all tests: to make it takes longer than a test. */
  const open = async () => {
    shared ??= await sharePostgresql({ url: server().url, schema: "messaging", tls: null });
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
    processesSuite,
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
