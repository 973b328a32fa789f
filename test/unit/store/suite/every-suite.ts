import { useShared } from "./empty-store";
import { cancelNodeSuite } from "./cancel-node-suite";
import { destinationSuite } from "./destination-suite";
import { conversationSuite } from "./history/conversation-suite";
import { deliveriesSuite } from "./deliveries-suite";
import { guardsSuite } from "./guards-suite";
import { historySuite } from "./history/history-suite";
import { sendAgainSuite } from "./history/send-again-suite";
import { presentSuite } from "./history/present-suite";
import { instanceLoadsSuite } from "./instances/instance-loads-suite";
import { instancesSuite } from "./instances/instances-suite";
import { optOutChangesSuite } from "./opt-out-changes-suite";
import { optOutsSuite } from "./opt-outs-suite";
import { processesSuite } from "./instances/processes-suite";
import { queueSuite } from "./queue-suite";
import { recoverySuite } from "./recovery-suite";
import { reportSuite } from "./history/report-suite";
import { requestsSuite } from "./requests-suite";
import { twoSpellingsSuite } from "./two-spellings-suite";
import { waitsSuite } from "./waits-suite";
import type { SharedEngine } from "../../../../lib/store/engine/shared-engines";

const SUITES = [
  requestsSuite,
  recoverySuite,
  deliveriesSuite,
  optOutChangesSuite,
  historySuite,
  conversationSuite,
  sendAgainSuite,
  presentSuite,
  reportSuite,
  queueSuite,
  cancelNodeSuite,
  instancesSuite,
  instanceLoadsSuite,
  destinationSuite,
  guardsSuite,
  optOutsSuite,
  waitsSuite,
  twoSpellingsSuite,
];

/**
 * Everything that a store does, whatever its engine.
 * @param share opens the engine
 * @param isShared whether several processes can open it at the same time
 */
export function everySuite(share: () => Promise<SharedEngine>, isShared: boolean): void {
  const open = useShared(share);
  for (const suite of isShared ? [...SUITES, processesSuite] : SUITES) {
    // Each suite has hooks of its own.
    describe(suite.name, () => suite(open));
  }
}
