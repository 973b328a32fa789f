import { REPORT_COLUMNS, type ReportTable } from "../../../lib/shared/history/report";
import { SHOWN_OUTCOMES } from "../../../lib/shared/outcomes";
import type { CsvTexts } from "../shared/csv";
import { KNOWN_DELIVERIES } from "../shared/delivery";

export const outcomeKey = (outcome: string): string =>
  outcome === "open" ? "report.open" : `result.${outcome}`;

const deliveryKey = (delivery: string): string =>
  delivery === "none" ? "report.noReport" : `history.delivery.${delivery}`;

/** The texts of a table of the report as a file. */
export const getTableTexts = (table: ReportTable): CsvTexts => ({
  titles: REPORT_COLUMNS[table].map((column) => `report.column.${column}`),
  words:
    table === "rows"
      ? [
          ["outcome", [...SHOWN_OUTCOMES, "open"], outcomeKey],
          ["delivery", [...KNOWN_DELIVERIES, "none"], deliveryKey],
        ]
      : [],
});
