import { EXPORT_COLUMNS } from "../../../lib/shared/history/history";
import { OUTCOMES, SKIPS } from "../../../lib/shared/outcomes";
import type { CsvTexts } from "../shared/csv";
import { KNOWN_DELIVERIES } from "../shared/delivery";

const STATES = ["waiting", "paused", "without-node", "sending", "done"];
const SETTLED_BY = ["response", "event", "process-ended", "cancel"];

/** The texts of the history as a file. */
export const HISTORY_TABLE: CsvTexts = {
  titles: EXPORT_COLUMNS.map((column) => `history.column.${column}`),
  words: [
    ["channel", ["Voice"], () => "channel.voice"],
    ["outcome", [...Object.keys(OUTCOMES), "skipped"], (value) => `result.${value}`],
    ["reason", SKIPS, (value) => `skipped.${value}`],
    ["delivery", KNOWN_DELIVERIES, (value) => `history.delivery.${value}`],
    ["state", STATES, (value) => `history.state.${value}`],
    ["settledBy", SETTLED_BY, (value) => `history.settledBy.${value}`],
    ["simulated", ["true", "false"], (value) => `history.simulated.${value}`],
  ],
};
