import type { NodeAPI } from "node-red";
import type { AcquireSimulator } from "../account/simulator-link";
import { serveConnectionTests } from "./connection-test-route";
import { serveHistory } from "./history-routes";
import { serveOptOuts } from "./opt-out-routes";
import { serveQueue } from "./queue-routes";
import { serveReport } from "./report-routes";
import { serveSelfTests } from "./self-test-route";
import { serveSendTests } from "./send-test-route";
import { serveSending } from "./sending-routes";
import { serveSimulatorPanel } from "./simulator-routes";
import { serveStorageFacts } from "./storage-route";
import { serveTemplates } from "./templates-route";
import { serveWebhookSecrets } from "./webhook-secret-route";

export function serveAdmin(RED: NodeAPI, acquireSimulator: AcquireSimulator): void {
  serveConnectionTests(RED, acquireSimulator);
  serveStorageFacts(RED);
  serveSendTests(RED);
  serveSimulatorPanel(RED);
  serveHistory(RED);
  serveReport(RED);
  serveQueue(RED);
  serveSending(RED);
  serveOptOuts(RED);
  serveSelfTests(RED);
  serveTemplates(RED, acquireSimulator);
  serveWebhookSecrets(RED);
}
