import type { CsvForm } from "../../shared/csv";
import { SHOWN_OUTCOMES } from "../../shared/outcomes";
import {
  REPORT_COLUMNS,
  type ReportQuery,
  reportPath,
  type ReportTable,
  type ReportView,
} from "../../shared/history/report";
import { KNOWN_DELIVERIES } from "../activity/entries/delivery-facts";
import { download, post } from "../activity/request";
import { csvRequest } from "../history/csv-choice";

// Each rejects with a `RequestFailure`.

/** @param signal ends it: the runtime does not begin to count for who has left */
export const readReport = (account: string, query: ReportQuery, signal: AbortSignal): Promise<ReportView> =>
  post(reportPath(account, "look"), { query }, undefined, signal);

/** @param zone of the account, whose days are in the table */
export const exportReport = (
  account: string,
  query: ReportQuery,
  table: ReportTable,
  form: CsvForm,
  zone: string,
): Promise<Blob> =>
  download(reportPath(account, "export"), {
    query,
    table,
    csv: csvRequest(
      form,
      {
        titles: REPORT_COLUMNS[table].map((column) => `report.column.${column}`),
        words:
          table === "rows"
            ? [
                ["outcome", [...SHOWN_OUTCOMES, "open"], outcomeKey],
                ["delivery", [...KNOWN_DELIVERIES, "none"], deliveryKey],
              ]
            : [],
      },
      zone,
    ),
  });

/** Keys of the words for an outcome and a status. */
export const outcomeKey = (outcome: string): string =>
  outcome === "open" ? "report.open" : `result.${outcome}`;
const deliveryKey = (delivery: string): string =>
  delivery === "none" ? "report.noReport" : `history.delivery.${delivery}`;
