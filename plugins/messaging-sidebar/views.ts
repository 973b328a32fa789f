import { CONVERSATION } from "./conversation/conversation-view";
import { HISTORY } from "./history/history-view";
import { OPT_OUTS } from "./opt-outs/opt-outs-view";
import { QUEUE } from "./queue/queue-view";
import { REPORT } from "./report/report-view";
import type { View } from "./shared/view";
import { SIMULATOR } from "./simulator/simulator-view";

/** The views in the order of their tabs. */
export const VIEWS: readonly View[] = [HISTORY, CONVERSATION, QUEUE, OPT_OUTS, REPORT, SIMULATOR];
